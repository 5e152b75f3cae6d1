// SPDX-License-Identifier: GPL-3.0-or-later
// The logs of the rank that failed first, a neighbour and rank 0 side by side around one moment, on their own bytes: what
// is wrong now as the banner has it, or a failure that was chosen. What is not there is said, silence stays blank.
// On a click it shows what every rank does now instead, grouped, who differs first: of a hang no log tells that.
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
    void showNewest();  // what is wrong now, else the newest failure
    void showEvent(const Event &event);
    void showNow();  // what every rank does
    // -1: nothing has failed, or not in one rank.
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
    // Where a log stands at the moment. With numbers the offset is only near: its line is found by them.
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
    bool m_chosen = false;  // by a person
    int m_generation = 0;
};

}  // namespace rankdeck::ui
