// SPDX-License-Identifier: GPL-3.0-or-later
// The failure view: logs of the rank that failed first, a neighbour and rank 0 side by side around a failure. It shows
// the current alarm of the banner, or a failure chosen by the user. Missing parts are named; times without log lines
// stay blank. A button shows the stack traces of all ranks instead, grouped, with the differing ranks first, because
// logs do not explain a hang.
#pragma once

#include "core/run/sample_line.h"
#include "ui/feed/job_feed.h"
#include "ui/kit/panel.h"
#include "ui/state/failure_view.h"

#include <vector>

class QHBoxLayout;
class QPlainTextEdit;
class QPushButton;

namespace rankdeck::ui {

class GlyphLabel;
class Label;

class FailurePanel : public Panel {
    Q_OBJECT
public:
    explicit FailurePanel(JobFeed &feed, QWidget *parent = nullptr);
    [[nodiscard]] QWidget *corner() override { return m_corner; }
    [[nodiscard]] double wantedShare() const override { return m_failureView.event || m_showsNow ? 0.5 : 0; }
    void showNewest();  // the current problem, or else the newest failure
    void showEvent(const Event &event);
    void showNow();  // shows the stack traces of all ranks
    // -1: nothing has failed, or the failure is not of one rank.
    [[nodiscard]] int failedRank() const { return m_failureView.event ? m_failureView.event->rank : -1; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    struct Column {
        QWidget *box;
        GlyphLabel *sign;
        Label *title;
        QPlainTextEdit *text;
        int rank = -1;
    };
    // Position of the failure in a log. If there are numbers, the offset is only approximate, and the numbers identify
    // the line.
    struct Spot {
        std::uint64_t offset = 0;
        std::optional<SampleNumbers> numbers = {};
    };
    [[nodiscard]] Spot spotOf(int rank) const;
    void step(int by);
    void followNews();
    void fill();
    void tookStacks(const std::vector<RankStack> &ranks);
    void read(std::size_t column, int rank, const Spot &spot);
    void took(std::size_t column, const Spot &spot, const Result<RangeReply> &reply);
    void tint(QPlainTextEdit &text);
    [[nodiscard]] FailureView now() const;
    void head();

    JobFeed &m_feed;
    Label *m_head;
    QHBoxLayout *m_row;
    std::vector<Column> m_columns;
    QWidget *m_corner;
    QPushButton *m_now, *m_previous, *m_next;
    QPlainTextEdit *m_groups;
    bool m_showsNow = false;
    FailureView m_failureView;
    bool m_chosen = false;  // by the user
    int m_generation = 0;
};

}  // namespace rankdeck::ui
