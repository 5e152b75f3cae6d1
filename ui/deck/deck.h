// SPDX-License-Identifier: GPL-3.0-or-later
// The deck: one step axis for all parts. The loss is at the top; below are the verdict of each set, one lane per rank,
// and the whole job as a bar. A line through all parts marks the newest VALID set. Shows a JobFeed; selects sets and
// ranks.
#pragma once

#include "ui/feed/job_feed.h"

#include <QWidget>

#include <memory>

namespace rankdeck::ui {

struct LogPlace;

class Deck : public QWidget {
    Q_OBJECT
public:
    explicit Deck(JobFeed &feed, QWidget *parent = nullptr);
    ~Deck() override;

    [[nodiscard]] QString selectedSet() const;  // empty: none
    [[nodiscard]] int selectedRank() const;     // -1: none
    [[nodiscard]] QString secondCurve() const;  // one of metricRows; empty: none
    [[nodiscard]] QString
    decimationNote() const;              // for the status line: "1 px = 3.0 steps, min and max kept, nothing hidden"
    void addActionsTo(QWidget &window);  // keys V N Shift+N M F + - 0 L S Space ← → ↑ ↓: see actions()

public Q_SLOTS:
    void selectSet(const QString &setId);  // empty: clears
    void selectRank(int rank);
    void selectNewestValid();
    void selectTrouble(bool next);
    void followNewest();
    void zoom(double factor);
    void showWholeJob();
    void setLogScale(bool on);
    void setSmoothing(double factor);          // 0: off, at most 0.95
    void setSecondCurve(const QString &name);  // one of metricRows; empty: none

Q_SIGNALS:
    void setSelected(const QString &setId);
    void rankSelected(int rank);
    void cellActivated(const QString &setId, int rank);            // Enter or double-click: opens the inspector
    void sampleLogRequested(const rankdeck::ui::LogPlace &place);  // click in the plot: the log line of that point
    void keepWanted(const QString &setId);                         // K, or the menu of a cell
    void logWanted(int rank);                                      // from the menu of a lane
    void resumeWanted(const QString &setId);                       // from the menu of a column
    void noteChanged();                                            // decimationNote() has changed

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck::ui
