// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/standing_alarms.h"

#include <gtest/gtest.h>

#include <string>

namespace rankdeck::standing_alarms_test {
namespace {

class StandingAlarmsTest : public testing::Test {
protected:
    static Alarm alarm(AlarmCode code, const std::string &node = {})
    {
        Alarm one{.code = code};
        if (!node.empty()) one.nodes = {node};
        return one;
    }
    // Changes as text, such as "+nan_loss -stalled"
    std::string look(const std::vector<Alarm> &alarms, double second)
    {
        std::string said;
        for (const AlarmChange &change : m_alarms.look(alarms, secondsAfter(m_began, second)))
            said +=
                (said.empty() ? "" : " ") + std::string(change.ended ? "-" : "+") + alarmCodeName(change.alarm.code);
        return said;
    }
    const WallTime m_began = WallTime(std::chrono::hours(480'000));
    StandingAlarms m_alarms;
};

TEST_F(StandingAlarmsTest, ReportsBeginAndEndOnce)
{
    EXPECT_EQ(look({alarm(AlarmCode::nanLoss)}, 0), "+nan_loss");
    EXPECT_EQ(look({alarm(AlarmCode::nanLoss)}, 5), "");
    EXPECT_EQ(look({}, 6), "");
    EXPECT_TRUE(m_alarms.awaitEnds());
    const std::vector<AlarmChange> ended = m_alarms.look({}, secondsAfter(m_began, 9));
    ASSERT_EQ(ended.size(), 1u);
    EXPECT_TRUE(ended[0].ended);
    EXPECT_EQ(ended[0].time, secondsAfter(m_began, 6)) << "when it did, not when that was certain";
    EXPECT_EQ(ended[0].seconds, 6);
    EXPECT_FALSE(m_alarms.awaitEnds());
    EXPECT_EQ(look({}, 12), "");
}

TEST_F(StandingAlarmsTest, ReportsAHangAgainWhenItsRanksAreKnown)
{
    Alarm hang = alarm(AlarmCode::stalled);
    EXPECT_EQ(look({hang}, 0), "+stalled");
    hang.confirmed = 1;
    EXPECT_EQ(look({hang}, 1), "+stalled");
    EXPECT_EQ(look({hang}, 2), "");
    hang.confirmed = 0;
    EXPECT_EQ(look({hang}, 3), "");
    hang.confirmed = 2;
    EXPECT_EQ(look({hang}, 4), "") << "it was told once";
}

// If all sets of a run are bad, each new save is unknown for a short time and might be complete.
TEST_F(StandingAlarmsTest, AlarmThatPausesBrieflyNeitherEndsNorBeginsAgain)
{
    EXPECT_EQ(look({alarm(AlarmCode::nothingValid)}, 0), "+nothing_valid");
    for (const double second : {5.0, 10.0, 15.0}) {
        EXPECT_EQ(look({}, second), "");
        EXPECT_EQ(look({alarm(AlarmCode::nothingValid)}, second + 0.5), "");
    }
    EXPECT_EQ(look({}, 20), "");
    EXPECT_EQ(look({}, 22), "-nothing_valid");
}

TEST_F(StandingAlarmsTest, FailedSaveIsOneAlarmForAllNodesAndContinuesWhenItsCauseIsKnown)
{
    EXPECT_EQ(look({alarm(AlarmCode::saveFailed, "n0")}, 0), "+save_failed");
    EXPECT_EQ(look({alarm(AlarmCode::diskFull, "n0")}, 1), "+disk_full");
    EXPECT_EQ(look({alarm(AlarmCode::diskFull, "n1")}, 10), "");
}

TEST_F(StandingAlarmsTest, DeathOfTheJobExtendsARankDeathAndNodesHaveSeparateAlarms)
{
    EXPECT_EQ(look({alarm(AlarmCode::rankDied, "n0")}, 0), "+rank_died");
    EXPECT_EQ(look({alarm(AlarmCode::jobDied, "n0")}, 1), "+job_died") << "who is dead stays dead when more die";
    EXPECT_EQ(look({alarm(AlarmCode::jobDied, "n0"), alarm(AlarmCode::nodeLost, "n0")}, 2), "+node_lost");
    EXPECT_EQ(look({alarm(AlarmCode::jobDied, "n0"), alarm(AlarmCode::nodeLost, "n1")}, 3), "+node_lost");
    EXPECT_EQ(look({}, 6), "-node_lost") << "of the other two it is not certain yet";
    EXPECT_EQ(look({}, 8), "-job_died -node_lost");
}

}  // namespace
}  // namespace rankdeck::standing_alarms_test
