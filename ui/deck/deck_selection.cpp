// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck_impl.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

namespace {

struct Trouble {
    double step = 0;
    int column = -1;  // -1: a rank died here, there is no set
    int row = -1;
};

std::vector<Trouble> troublesOf(const LaneData &lanes)
{
    std::vector<Trouble> troubles;
    for (std::size_t i = 0; i < lanes.columns.size(); ++i) {
        const LaneColumn &column = lanes.columns[i];
        if (!isTrouble(column.verdict) || column.pruned || column.ghost) continue;
        const auto bad = std::find_if(column.cells.begin(), column.cells.end(), isException);
        const int row = bad == column.cells.end() ? -1 : static_cast<int>(bad - column.cells.begin());
        troubles.push_back({static_cast<double>(column.position), static_cast<int>(i), row});
    }
    for (std::size_t i = 0; i < lanes.rows.size(); ++i) {
        const LaneRow &row = lanes.rows[i];
        if (row.status == RankStatus::died)
            troubles.push_back({static_cast<double>(row.position.value_or(0)), -1, static_cast<int>(i)});
    }
    std::stable_sort(troubles.begin(), troubles.end(),
                     [](const Trouble &a, const Trouble &b) { return a.step < b.step; });
    return troubles;
}

}  // namespace

void Deck::Impl::setSelectedSet(const QString &id)
{
    const QString known = scene.lanes.columnOf(id) >= 0 ? id : QString();
    if (known == scene.selectedSet) return;
    scene.selectedSet = known;
    const int column = scene.selectedColumn();
    if (column >= 0)
        bringIntoSight(static_cast<double>(scene.lanes.columns[static_cast<std::size_t>(column)].position));
    lanes->refreshSelection();
    plot->redraw();
    refreshReadout();
    Q_EMIT deck.setSelected(known);
}

void Deck::Impl::setSelectedRank(int rank)
{
    const int known = rank >= 0 && scene.lanes.rowOf(rank) >= 0 ? rank : -1;
    if (known == scene.selectedRank) return;
    scene.selectedRank = known;
    refreshPlot();
    lanes->refreshSelection();
    refreshReadout();
    Q_EMIT deck.rankSelected(known);
}

void Deck::Impl::bringIntoSight(double step)
{
    const double margin = axis.span() * 0.02;
    if (step >= axis.from() + margin && step <= axis.to() - margin) return;
    axis.show(step - axis.span() / 2, step + axis.span() / 2);
    userMoved();
}

void Deck::Impl::stepSet(int by)
{
    const int count = static_cast<int>(scene.lanes.columns.size());
    if (count == 0) return;
    int at = scene.selectedColumn();
    if (at < 0) {
        at = scene.lanes.newestValid >= 0 ? scene.lanes.newestValid : count - 1;
    } else {
        do at += by;
        while (at >= 0 && at < count && scene.lanes.columns[static_cast<std::size_t>(at)].pruned);
    }
    if (at >= 0 && at < count) setSelectedSet(scene.lanes.columns[static_cast<std::size_t>(at)].id);
}

void Deck::Impl::stepRank(int by)
{
    const int count = static_cast<int>(scene.lanes.rows.size());
    if (count == 0) return;
    const int row = scene.selectedRow();
    const int next = row < 0 ? (by > 0 ? 0 : count - 1) : std::clamp(row + by, 0, count - 1);
    setSelectedRank(scene.lanes.rows[static_cast<std::size_t>(next)].rank);
}

void Deck::Impl::trouble(bool next)
{
    const auto troubles = troublesOf(scene.lanes);
    if (troubles.empty()) return;
    const int column = scene.selectedColumn();
    const int row = scene.selectedRow();
    const auto selected = std::find_if(troubles.begin(), troubles.end(), [&](const Trouble &one) {
        return one.column >= 0 ? one.column == column : column < 0 && one.row == row;
    });
    const auto count = static_cast<std::ptrdiff_t>(troubles.size());
    std::ptrdiff_t to = next ? 0 : count - 1;
    if (selected != troubles.end()) to = (selected - troubles.begin() + (next ? 1 : count - 1)) % count;
    const Trouble &one = troubles[static_cast<std::size_t>(to)];
    setSelectedSet(one.column < 0 ? QString() : scene.lanes.columns[static_cast<std::size_t>(one.column)].id);
    setSelectedRank(one.row < 0 ? -1 : scene.lanes.rows[static_cast<std::size_t>(one.row)].rank);
    bringIntoSight(one.step);
}

void Deck::Impl::activate()
{
    if (scene.selectedColumn() < 0 && !scene.lanes.columns.empty()) stepSet(0);  // selects the newest VALID set
    const int column = scene.selectedColumn();
    if (column < 0 || scene.lanes.rows.empty()) return;
    int row = scene.selectedRow();
    if (row < 0) {
        const auto &cells = scene.lanes.columns[static_cast<std::size_t>(column)].cells;
        const auto bad = std::find_if(cells.begin(), cells.end(), isException);
        row = bad == cells.end() ? 0 : static_cast<int>(bad - cells.begin());
    }
    Q_EMIT deck.cellActivated(scene.selectedSet, scene.lanes.rows[static_cast<std::size_t>(row)].rank);
}

void Deck::Impl::togglePin(int rank)
{
    if (scene.pinned.erase(rank) == 0) scene.pinned.insert(rank);
    refreshPlot();
    lanes->refreshSelection();
}

int Deck::Impl::columnNear(int deckX, int within) const
{
    const auto pixels = columnPixels(scene.lanes, axis);
    int found = -1;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const int distance = std::abs(pixels[i] - deckX);
        if (distance > within || (found >= 0 && distance >= std::abs(pixels[static_cast<std::size_t>(found)] - deckX)))
            continue;
        found = static_cast<int>(i);
    }
    return found;
}

void Deck::Impl::pressedAt(int deckX, int row)
{
    const int column = columnNear(deckX, 24);
    if (column >= 0) setSelectedSet(scene.lanes.columns[static_cast<std::size_t>(column)].id);
    if (row >= 0) setSelectedRank(scene.lanes.rows[static_cast<std::size_t>(row)].rank);
}

// Returns to the view from before the user moved or zoomed. If the deck already shows that view, zooms in on the set
// under the mouse.
void Deck::Impl::doubleClickedAt(QPoint at)
{
    m_clickEnds.stop();
    if (sight == Sight::free || wantedSpan) {
        rememberView(viewNow());
        wantedSpan.reset();
        return beforeLeft == Sight::whole ? deck.showWholeJob() : deck.followNewest();
    }
    const int column = columnNear(at.x(), 60);
    const double step = column < 0
                            ? axis.stepAt(at.x())
                            : static_cast<double>(scene.lanes.columns[static_cast<std::size_t>(column)].position);
    axis.show(step - axis.span() / 12, step + axis.span() / 12);
    userMoved();
}

// Opens the log only when a second click can no longer follow: a double-click moves the view instead.
void Deck::Impl::openLog(QPoint at)
{
    constexpr int reachPixels = 24;
    const int y = plot->canvas()->mapFrom(&deck, at).y();
    const double loss = plot->lossAt(y);
    const double reach = std::abs(plot->lossAt(y + reachPixels) - loss);
    const double tolerance = std::max(50.0, 2 * axis.stepsPerPixel());
    std::optional<LogPlace> place;
    feed.withRun([&](const Run &run) {
        place = lineUnder(run, axis.stepAt(at.x()), loss, tolerance, scene.selectedRank, reach);
    });
    if (!place) return;
    m_clicked = std::move(place);
    m_clickEnds.start(QApplication::doubleClickInterval());
}

}  // namespace rankdeck::ui
