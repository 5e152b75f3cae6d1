// SPDX-License-Identifier: GPL-3.0-or-later
// A stop while a rank is gone: ranks that ended because of the request, and ranks that had ended before.
#include "tests/core/alarm/only_alarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::stop_alarm_test {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

// Four ranks that make no steps. Rank 3 exited with code 0 the given number of seconds ago, and rank 2 is one step
// behind.
JobState leftAlone(int secondsAgo)
{
    JobState view = states::healthy(4, 601);
    states::end(view, 3, {}, 0);
    view.ranks[3].goneSince = states::now() - seconds(secondsAgo);
    view.ranks[2].progress.position = 600;
    for (RankState &rank : view.ranks) {
        rank.progress.usualSilence = 0.3;
        rank.progress.stepSeconds = 0.25;
        rank.progress.heard = states::now() - seconds(20);
    }
    return view;
}

Picture stopping(const JobState &view)
{
    Picture picture = states::picture(view);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(10), .ranks = 4};
    return picture;
}

// Regression: "cannot finish while rank 2 hangs", with the advice to end rank 2.
TEST(StopAlarms, NamesARankThatLeftBeforeTheStopAsTheObstacle)
{
    const JobState view = leftAlone(19);
    const std::vector<Alarm> all = findAlarms(stopping(view));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].code, AlarmCode::stopStuck);
    EXPECT_EQ(all[0].which, AlarmCase::ranksLeft);
    EXPECT_EQ(all[0].ranks, std::vector<int>{3});
    EXPECT_EQ(all[0].text(),
              "The stop cannot finish: rank 3 had exited before the stop. The others are waiting. 0 of 4 confirmed.");
    EXPECT_EQ(all[0].fix, "End ranks 0–2, then resume.");
    EXPECT_THAT(all[1].text(), HasSubstr("Rank 3 has exited; the remaining ranks may be waiting for it."));
}

TEST(StopAlarms, RanksThatExitOnRequestAreNotReportedAsWaitedFor)
{
    const JobState view = leftAlone(9);
    for (const Alarm &one : findAlarms(stopping(view)))
        EXPECT_THAT(one.text(), testing::AllOf(Not(HasSubstr("may be waiting for it")), Not(HasSubstr("had exited"))));
}

}  // namespace
}  // namespace rankdeck::stop_alarm_test
