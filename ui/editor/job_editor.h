// SPDX-License-Identifier: GPL-3.0-or-later
// A job file before it is watched: a form and its text side by side, in step and checked while either is typed, and what
// somebody has to look at; below, what of it is found on its nodes, once nobody types any more. Nothing that was typed is lost by looking at something else, a change by the form is undone as
// one by hand; it is written where the user says, and nowhere else.
#pragma once

#include "core/engine/discovery/job_check.h"
#include "core/job/job.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <optional>

class QPlainTextEdit;

namespace rankdeck::ui {

class ActButton;
class GlyphLabel;
class JobChecks;
class JobForm;
class Label;

class JobEditor : public QWidget {
    Q_OBJECT
public:
    explicit JobEditor(QWidget *parent = nullptr);
    void open(const QString &text, const QStringList &remarks, const QString &file = {});  // file: to save it as
    [[nodiscard]] QString text() const;
    [[nodiscard]] const std::optional<Job> &job() const { return m_job; }  // as the text says; empty: it is no job file
    // Of the job as it is; notAsked: its hosts to which nobody is connected.
    void setChecks(const std::vector<JobCheck> &checks, const QStringList &notAsked);
    void hideChecks();  // nobody can look

Q_SIGNALS:
    void watchWanted(const rankdeck::Job &job);
    void left();
    void checkWanted();  // job() is another one, and nobody types
    void hostsWanted(const QStringList &hosts);

private:
    void check();
    void save();
    void pasteLaunch();
    void replaceBy(const QString &text);
    void showKey(const QString &path);
    void followCursor();

    Label *m_remarks, *m_verdict;
    GlyphLabel *m_sign;
    QPlainTextEdit *m_text;
    JobForm *m_form;
    JobChecks *m_checks;
    QTimer m_rest;  // since the last letter
    ActButton *m_watch;
    QString m_file;
    std::optional<Job> m_job;
    bool m_showing = false;  // one of the two follows the other
};

}  // namespace rankdeck::ui
