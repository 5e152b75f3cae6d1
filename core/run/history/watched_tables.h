// SPDX-License-Identifier: GPL-3.0-or-later
// What a console has seen of a job besides its logs, kept for the next one, which would else begin as if nobody had looked:
// how its ranks are used to be silent, and which processes they were. A file without these tables tells nothing of it.
// Fails as the database does. Internal to run; one thread at a time.
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
    Status flush(const Run &run);  // the silences of its current attempt, in a transaction of the caller
    Status flush(const std::vector<RankSighting> &sightings);
    // What was flushed since has not been committed.
    void forget(const WatchedTables &before) { m_silences = before.m_silences; }

private:
    Status putSightings(const std::vector<RankSighting> &sightings);

    Database &m_database;
    std::map<std::pair<int, int>, SilencePattern> m_silences;  // written, by attempt and rank
    std::optional<std::vector<RankSighting>> m_sightings;      // written; empty: not known
};

}  // namespace rankdeck
