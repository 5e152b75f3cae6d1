// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/envelope_cache.h"

#include "core/run/envelope_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rankdeck {

namespace {

constexpr double fromTheStart = -std::numeric_limits<double>::infinity();
constexpr double nothing = std::numeric_limits<double>::infinity();

// Number of columns, counted from the first one, that end at or below this position.
std::int64_t columnsBelow(const ColumnGrid &grid, double position)
{
    std::int64_t low = 0, high = grid.count();
    while (low < high) {
        const std::int64_t middle = (low + high + 1) / 2;
        if (grid.border(static_cast<int>(middle)) <= position)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

}  // namespace

double EnvelopeCache::unchangedBelow(const Run &run, const std::vector<int> &ranks)
{
    const std::vector<AttemptInfo> infos = run.attempts();
    double border = m_run == &run && m_attempts.size() == infos.size() ? nothing : fromTheStart;
    m_run = &run;
    m_attempts.resize(infos.size());
    for (std::size_t i = 0; i < infos.size(); ++i) {
        Attempt &attempt = m_attempts[i];
        if (attempt.discardedAfter != infos[i].discardedAfter || attempt.ranks.size() != ranks.size())
            border = fromTheStart;
        attempt.discardedAfter = infos[i].discardedAfter;
        attempt.ranks.resize(ranks.size());
        for (std::size_t k = 0; k < ranks.size(); ++k) {
            Seen now{.rank = ranks[k]};
            if (const Series *series = run.series(ranks[k], infos[i].index)) {
                now.size = series->size();
                now.prepended = series->prepended();
                now.revision = run.seriesRevision(ranks[k], infos[i].index);
                now.shift = series->shift();
                if (now.size > 0) now.last = series->last()->step;
                const Seen &before = attempt.ranks[k];
                const bool grown = before.rank == now.rank && before.size > 0 && before.size <= now.size &&
                                   before.prepended == now.prepended && before.revision == now.revision &&
                                   before.shift == now.shift;
                if (grown && before.size < now.size) border = std::min(border, static_cast<double>(before.last));
                if (!grown && now.size > 0) border = fromTheStart;
            }
            attempt.ranks[k] = now;
        }
    }
    return border;
}

void EnvelopeCache::fold(const Run &run, const ColumnGrid &grid, std::vector<EnvelopeColumn> &into)
{
    if (grid.count() == 0) return;
    m_folded += static_cast<std::uint64_t>(grid.count());
    const std::vector<EnvelopeColumn> columns = run.envelope(grid, m_discarded);
    into.insert(into.end(), columns.begin(), columns.end());
}

const std::vector<EnvelopeColumn> &EnvelopeCache::of(const Run &run, const ColumnGrid &grid)
{
    const std::vector<int> ranks = run.ranks();
    if (ranks.size() >= ranksForRows) {
        m_grid = {};
        m_folded += static_cast<std::uint64_t>(grid.count());
        return m_columns = run.envelope(grid, m_discarded);
    }
    const double border = unchangedBelow(run, ranks);
    // The part of the previously returned columns that is still valid.
    std::int64_t begin = grid.first(), end = grid.first();
    if (grid.hasColumnsOf(m_grid)) {
        begin = std::clamp(m_grid.first(), grid.first(), grid.beyond());
        end = std::clamp(m_grid.first() + columnsBelow(m_grid, border), begin, grid.beyond());
    }
    std::vector<EnvelopeColumn> columns;
    columns.reserve(static_cast<std::size_t>(grid.count()));
    if (begin == end) {
        fold(run, grid, columns);
    } else {
        fold(run, grid.part(grid.first(), begin), columns);
        const auto kept = m_columns.begin() - m_grid.first();
        columns.insert(columns.end(), kept + begin, kept + end);
        fold(run, grid.part(end, grid.beyond()), columns);
    }
    m_grid = grid;
    m_columns = std::move(columns);
    return m_columns;
}

}  // namespace rankdeck
