// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a job, read from its history without its curves.
#include "core/run/history/history_end.h"

#include "tests/core/run/history/history_fixture.h"

namespace rankdeck::history_end_test {
namespace {

using namespace std::chrono_literals;

class HistoryEndTest : public HistoryTest {
protected:
    static Event ofRank(EventKind kind, int rank, int attempt, WallTime time)
    {
        Event event;
        event.kind = kind;
        event.rank = rank;
        event.attempt = attempt;
        event.time = time;
        return event;
    }
};

TEST_F(HistoryEndTest, ReturnsTheEndOfTheLastAttempt)
{
    Story run(1000);
    std::vector<LogPosition> positions;
    const auto history = openAndLoad(run, positions);
    ASSERT_TRUE(history->putJob("{\"rankdeck\": 1}").has_value());
    run.beginAttempt(start);
    run.add(0, 0, steps(1, 1, 50), start + 1s);
    run.add(ofRank(EventKind::rankDied, 0, 0, start + 2s));
    run.beginAttempt(start + 10s, 40);
    for (int rank : {0, 1, 2}) run.add(rank, 1, steps(1, 41, 45 + rank), start + 20s + rank * 1s);
    run.add(ofRank(EventKind::rankDied, 2, 1, start + 40s));
    run.add(ofRank(EventKind::rankDied, 1, 1, start + 30s));
    run.add(ofRank(EventKind::gracefulExit, 0, 1, start + 35s));
    ASSERT_TRUE(history->flush(run, positions).has_value());
    const auto end = readHistoryEnd(history->path());
    ASSERT_TRUE(end.has_value()) << end.error().message;
    EXPECT_EQ(end->job, "{\"rankdeck\": 1}");
    EXPECT_EQ(end->attempt, 1);
    EXPECT_EQ(end->ranks, 3);
    EXPECT_EQ(end->heard, start + 22s);
    EXPECT_EQ(end->position, 47);
    ASSERT_EQ(end->deaths.size(), 2u);
    EXPECT_EQ(end->deaths[0].rank, 1);
    EXPECT_EQ(end->deaths[1].rank, 2);
    EXPECT_EQ(end->gracefulExits, std::vector<int>{0});
}

TEST_F(HistoryEndTest, IsEmptyForAnEmptyHistoryAndAnErrorIfThereIsNone)
{
    Story run(1000);
    std::vector<LogPosition> positions;
    const auto history = openAndLoad(run, positions);
    const auto end = readHistoryEnd(history->path());
    ASSERT_TRUE(end.has_value()) << end.error().message;
    EXPECT_EQ(end->attempt, -1);
    EXPECT_FALSE(end->position.has_value());
    EXPECT_FALSE(readHistoryEnd(m_dir.write("no.sqlite", "this is no database, whatever it is called")).has_value());
    EXPECT_FALSE(readHistoryEnd(m_dir.file("missing.sqlite")).has_value());
}

}  // namespace
}  // namespace rankdeck::history_end_test
