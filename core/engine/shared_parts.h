// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the snapshot that grow with the job: its ranks and its latest events. Only parts that were marked are made
// again; all others are shared between snapshots. Therefore a new line costs as much with 8 ranks as with 8,192. Engine
// thread. Cannot fail: unknown values of a rank stay empty.
#pragma once

#include "core/base/shared_vector.h"
#include "core/engine/logs/log_ingest.h"
#include "core/engine/rank_monitor.h"
#include "core/run/run.h"
#include "core/state/job_state.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace rankdeck {

class SharedParts {
public:
    SharedParts(const Job &job, const Run &run, const LogIngest &logs, const RankMonitor &ranks);

    void rankChanged(int rank) { m_stale.insert(rank); }
    void ranksChanged() { m_allStale = true; }
    // Makes the marked parts again; call it under the run's lock.
    void refresh();

    [[nodiscard]] const SharedVector<RankState> &ranks() const { return m_states; }     // ascending
    [[nodiscard]] const SharedVector<Event> &recentEvents() const { return m_events; }  // the last 200

private:
    void refreshRanks();
    void refreshEvents();
    [[nodiscard]] RankState stateOf(int rank, const std::string &node, int attempt) const;

    const Job &m_job;
    const Run &m_run;
    const LogIngest &m_logs;
    const RankMonitor &m_ranks;

    SharedVector<RankState> m_states;
    std::map<int, std::size_t> m_places;  // rank → index in m_states
    std::set<int> m_stale;
    bool m_allStale = true;
    std::int64_t m_stepsPerEpoch = -1;  // value with which the states were made
    SharedVector<Event> m_events;
    std::uint64_t m_eventsEnd = 0, m_eventsRevision = 0;
};

}  // namespace rankdeck
