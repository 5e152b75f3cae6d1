// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/shared_parts.h"

#include <utility>

namespace rankdeck {

SharedParts::SharedParts(const Job &job, const Run &run, const LogIngest &logs, const RankMonitor &ranks)
    : m_job(job), m_run(run), m_logs(logs), m_ranks(ranks)
{}

void SharedParts::refresh()
{
    refreshRanks();
    refreshEvents();
}

void SharedParts::refreshRanks()
{
    const int attempt = m_run.currentAttempt();
    // Positions change when the steps per epoch become known.
    const std::int64_t steps = m_run.stepsPerEpoch();
    const bool moved = std::exchange(m_stepsPerEpoch, steps) != steps;
    if (std::exchange(m_allStale, false) || moved) {
        std::map<int, const std::string *> nodes;
        for (const NodeSpec &node : m_job.nodes)
            for (int rank : node.ranks) nodes.emplace(rank, &node.name);
        m_states.clear();
        m_places.clear();
        for (const auto &[rank, node] : nodes) {
            m_places.emplace(rank, m_states.size());
            m_states.push_back(stateOf(rank, *node, attempt));
        }
    }
    for (const int rank : std::exchange(m_stale, {}))
        if (const auto at = m_places.find(rank); at != m_places.end())
            m_states.set(at->second, stateOf(rank, std::as_const(m_states)[at->second].node, attempt));
}

RankState SharedParts::stateOf(int rank, const std::string &node, int attempt) const
{
    RankState state;
    state.rank = rank;
    state.node = node;
    state.progress = m_run.progress(rank);
    state.logPath = m_logs.pathOf(rank);
    m_ranks.fill(state);
    if (const auto bad = m_run.firstNonFinite(rank, attempt)) {
        state.firstNonFinite = bad->time;
        state.firstNonFiniteStep = bad->position;
    }
    if (const Series *series = m_run.series(rank, attempt)) state.firstSamples = series->head(firstSamplesKept);
    if (!state.firstSamples.empty()) return state;
    for (const std::int64_t step : m_run.firstSteps(rank, attempt)) state.firstSamples.push_back({step, 0, 0});
    state.firstWithoutLoss = !state.firstSamples.empty();
    return state;
}

// The position of an old event may change when the place of its attempt becomes known.
void SharedParts::refreshEvents()
{
    const std::uint64_t end = m_run.lastEventId();
    const std::uint64_t revision = m_run.eventsRevision();
    const bool same = m_eventsEnd == end && m_eventsRevision == revision;
    m_eventsEnd = end;
    m_eventsRevision = revision;
    if (!same) m_events = m_run.newestEvents(200);
}

}  // namespace rankdeck
