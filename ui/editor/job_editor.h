// SPDX-License-Identifier: GPL-3.0-or-later
// The editor of a job file before it is watched: a form and the text side by side, kept in step and checked during
// typing. Above are remarks for the user. Below, after a pause in typing, are check results from its nodes. The text
// survives a switch to another page. A change through the form can be undone like typed text. The file is written only
// where the user chooses.
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
    void open(const QString &text, const QStringList &remarks, const QString &file = {});  // file: default save path
    [[nodiscard]] QString text() const;
    [[nodiscard]] const std::optional<Job> &job() const { return m_job; }  // of the text; empty: not a valid job file
    // Check results of the current job; notAsked: its hosts without a connection.
    void setChecks(const std::vector<JobCheck> &checks, const QStringList &notAsked);
    void hideChecks();  // if no host can be searched

Q_SIGNALS:
    void watchWanted(const rankdeck::Job &job);
    void left();
    void checkWanted();  // job() has changed, after a pause in typing
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
    QTimer m_rest;  // pause after the last keystroke
    ActButton *m_watch;
    QString m_file;
    std::optional<Job> m_job;
    bool m_showing = false;  // form and text are being synchronized
};

}  // namespace rankdeck::ui
