// SPDX-License-Identifier: GPL-3.0-or-later
// The visible range: moves by the user, and undo and redo of these moves.
#include "ui/deck/deck_impl.h"

namespace rankdeck::ui {

namespace {
constexpr std::chrono::milliseconds oneGesture{700};  // longest time between two events of one drag or wheel turn
constexpr std::size_t mostViews = 50;
}  // namespace

void Deck::Impl::userMoved()
{
    // The axis has already moved, so the view to remember is the one before this move.
    if (!m_movedAt || steadyNow() - *m_movedAt > oneGesture)
        rememberView({m_rangeBefore.first, m_rangeBefore.second, sight, wantedSpan});
    m_movedAt = steadyNow();
    if (sight != Sight::free) beforeLeft = sight;
    if (sight != Sight::free) lastWhenLeft = static_cast<qint64>(axis.last());
    sight = Sight::free;
    refreshReadout();
}

Deck::Impl::View Deck::Impl::viewNow() const { return {axis.from(), axis.to(), sight, wantedSpan}; }

void Deck::Impl::rememberView(const View &view)
{
    m_undone.clear();
    m_views.push_back(view);
    if (m_views.size() > mostViews) m_views.erase(m_views.begin());
    m_movedAt = steadyNow();
}

void Deck::Impl::showView(std::vector<View> &from, std::vector<View> &into)
{
    if (from.empty()) return;
    into.push_back(viewNow());
    const View view = from.back();
    from.pop_back();
    sight = view.sight;
    wantedSpan = view.span;
    m_movedAt.reset();  // the next change starts a new gesture
    if (sight == Sight::free) {
        axis.show(view.from, view.to);
        return refreshReadout();
    }
    sight == Sight::whole ? deck.showWholeJob() : deck.followNewest();
}

void Deck::Impl::undoView() { showView(m_views, m_undone); }
void Deck::Impl::redoView() { showView(m_undone, m_views); }

}  // namespace rankdeck::ui
