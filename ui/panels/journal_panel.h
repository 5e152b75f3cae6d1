// SPDX-License-Identifier: GPL-3.0-or-later
// The journal of this job as a table, with export. It is read again when an action changes, and every few seconds while
// it is visible. An export error is shown next to the button.
#pragma once

#include "ui/feed/job_feed.h"
#include "ui/kit/panel.h"

#include <QTimer>

class QPushButton;

namespace rankdeck::ui {

class JournalModel;
class Label;
class Table;

class JournalPanel : public Panel {
    Q_OBJECT
public:
    explicit JournalPanel(JobFeed &feed, QWidget *parent = nullptr);
    [[nodiscard]] QWidget *corner() override { return m_corner; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    void read();
    void exportText();

    JobFeed &m_feed;
    JournalModel *m_model;
    Table *m_table;
    QWidget *m_corner;
    Label *m_said;
    QTimer m_timer;
    bool m_busy = false;
};

}  // namespace rankdeck::ui
