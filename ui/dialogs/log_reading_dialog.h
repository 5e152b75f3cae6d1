// SPDX-License-Identifier: GPL-3.0-or-later
// A dialog that shows how the log of one rank is read: a sample of each kind of line, with its numbers coloured by
// role. Also the share of recognized lines, and the lines without any values. Reads the end of the log once, through
// the feed. Not modal.
#pragma once

#include "core/parse/log_explanation.h"
#include "ui/feed/job_feed.h"

#include <QDialog>

class QPlainTextEdit;
class QTextCursor;

namespace rankdeck::ui {

class Label;

class LogReadingDialog : public QDialog {
    Q_OBJECT
public:
    LogReadingDialog(JobFeed &feed, int rank, QWidget *parent = nullptr);

private:
    void take(const Result<RangeReply> &reply);
    void show(const LogExplanation &log, std::size_t newest);  // newest: bytes read from the end; 0: the whole log
    void addKind(QTextCursor &cursor, const LineKind &kind);

    JobFeed &m_feed;
    int m_rank;
    bool m_sized = false;  // the size of the log is known
    Label *m_summary, *m_warning;
    QPlainTextEdit *m_lines;
};

}  // namespace rankdeck::ui
