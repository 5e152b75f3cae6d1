// SPDX-License-Identifier: GPL-3.0-or-later
// Writer of a run to the database: remembers which part is stored, writes the rest, and loads it again. A series is
// stored as rows of samples, numbered by ordinal. Back-filled samples go below the first row. New samples go into an
// open row of at most 512 samples, which is rewritten as it grows. Full rows are merged up to 8,192 samples. Internal
// to run.
#pragma once

#include "core/run/history/database.h"
#include "core/run/history/history.h"
#include "core/run/history/watched_tables.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace rankdeck {

inline constexpr std::int64_t openRow = 512;  // largest number of samples in the row that still grows

class HistoryWriter {
public:
    explicit HistoryWriter(Database &database) : m_database(database), m_watched(database) {}

    Status load(Run &run, std::vector<LogPosition> &positions);
    Status flush(const Run &run, const std::vector<LogPosition> &positions);
    Status putSightings(const std::vector<RankSighting> &sightings) { return m_watched.flush(sightings); }
    [[nodiscard]] Result<std::vector<RankSighting>> sightings() const { return m_watched.sightings(); }
    // Creates tables that the file of an older console lacks. An older console ignores them.
    static Status makeLaterTables(Database &database);
    [[nodiscard]] std::uint64_t damagedRows() const { return m_damagedRows; }

private:
    struct Key {
        int attempt = 0, rank = 0;
        std::optional<Metric> metric = {};  // empty: the loss
        friend bool operator<(const Key &a, const Key &b)
        {
            return std::tie(a.attempt, a.rank, a.metric) < std::tie(b.attempt, b.rank, b.metric);
        }
        [[nodiscard]] std::string table() const;  // each curve has its own table, with the same columns
    };
    struct Kept {
        std::int64_t base = 0;            // ordinal in the database minus that in the series
        std::int64_t begin = 0, end = 0;  // stored range, as ordinals of the series: 0 is the first appended sample
        std::int64_t open = 0;            // start of the row that still grows
        std::int64_t merged = 0;          // rows before it are merged
        std::uint64_t revision = 0;
        std::size_t waiting = 0;
        WallTime heard = {};
        std::optional<std::int64_t> position = {};
        bool told = false;
    };

    Status loadAttempts(Run &run);
    Status loadSamples(Run &run, std::optional<Metric> metric);
    Status loadRanks(Run &run);
    Status loadEvents(Run &run);
    Status loadPositions(std::vector<LogPosition> &positions);
    Result<StepRule> loadRule();

    Status flushRule(const StepRule &rule);
    Status flushAttempts(const Run &run);
    Status flushSeries(const Series &series, std::uint64_t revision, const Key &key);
    Status flushCurves(const Run &run, int rank, int attempt);
    Status flushRank(const Run &run, int rank, int attempt);
    Status flushEvents(const Run &run);
    Status flushPositions(const std::vector<LogPosition> &positions);
    Status appendRows(const Series &series, const Key &key, Kept &kept, std::int64_t end);
    Status putRow(const Series &series, const Key &key, const Kept &kept, std::int64_t begin, std::int64_t end);
    Status eraseRows(const Key &key, std::int64_t begin, std::int64_t end);

    Database &m_database;
    WatchedTables m_watched;
    std::map<Key, Kept> m_kept;
    std::vector<AttemptInfo> m_attempts;
    std::map<int, WallTime> m_anchors;  // attempt → newest stored anchor
    std::map<std::pair<int, std::string>, LogPosition> m_positions;
    std::optional<StepRule> m_rule;
    std::uint64_t m_lastEvent = 0;
    std::uint64_t m_eventsRevision = 0;
    std::uint64_t m_damagedRows = 0;
};

}  // namespace rankdeck
