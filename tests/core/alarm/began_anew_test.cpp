// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of another program or console: a launcher that starts from zero, a disk that fills up, a stop elsewhere.
#include "tests/core/alarm/only_alarm.h"

#include <gmock/gmock.h>

#include <functional>

namespace rankdeck::began_anew_test {
namespace {

using states::healthy;
using testing::HasSubstr;

// ---- an attempt that starts from zero

JobState startedAgain()
{
    JobState view = healthy(2, 5);
    view.attempt = 1;
    view.attempts = {{.index = 0, .firstStep = 1, .lastStep = 143}, {.index = 1, .firstStep = 1, .lastStep = 5}};
    for (std::size_t i = 0; i < 2; ++i) view.ranks.at(i).progress.attempt = 1;
    view.checkpoints.sets.push_back(states::validSet(140, 2));
    view.checkpoints.settled = true;
    return view;
}

TEST(AttemptFromZero, RaisesAnAlarmIfAnAttemptLoadsNothingDespiteAValidSet)
{
    const JobState view = startedAgain();
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::beganAnew);
    EXPECT_EQ(alarm.setStep, 140);
    EXPECT_THAT(alarm.text(), HasSubstr("Attempt 2 begins at step 1"));
}

TEST(AttemptFromZero, RaisesNoAlarmIfARankLoadsOrContinuesOrEndedOrOnOwnResume)
{
    const std::vector<std::function<void(JobState &)>> calm{[](JobState &view) { view.attempts[1].firstStep = 141; },
                                                            [](JobState &view) { view.attempts[1].resumedFrom = 140; },
                                                            [](JobState &view) { view.attempts[1].stepOffset = 140; },
                                                            [](JobState &view) { view.ranks.at(0).resumed.emplace(); },
                                                            [](JobState &view) { view.checkpoints.sets.clear(); },
                                                            [](JobState &view) { view.attempt = 0; }};
    for (const auto &change : calm) {
        JobState view = startedAgain();
        change(view);
        for (const Alarm &alarm : findAlarms(states::picture(view)))
            EXPECT_NE(alarm.code, AlarmCode::beganAnew) << alarm.text();
    }
    const JobState view = startedAgain();
    Picture own = states::picture(view);
    own.resume = ResumePicture{.launched = true};
    for (const Alarm &alarm : findAlarms(own)) EXPECT_NE(alarm.code, AlarmCode::beganAnew);
}

// ---- room for the next save, and a stop of another console

TEST(NextSave, WarnsOfAFullDiskWhileARankTrains)
{
    JobState view = healthy(2);
    Picture picture = states::picture(view);
    picture.fullDisk = "the exit saves about 3 GB on node n0, and 0 B is free there";
    EXPECT_EQ(only(picture).code, AlarmCode::diskFull);
    EXPECT_EQ(only(picture).severity, Severity::warn);
    EXPECT_THAT(only(picture).text(), HasSubstr("0 B is free there"));
}

TEST(LeftArmed, IgnoresTheRequestOfAStopFromAnotherConsole)
{
    JobState view = healthy(2);
    view.flags.push_back({.node = "n0", .path = "/job/g.json", .value = 1, .armed = true});
    Picture picture = states::picture(view);
    EXPECT_EQ(only(picture).code, AlarmCode::leftArmed);
    picture.stoppedElsewhere = true;
    EXPECT_TRUE(findAlarms(picture).empty());
}

}  // namespace
}  // namespace rankdeck::began_anew_test
