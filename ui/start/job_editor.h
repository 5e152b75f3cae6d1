// SPDX-License-Identifier: GPL-3.0-or-later
// A job file before it is watched: its text, checked while it is typed, and what somebody has to look at. Nothing that was
// typed is lost by looking at something else; it is written where the user says, and nowhere else.
#pragma once

#include "core/job/job.h"

#include <QStringList>
#include <QWidget>

#include <optional>

class QPlainTextEdit;

namespace rankdeck::ui {

class ActButton;
class GlyphLabel;
class Label;

class JobEditor : public QWidget {
    Q_OBJECT
public:
    explicit JobEditor(QWidget *parent = nullptr);
    void open(const QString &text, const QStringList &remarks);
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void watchWanted(const rankdeck::Job &job);
    void left();

private:
    void check();
    void save();

    Label *m_remarks, *m_verdict;
    GlyphLabel *m_sign;
    QPlainTextEdit *m_text;
    ActButton *m_watch;
    std::optional<Job> m_job;  // as the text says; empty: it is no job file
};

}  // namespace rankdeck::ui
