// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/events_model.h"

#include "core/base/text.h"
#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/window_words.h"

#include <QFont>

#include <algorithm>

namespace rankdeck::ui {

namespace {

QString ranksOf(const Event &event)
{
    if (event.rank >= 0 && event.ranks.size() < 2) return number(event.rank);
    return rankRange(event.ranks);
}

// The sign of an event. For a judged set it is the sign of the verdict, whose name is part of the text.
Glyph signOf(const Event &event)
{
    if (event.kind != EventKind::setJudged) return eventGlyph(event.kind);
    const Verdict all[] = {Verdict::validUnproven, Verdict::valid,        Verdict::inProgress,
                           Verdict::incomplete,    Verdict::inconsistent, Verdict::corrupt};
    for (const Verdict verdict : all) {
        if (event.text.find(verdictName(verdict)) != std::string::npos) return verdictGlyph(verdict);
    }
    return Glyph::unknown;
}

bool loud(EventKind kind)
{
    return kind == EventKind::rankDied || kind == EventKind::nan || kind == EventKind::uce || kind == EventKind::hcce;
}

constexpr std::size_t foldReach = 32;  // rows
constexpr auto foldTime = std::chrono::seconds(30);

// True if both events report the same problem for different ranks: one crash of a job is one row, not one per rank.
bool sameStory(const Event &row, const Event &event)
{
    return row.kind == event.kind && row.attempt == event.attempt && row.text == event.text && row.rank >= 0 &&
           event.rank >= 0 && std::chrono::abs(row.time - event.time) <= foldTime;
}

void addRank(Event &row, int rank)
{
    if (row.ranks.empty()) row.ranks = {row.rank};
    const auto place = std::lower_bound(row.ranks.begin(), row.ranks.end(), rank);
    if (place == row.ranks.end() || *place != rank) row.ranks.insert(place, rank);
}

}  // namespace

EventsModel::EventsModel(std::size_t capacity, QObject *parent)
    : QAbstractTableModel(parent), m_capacity(std::max<std::size_t>(1, capacity))
{}

void EventsModel::append(std::vector<Event> events)
{
    std::erase_if(events,
                  [this](const Event &event) { return event.id <= m_newest || event.kind == EventKind::epochTime; });
    if (events.empty()) return;
    std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.id < b.id; });
    if (events.size() > m_capacity)
        events.erase(events.begin(), events.end() - static_cast<std::ptrdiff_t>(m_capacity));
    m_newest = events.back().id;
    fold(events);
    if (events.empty()) return;
    const std::size_t all = m_events.size() + events.size();
    if (all > m_capacity) {
        const auto drop = static_cast<int>(all - m_capacity), rows = static_cast<int>(m_events.size());
        beginRemoveRows({}, rows - drop, rows - 1);
        m_events.resize(m_events.size() - static_cast<std::size_t>(drop));
        endRemoveRows();
    }
    beginInsertRows({}, 0, static_cast<int>(events.size()) - 1);
    for (Event &event : events) m_events.push_front(std::move(event));
    endInsertRows();
}

// Removes events that another rank has already reported, in the newest rows or in this list.
void EventsModel::fold(std::vector<Event> &events)
{
    std::vector<Event> fresh;
    for (Event &event : events) {
        const auto same = [&](const Event &row) { return sameStory(row, event); };
        const auto begin = fresh.end() - static_cast<std::ptrdiff_t>(std::min(fresh.size(), foldReach));
        if (const auto told = std::find_if(begin, fresh.end(), same); told != fresh.end()) {
            addRank(*told, event.rank);
            continue;
        }
        const auto end = m_events.begin() + static_cast<std::ptrdiff_t>(std::min(m_events.size(), foldReach));
        const auto row = std::find_if(m_events.begin(), end, same);
        if (row == end) {
            fresh.push_back(std::move(event));
            continue;
        }
        addRank(*row, event.rank);
        const auto at = static_cast<int>(row - m_events.begin());
        Q_EMIT dataChanged(index(at, 0), index(at, columnTotal - 1));
    }
    events = std::move(fresh);
}

const Event &EventsModel::at(int row) const { return m_events.at(static_cast<std::size_t>(row)); }

int EventsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int EventsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : columnTotal; }

QString EventsModel::cell(const Event &event, int column) const
{
    switch (column) {
    case time: return clockWords(event.time);
    case what: return eventWord(event);
    case rank: return ranksOf(event);
    case text: return fromCore(event.text).section(QLatin1Char('\n'), 0, 0);
    case step: return event.position ? number(*event.position) : QString();
    case log:
        return event.logPath.empty() ? QString()
                                     : fromNode(baseName(event.logPath)) + QLatin1Char(':') +
                                           number(static_cast<std::int64_t>(event.logOffset));
    default: return {};
    }
}

QVariant EventsModel::colour(int column) const
{
    const Theme &theme = Theme::of(nullptr);
    return theme.color(column == time || column == log ? Theme::Role::text2 : Theme::Role::text);
}

QVariant EventsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Event &event = at(index.row());
    const Theme &theme = Theme::of(nullptr);
    switch (role) {
    case Qt::DisplayRole: return cell(event, index.column());
    case Qt::DecorationRole: return index.column() == sign ? QVariant(glyphIcon(signOf(event), theme)) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == rank || index.column() == step
                   ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter))
                   : QVariant();
    case Qt::ToolTipRole: return toolTipOf(index.column() == time ? exactTime(event.time) : fromCore(event.text));
    case Qt::ForegroundRole: return colour(index.column());
    case Qt::BackgroundRole:
        return event.kind == EventKind::rankDied ? QVariant(theme.color(Theme::Role::tintBad)) : QVariant();
    case Qt::FontRole:
        return loud(event.kind) && index.column() == what ? QVariant(theme.font(Theme::Font::bold)) : QVariant();
    case Qt::AccessibleTextRole: return index.column() == sign ? eventWord(event) : cell(event, index.column());
    case eventIdRole: return QVariant::fromValue<qulonglong>(event.id);
    default: return {};
    }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && (section == rank || section == step))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case time: return tr("Time");
    case what: return tr("Event");
    case rank: return tr("Rank");
    case text: return tr("What happened");
    case step: return tr("Step");
    case log: return tr("Log");
    default: return QString();
    }
}

}  // namespace rankdeck::ui
