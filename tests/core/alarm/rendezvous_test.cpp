// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that run but do not reach their scheduler. The alarm comes after a minute, while they try, and never for a rank
// that has made a step.
#include "core/alarm/alarm.h"
#include "tests/core/state/states.h"

#include <gtest/gtest.h>

namespace rankdeck::rendezvous_test {
namespace {

// Four ranks without a step. The first `waiting` ranks have tried for `seconds`, and the last try was `ago` seconds
// ago.
JobState starting(int waiting, double seconds, double ago = 2)
{
    JobState view = states::healthy(4);
    for (std::size_t i = 0; i < 4; ++i) {
        RankState &rank = view.ranks.at(i);
        rank.progress = RankProgress{.rank = rank.rank, .attempt = -1};
        if (rank.rank >= waiting) continue;
        rank.awaited = Awaited{.address = "10.0.0.1:8118",
                               .since = secondsAfter(states::now(), -seconds),
                               .tried = secondsAfter(states::now(), -ago)};
    }
    return view;
}

std::vector<Alarm> waits(const JobState &view)
{
    std::vector<Alarm> found;
    for (const Alarm &alarm : findAlarms(states::picture(view)))
        if (alarm.code == AlarmCode::jobWaits) found.push_back(alarm);
    return found;
}

TEST(Rendezvous, ReportsWaitingRanksAndTheirSchedulerAfterAMinute)
{
    EXPECT_TRUE(waits(starting(4, 45)).empty()) << "a start on a busy machine";
    const std::vector<Alarm> all = waits(starting(4, 72));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(
        all[0].text(),
        "All 4 ranks have been trying to reach the scheduler at 10.0.0.1:8118 for 1 min 12 s. Check on that host that "
        "the scheduler is running and uses that port.");
    EXPECT_EQ(all[0].which, AlarmCase::cannotMeet);
    EXPECT_EQ(all[0].ranks, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(all[0].since, secondsAfter(states::now(), -72));
    EXPECT_NE(all[0].fix.find("scheduler.log"), std::string::npos);
    JobState later = starting(4, 72);
    later.ranks.at(3).awaited->since = secondsAfter(states::now(), -50);
    EXPECT_EQ(waits(later).at(0).ranks.size(), 4u) << "who began a little later waits with the others";
    const std::vector<Alarm> one = waits(starting(1, 72));
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].fact, "Rank 0 has been trying to reach the scheduler at 10.0.0.1:8118 for 1 min 12 s");
}

TEST(Rendezvous, IgnoresRanksThatStoppedTryingOrMadeAStepOrEnded)
{
    EXPECT_TRUE(waits(starting(4, 72, 31)).empty()) << "its newest line is old";
    JobState stepped = starting(4, 72);
    stepped.ranks.at(1).progress = RankProgress{.rank = 1, .attempt = 0, .position = 3, .hasLoss = true};
    EXPECT_TRUE(waits(stepped).empty());
    JobState gone = starting(1, 72);
    states::end(gone, 0, "RuntimeError: x");
    EXPECT_TRUE(waits(gone).empty());
}

}  // namespace
}  // namespace rankdeck::rendezvous_test
