// SPDX-License-Identifier: GPL-3.0-or-later
// Observations that are not in the logs, stored for the next console: the usual silences of the ranks, and their
// processes. Without them the next console would start as if the job had never been watched. A file without these
// tables gives no observations. Fails as the database does. Internal to run; one thread at a time.
#pragma once

#include "core/run/history/database.h"
#include "core/run/history/history.h"

#include <map>
#include <utility>
#include <vector>

namespace rankdeck {

class WatchedTables {
public:
    explicit WatchedTables(Database &database) : m_database(database) {}

    static Status make(Database &database);
    Status load(Run &run);
    [[nodiscard]] Result<std::vector<RankSighting>> sightings() const;
    Status flush(const Run &run);  // writes the silences of its current attempt, in a transaction of the caller
    Status flush(const std::vector<RankSighting> &sightings);
    // Reverts to the earlier state, because the data flushed since then was not committed.
    void forget(const WatchedTables &before) { m_silences = before.m_silences; }

private:
    Status putSightings(const std::vector<RankSighting> &sightings);

    Database &m_database;
    std::map<std::pair<int, int>, SilencePattern> m_silences;  // stored, by attempt and rank
    std::optional<std::vector<RankSighting>> m_sightings;      // stored; empty: unknown
};

}  // namespace rankdeck
