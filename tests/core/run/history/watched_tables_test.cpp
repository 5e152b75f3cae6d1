// SPDX-License-Identifier: GPL-3.0-or-later
// Observations of one console about a job, as the next console reads them.
#include "tests/core/run/history/history_fixture.h"

#include <sqlite3.h>

namespace rankdeck::watched_tables_test {
namespace {

class WatchedTablesTest : public HistoryTest {
protected:
    // One line a second, and a pause of a minute after every fifty.
    static void watch(Story &run, int rank, std::int64_t from, std::int64_t to)
    {
        for (std::int64_t step = from; step <= to; ++step) {
            const std::int64_t pauses = step / 50;
            run.add(rank, 0, {sampleAt(1, step, 1)}, secondsAfter(start, static_cast<double>(step + pauses * 60)));
        }
    }
    static RankSighting sighting(int rank)
    {
        return {.rank = rank,
                .attempt = 0,
                .node = "n0",
                .process = {.pid = 4000 + rank, .startTicks = 99, .bootId = "boot"},
                .program = "python3",
                .seen = secondsAfter(start, 1000.0 + rank)};
    }
};

TEST_F(WatchedTablesTest, NextConsoleKnowsTheUsualSilenceOfARank)
{
    std::vector<LogPosition> positions;
    std::optional<double> usual;
    {
        Story run(1000);
        const auto history = openAndLoad(run, positions);
        run.beginAttempt(start);
        watch(run, 3, 1, 70);
        usual = run.progress(3).usualSilence;
        ASSERT_EQ(usual, 1.0);
        ASSERT_TRUE(history->flush(run, positions).has_value());
    }
    Story run(1000);
    const auto history = openAndLoad(run, positions);
    EXPECT_EQ(run.progress(3).usualSilence, usual);
    EXPECT_TRUE(run.progress(3).silenceHeard);
    watch(run, 3, 71, 72);  // too few lines to be significant alone
    EXPECT_EQ(run.progress(3).usualSilence, usual);
    watch(run, 3, 73, 147);
    EXPECT_EQ(run.progress(3).usualSilence, usual);
    watch(run, 3, 148, 149);
    EXPECT_GE(run.progress(3).usualSilence, 60.0) << "a pause every fifty steps is due: of two, this console saw one";
}

TEST_F(WatchedTablesTest, StoresOnlyTheMostRecentProcesses)
{
    std::vector<LogPosition> positions;
    {
        Story run;
        const auto history = openAndLoad(run, positions);
        EXPECT_TRUE(history->sightings()->empty());
        ASSERT_TRUE(history->putSightings({sighting(0), sighting(1), sighting(2)}).has_value());
        ASSERT_TRUE(history->putSightings({sighting(0), sighting(2)}).has_value());
    }
    Story run;
    const auto history = openAndLoad(run, positions);
    const auto seen = history->sightings();
    ASSERT_TRUE(seen.has_value());
    ASSERT_EQ(seen->size(), 2u);
    EXPECT_EQ(seen->back().rank, 2);
    EXPECT_EQ(seen->back().node, "n0");
    EXPECT_EQ(seen->back().process, sighting(2).process);
    EXPECT_EQ(seen->back().program, "python3");
    EXPECT_EQ(seen->back().seen, sighting(0).seen) << "all of them lived then; of each alone it is not kept";
    ASSERT_TRUE(history->putSightings({}).has_value());
    EXPECT_TRUE(history->sightings()->empty());
}

TEST_F(WatchedTablesTest, HistoryOfAnOlderConsoleHasNoObservations)
{
    std::vector<LogPosition> positions;
    std::string path;
    {
        Story run(1000);
        const auto history = openAndLoad(run, positions);
        run.beginAttempt(start);
        watch(run, 0, 1, 40);
        ASSERT_TRUE(history->flush(run, positions).has_value());
        path = history->path();
    }
    sqlite3 *database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    ASSERT_EQ(
        sqlite3_exec(database, "DROP TABLE silences; DROP TABLE sightings; DROP TABLE seen", nullptr, nullptr, nullptr),
        SQLITE_OK);
    sqlite3_close(database);
    Story run(1000);
    const auto history = openAndLoad(run, positions);
    EXPECT_EQ(run.progress(0).position, 40);
    EXPECT_FALSE(run.progress(0).silenceHeard);
    EXPECT_TRUE(history->sightings()->empty());
    EXPECT_TRUE(history->putSightings({sighting(0)}).has_value());
}

}  // namespace
}  // namespace rankdeck::watched_tables_test
