// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/events_filter.h"

#include "ui/panels/events_model.h"

#include <algorithm>

namespace rankdeck::ui {

namespace {

bool isError(EventKind kind)
{
    switch (kind) {
    case EventKind::error:
    case EventKind::nan:
    case EventKind::uce:
    case EventKind::hcce:
    case EventKind::ttp:
    case EventKind::rankDied: return true;
    default: return false;
    }
}

}  // namespace

EventsFilter::EventsFilter(EventsModel &events, QObject *parent) : QSortFilterProxyModel(parent), m_events(events)
{
    setSourceModel(&events);
}

void EventsFilter::setRank(int rank)
{
    m_rank = rank;
    invalidateFilter();
}

void EventsFilter::setWeight(Weight weight)
{
    m_weight = weight;
    invalidateFilter();
}

void EventsFilter::setText(const QString &text)
{
    m_text = text;
    invalidateFilter();
}

bool EventsFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    const Event &event = m_events.at(row);
    const bool quiet = event.kind == EventKind::warning || event.kind == EventKind::started;
    if (m_weight == Weight::errors && !isError(event.kind)) return false;
    if (m_weight == Weight::errorsAndSaves && quiet) return false;
    if (m_rank >= 0 && event.rank != m_rank && std::count(event.ranks.begin(), event.ranks.end(), m_rank) == 0) {
        // Events without a rank concern all ranks.
        if (event.rank >= 0 || !event.ranks.empty()) return false;
    }
    if (m_text.isEmpty()) return true;
    for (const int column : {EventsModel::what, EventsModel::text, EventsModel::step, EventsModel::log}) {
        if (m_events.index(row, column).data().toString().contains(m_text, Qt::CaseInsensitive)) return true;
    }
    return false;
}

}  // namespace rankdeck::ui
