// SPDX-License-Identifier: GPL-3.0-or-later
// The log of one rank: its live end, or the lines around an offset. Stays at the end only while it is there; finds
// plain text. Reads through the feed a piece at a time and never has two reads under way.
#pragma once

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
    [[nodiscard]] int rank() const { return m_rank; }
    [[nodiscard]] bool followsEnd() const { return m_follow; }

public slots:
    void showRank(int rank);                  // its end
    void showLine(int rank, quint64 offset);  // the line there, with what is around it

protected:
    void showEvent(QShowEvent *event) override;

private:
    enum class Want { nothing, size, piece };
    void restart(int rank);
    void poll();
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
    std::optional<std::uint64_t> m_goal;  // the offset to select once it is read
};

}  // namespace rankdeck::ui
