// SPDX-License-Identifier: GPL-3.0-or-later
// The log of one rank: its growing end, or the lines around an offset. It follows the end until the user scrolls away,
// and finds plain text. Reads through the feed, one piece at a time. If a log cannot be read or was restarted, a
// message is shown next to its path. If the line of a sample cannot be found, no line is marked.
#pragma once

#include "core/run/sample_line.h"
#include "ui/feed/job_feed.h"
#include "ui/kit/panel.h"

#include <QTimer>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace rankdeck::ui {

class Label;
class LogModel;
class Table;

class LogPanel : public Panel {
    Q_OBJECT
public:
    explicit LogPanel(JobFeed &feed, QWidget *parent = nullptr);
    [[nodiscard]] QWidget *corner() override { return m_corner; }
    void find() override;
    void findNext() override;
    void showSelectedRank(int rank) override;  // only while the end is followed
    [[nodiscard]] int rank() const { return m_rank; }

public Q_SLOTS:
    void showRank(int rank);                  // shows the end of its log
    void showLine(int rank, quint64 offset);  // shows the line at this offset and its surroundings
    // Shows the line of a sample, which is somewhere after this offset.
    void showSample(int rank, quint64 offset, const rankdeck::SampleNumbers &numbers);

protected:
    void showEvent(QShowEvent *event) override;

private:
    enum class Want { nothing, size, piece };
    void restart(int rank);
    void poll();
    void search();
    void searched(const Result<RangeReply> &reply);
    void took(int generation, Want wanted, const Result<RangeReply> &reply);
    void takePiece(const RangeReply &reply);
    void say(const QString &text);
    void fillRanks();
    void setFollow(bool follow);
    [[nodiscard]] QString pathOf(int rank) const;

    JobFeed &m_feed;
    LogModel *m_model;
    Table *m_table;
    Label *m_path, *m_state;
    QWidget *m_corner;
    QComboBox *m_ranks;
    QLineEdit *m_find;
    QPushButton *m_end;
    QTimer m_timer;
    int m_rank = -1, m_generation = 0;
    bool m_follow = true, m_busy = false, m_started = false;
    std::uint64_t m_size = 0, m_inode = 0;
    std::optional<std::uint64_t> m_goal;  // offset to go to when it has been read
    bool m_goalIsLine = true;             // the goal is a line to select
    std::optional<SampleLineSearch> m_search;
    std::uint64_t m_searchFrom = 0, m_searchedTo = 0;
};

}  // namespace rankdeck::ui
