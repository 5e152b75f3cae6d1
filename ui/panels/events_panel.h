// SPDX-License-Identifier: GPL-3.0-or-later
// The events of the job, newest first, filtered by rank, importance and text. Enter or a double-click opens the log
// line.
#pragma once

#include "ui/feed/job_feed.h"
#include "ui/kit/panel.h"

class QComboBox;
class QLineEdit;

namespace rankdeck::ui {

class EventsFilter;
class EventsModel;
class Table;

class EventsPanel : public Panel {
    Q_OBJECT
public:
    explicit EventsPanel(JobFeed &feed, QWidget *parent = nullptr);
    [[nodiscard]] QWidget *corner() override { return m_corner; }
    void find() override;
    void findNext() override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void fillRanks();
    void sayWhyEmpty();
    void activated(const QModelIndex &index);
    [[nodiscard]] const Event *eventAt(const QModelIndex &index) const;

    JobFeed &m_feed;
    EventsModel *m_model;
    EventsFilter *m_filter;
    Table *m_table;
    QWidget *m_corner;
    QComboBox *m_ranks, *m_weight;
    QLineEdit *m_find;
    int m_rankCount = -1;
};

}  // namespace rankdeck::ui
