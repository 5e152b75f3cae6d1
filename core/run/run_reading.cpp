// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_state.h"
#include "core/run/series/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace rankdeck {

namespace {

constexpr std::int64_t anyPosition = std::numeric_limits<std::int64_t>::max() / 8;

// Merges the same pixel column of a later attempt into this one.
void merge(Column &into, const Column &later)
{
    into.nan += later.nan;
    into.posInf += later.posInf;
    into.negInf += later.negInf;
    if (later.count == 0) return;
    into.min = into.count == 0 ? later.min : std::min(into.min, later.min);
    into.max = into.count == 0 ? later.max : std::max(into.max, later.max);
    if (into.count == 0) into.first = later.first;
    into.last = later.last;
    into.count += later.count;
}

// seriesOf: returns the series of a rank in an attempt; nullptr: there is none.
template <class SeriesOf>
std::vector<EnvelopeColumn> envelopeOf(const ColumnGrid &grid, const std::vector<int> &ranks,
                                       const std::vector<AttemptInfo> &infos, bool discarded, SeriesOf seriesOf)
{
    const std::size_t width = static_cast<std::size_t>(grid.count());
    std::vector<EnvelopeColumn> result(width);
    std::vector<std::vector<float>> lasts(width);
    for (const int rank : ranks) {
        std::vector<Column> merged(width);
        for (const AttemptInfo &info : infos) {
            const Series *series = seriesOf(rank, info.index);
            if (series == nullptr || (discarded && !info.discardedAfter)) continue;
            const std::int64_t border = info.discardedAfter.value_or(anyPosition);
            const std::vector<Column> part =
                series->queryWithin(grid, discarded ? border + 1 : -anyPosition, discarded ? anyPosition : border);
            for (std::size_t i = 0; i < width; ++i) merge(merged[i], part[i]);
        }
        for (std::size_t i = 0; i < width; ++i) {
            const Column &column = merged[i];
            EnvelopeColumn &into = result[i];
            const std::uint32_t nonFinite = column.nan + column.posInf + column.negInf;
            if (nonFinite > 0 && into.firstNonFiniteRank < 0) into.firstNonFiniteRank = rank;
            into.nonFinite += nonFinite;
            if (column.count == 0) continue;
            into.min = into.ranks == 0 ? column.min : std::min(into.min, column.min);
            into.max = into.ranks == 0 ? column.max : std::max(into.max, column.max);
            ++into.ranks;
            lasts[i].push_back(column.last);
        }
    }
    for (std::size_t i = 0; i < width; ++i) {
        if (lasts[i].empty()) continue;
        const Quantiles quantiles = quantilesOf(lasts[i]);
        result[i].median = quantiles.median;
        result[i].low = quantiles.low;
        result[i].high = quantiles.high;
    }
    return result;
}

}  // namespace

const AttemptState *Run::Impl::attempt(int index) const
{
    return index >= 0 && index < static_cast<int>(attempts.size()) ? &attempts[static_cast<std::size_t>(index)]
                                                                   : nullptr;
}

const RankRecord *Run::Impl::rank(int rank, int attempt) const
{
    const AttemptState *state = this->attempt(attempt);
    if (state == nullptr) return nullptr;
    const auto at = state->ranks.find(rank);
    return at == state->ranks.end() ? nullptr : &at->second;
}

// A resume discards everything after its set in all earlier attempts. A resume that was not announced discards
// everything from its own first step on.
std::vector<AttemptInfo> Run::Impl::infos() const
{
    std::vector<AttemptInfo> result;
    for (const AttemptState &attempt : attempts) {
        AttemptInfo info = attempt.info;
        if (attempt.extent.first) info.firstStep = *attempt.extent.first + info.stepOffset;
        if (attempt.extent.last) info.lastStep = *attempt.extent.last + info.stepOffset;
        result.push_back(info);
    }
    std::optional<std::int64_t> discard;
    for (auto info = result.rbegin(); info != result.rend(); ++info) {
        info->discardedAfter = discard;
        const std::optional<std::int64_t> from = info->resumedFrom ? info->resumedFrom
                                                 : info->firstStep ? std::optional<std::int64_t>(*info->firstStep - 1)
                                                                   : std::nullopt;
        if (from) discard = std::min(discard.value_or(*from), *from);
    }
    return result;
}

std::int64_t Run::stepsPerEpoch() const { return m_impl->rule.stepsPerEpoch(); }

std::optional<std::int64_t> Run::nominal(std::optional<std::int64_t> epoch, std::optional<std::int64_t> step) const
{
    if (!step) return std::nullopt;
    WaitingSample sample;
    sample.epoch = epoch.value_or(1);
    sample.step = *step;
    return m_impl->place(sample);
}

std::vector<AttemptInfo> Run::attempts() const { return m_impl->infos(); }

int Run::currentAttempt() const { return static_cast<int>(m_impl->attempts.size()) - 1; }

const Series *Run::series(int rank, int attempt) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    return state == nullptr ? nullptr : &state->series;
}

std::vector<PlacedSample> Run::losses(int rank, std::int64_t from, std::int64_t to) const
{
    std::map<std::int64_t, PlacedSample> byPosition;
    for (int attempt = currentAttempt(); attempt >= 0; --attempt)
        if (const Series *own = series(rank, attempt))
            for (const PlacedSample &sample : own->samples(from, to)) byPosition.emplace(sample.step, sample);
    std::vector<PlacedSample> losses;
    for (const auto &[position, sample] : byPosition) losses.push_back(sample);
    return losses;
}

const Series *Run::metric(int rank, int attempt, Metric metric) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    if (state == nullptr) return nullptr;
    const auto at = state->metrics.find(metric);
    return at == state->metrics.end() ? nullptr : &at->second;
}

std::vector<int> Run::measured(Metric metric) const
{
    std::set<int> all;
    for (const AttemptState &attempt : m_impl->attempts)
        for (const auto &[rank, state] : attempt.ranks)
            if (state.metrics.count(metric) > 0) all.insert(rank);
    return {all.begin(), all.end()};
}

std::vector<std::int64_t> Run::firstSteps(int rank, int attempt) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    std::vector<std::int64_t> steps = state == nullptr ? std::vector<std::int64_t>() : state->firstSteps;
    for (std::int64_t &step : steps) step += state->series.shift();
    return steps;
}

std::vector<int> Run::ranks() const
{
    std::vector<int> all;
    for (const AttemptState &attempt : m_impl->attempts) {
        const auto before = static_cast<std::ptrdiff_t>(all.size());
        all.reserve(all.size() + attempt.ranks.size());
        for (const auto &[rank, state] : attempt.ranks) all.push_back(rank);
        std::inplace_merge(all.begin(), all.begin() + before, all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return all;
}

namespace {

constexpr double shortestOfFew = 600;  // seconds; of a log that grows, before enough silences were seen

// Usual silence for a log with too few live lines: the console started after the last line, or there is one line per
// epoch. It uses the steps between the lines and the step time. The result is so long that a save or an evaluation of
// minutes does not count as a hang.
std::optional<double> silenceOfOldLines(const Series &series, double stepSeconds)
{
    constexpr std::size_t enough = 3;
    constexpr double shortest = 120, steps = 20;
    if (series.size() < enough) return std::nullopt;
    const double apart =
        static_cast<double>(series.last()->step - series.first()->step) / static_cast<double>(series.size() - 1);
    return std::max(shortest, steps * std::max(1.0, apart) * stepSeconds);
}

}  // namespace

RankProgress Run::progress(int rank) const
{
    for (int attempt = currentAttempt(); attempt >= 0; --attempt)
        if (const std::optional<RankProgress> progress = progressIn(rank, attempt); progress && progress->seen())
            return *progress;
    RankProgress nothing;
    nothing.rank = rank;
    nothing.attempt = std::max(currentAttempt(), 0);
    return nothing;
}

std::optional<RankProgress> Run::progressIn(int rank, int attempt) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    if (state == nullptr) return std::nullopt;
    RankProgress progress = state->progress;
    if (!progress.position && progress.step) progress.position = nominal(progress.epoch, progress.step);
    // Its position has changed since, because another number of steps per epoch became known.
    if (state->byEpoch && progress.epoch && progress.step) progress.position = nominal(progress.epoch, progress.step);
    if (progress.position) *progress.position += state->series.shift();
    if (progress.total) *progress.total += state->series.shift();
    if (const std::optional<double> seconds = state->clock.seconds()) progress.stepSeconds = seconds;
    if (const std::optional<double> usual = state->clock.usualSilence()) {
        progress.usualSilence = std::max(*usual, state->clock.pauseDue(stepsPerEpoch()));
        progress.silenceHeard = true;
    } else if (progress.stepSeconds) {
        progress.usualSilence = silenceOfOldLines(state->series, *progress.stepSeconds);
        if (progress.usualSilence && state->clock.live())
            progress.usualSilence = std::max({*progress.usualSilence, state->clock.longestSilence(), shortestOfFew});
    }
    progress.atFirstEpochEnd = state->clock.isAtFirstEpochEnd(stepsPerEpoch());
    return progress;
}

std::vector<Event> Run::events(std::uint64_t afterId) const
{
    if (afterId > 0 && afterId >= lastEventId()) return {};
    const auto at = std::upper_bound(m_impl->events.begin(), m_impl->events.end(), afterId,
                                     [](std::uint64_t id, const Event &event) { return id < event.id; });
    return {at, m_impl->events.end()};
}

std::vector<Event> Run::newestEvents(std::size_t count) const
{
    const std::size_t all = m_impl->events.size();
    return {m_impl->events.begin() + static_cast<std::ptrdiff_t>(all - std::min(all, count)), m_impl->events.end()};
}

std::uint64_t Run::lastEventId() const { return m_impl->events.empty() ? 0 : m_impl->events.back().id; }

std::optional<NonFinite> Run::firstNonFinite(int rank, int attempt) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    return state == nullptr ? std::nullopt : state->nonFinite;
}

std::optional<std::int64_t> Run::lastPosition() const
{
    if (m_impl->attempts.empty() || !m_impl->attempts.back().extent.last) return std::nullopt;
    return *m_impl->attempts.back().extent.last + m_impl->attempts.back().info.stepOffset;
}

std::optional<WallTime> Run::timeAt(std::int64_t position, int attempt) const
{
    const AttemptState *state = m_impl->attempt(attempt);
    if (state == nullptr || state->anchors.empty()) return std::nullopt;
    const std::int64_t nominal = position - state->info.stepOffset;
    const std::vector<TimeAnchor> &anchors = state->anchors;
    const auto next =
        std::lower_bound(anchors.begin(), anchors.end(), nominal,
                         [](const TimeAnchor &anchor, std::int64_t wanted) { return anchor.position < wanted; });
    if (next == anchors.end()) return std::nullopt;
    if (next->position == nominal) return next->time;
    if (next == anchors.begin()) return std::nullopt;
    const TimeAnchor &before = *(next - 1);
    const double share =
        static_cast<double>(nominal - before.position) / static_cast<double>(next->position - before.position);
    const std::chrono::duration<double> passed(secondsBetween(before.time, next->time) * share);
    return before.time + std::chrono::duration_cast<WallTime::duration>(passed);
}

std::optional<double> Run::stepSeconds() const
{
    std::vector<double> all;
    if (m_impl->attempts.empty()) return std::nullopt;
    for (const auto &[rank, state] : m_impl->attempts.back().ranks)
        if (const std::optional<double> seconds = state.clock.seconds()) all.push_back(*seconds);
    return medianOf(std::move(all));
}

std::vector<Column> Run::line(int rank, const ColumnGrid &grid) const
{
    std::vector<Column> result(static_cast<std::size_t>(grid.count()));
    for (const AttemptInfo &info : m_impl->infos()) {
        const RankRecord *state = m_impl->rank(rank, info.index);
        if (state == nullptr) continue;
        const std::vector<Column> part =
            state->series.queryWithin(grid, -anyPosition, info.discardedAfter.value_or(anyPosition));
        for (std::size_t i = 0; i < result.size(); ++i) merge(result[i], part[i]);
    }
    return result;
}

std::vector<EnvelopeColumn> Run::Impl::envelopeOfRanks(const ColumnGrid &grid, bool discarded) const
{
    std::vector<int> all;
    for (const AttemptState &attempt : attempts)
        for (const auto &[rank, state] : attempt.ranks) all.push_back(rank);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return envelopeOf(grid, all, infos(), discarded, [this](int number, int attempt) {
        const RankRecord *state = rank(number, attempt);
        return state == nullptr ? nullptr : &state->series;
    });
}

std::size_t Run::Impl::mostRanks() const
{
    std::size_t most = 0;
    for (const AttemptState &attempt : attempts) most = std::max(most, attempt.ranks.size());
    return most;
}

void Run::Impl::foldRows(const ColumnGrid &grid, const AttemptInfo &info, bool discarded,
                         std::vector<FoldedColumn> &into)
{
    AttemptState &attempt = attempts[static_cast<std::size_t>(info.index)];
    std::vector<RankSeries> ranks;
    ranks.reserve(attempt.ranks.size());
    for (const auto &[rank, state] : attempt.ranks) ranks.push_back({rank, &state.series});
    // Number of samples that may be read to make rows. The limit is a fraction of the cost of reading all columns from
    // the series. It keeps the first calls on a long run short.
    std::int64_t budget = std::max<std::int64_t>(1 << 19, static_cast<std::int64_t>(ranks.size()) * grid.count() / 4);
    const std::int64_t border = info.discardedAfter.value_or(anyPosition);
    const std::vector<FoldedColumn> part = attempt.rows.fold(
        grid, info.stepOffset, discarded ? border + 1 : -anyPosition, discarded ? anyPosition : border, ranks, budget);
    for (std::size_t i = 0; i < part.size(); ++i) {
        if (part[i].of == FoldedColumn::Of::nothing) continue;
        const bool first = into[i].of == FoldedColumn::Of::nothing;
        into[i] = part[i];
        if (!first) into[i].of = FoldedColumn::Of::unknown;
    }
}

// With many ranks, the envelope is read from the rows that attempts keep. The series are read instead if the ranks log
// different steps, if two attempts meet in one column, or if rows are not made yet.
std::vector<EnvelopeColumn> Run::envelope(const ColumnGrid &grid, bool discarded) const
{
    if (m_impl->mostRanks() < ranksForRows || grid.count() == 0) return m_impl->envelopeOfRanks(grid, discarded);
    std::vector<FoldedColumn> folded(static_cast<std::size_t>(grid.count()));
    {
        const std::lock_guard lock(m_impl->rowsMutex);
        for (const AttemptInfo &info : m_impl->infos())
            if (!discarded || info.discardedAfter) m_impl->foldRows(grid, info, discarded, folded);
    }
    std::vector<EnvelopeColumn> result;
    result.reserve(folded.size());
    for (std::size_t i = 0; i < folded.size();) {
        std::size_t end = i;
        while (end < folded.size() && folded[end].of == FoldedColumn::Of::unknown) ++end;
        if (end == i) {
            result.push_back(folded[i++].column);
            continue;
        }
        const std::int64_t first = grid.first() + static_cast<std::int64_t>(i);
        const std::vector<EnvelopeColumn> asked =
            m_impl->envelopeOfRanks(grid.part(first, grid.first() + static_cast<std::int64_t>(end)), discarded);
        result.insert(result.end(), asked.begin(), asked.end());
        i = end;
    }
    return result;
}

std::vector<EnvelopeColumn> Run::envelope(const ColumnGrid &grid, Metric metric, bool discarded) const
{
    return envelopeOf(grid, measured(metric), m_impl->infos(), discarded,
                      [this, metric](int rank, int attempt) { return this->metric(rank, attempt, metric); });
}

std::uint64_t Run::sampleCount() const
{
    std::uint64_t sum = 0;
    for (const AttemptState &attempt : m_impl->attempts) sum += attempt.extent.samples;
    return sum;
}

}  // namespace rankdeck
