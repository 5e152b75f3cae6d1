// SPDX-License-Identifier: GPL-3.0-or-later
// Alarms about unknown facts: unknown never counts as no, and no fact is reported twice.
#include "tests/core/alarm/only_alarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace rankdeck::alarm_unknown_test {
namespace {

using states::end;
using states::healthy;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

TEST(AlarmsUnknown, ReportsASignalOnceWithItsLikelySender)
{
    const struct {
        int code;
        const char *said;
    } ends[] = {
        {-9, "Rank 1 died at step 607. Reason: signal 9 (SIGKILL), sent by a person, by a scheduler, or for lack of "
             "memory. "},
        {137, "Rank 1 died at step 607. Reason: exit code 137 (SIGKILL), sent by a person, by a scheduler, or for lack "
              "of memory. "},
        {-15, "Rank 1 died at step 607. Reason: signal 15 (SIGTERM), it was asked to end. "},
        {-11, "Rank 1 died at step 607. Reason: signal 11 (SIGSEGV), the program crashed. "},
        {1, "Rank 1 died at step 607. Reason: exit code 1. "},
    };
    for (const auto &[code, said] : ends) {
        JobState view = healthy(2);
        end(view, 1, {}, code);
        EXPECT_EQ(only(states::picture(view)).text(), std::string(said) + "1 other rank is still running.");
    }
}

TEST(AlarmsUnknown, CountsNaNRanksAmongTheRanksThatLogALoss)
{
    JobState view = healthy(8);
    const auto onlyRank0 = [&] {
        for (RankState &rank : view.ranks)
            if (rank.rank != 0) rank.progress = {.rank = rank.rank};
    };
    view.ranks[0].progress.loss = nan;
    view.ranks[0].firstNonFiniteStep = 606;
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("Loss has been NaN on 1 of 8 ranks since step 606"));
    onlyRank0();
    const Alarm alone = only(states::picture(view));
    EXPECT_THAT(alone.text(), HasSubstr("Loss has been NaN on rank 0, the only rank that logs it, since step 606"));
    EXPECT_THAT(alone.text(), Not(HasSubstr("first")));
    EXPECT_EQ(alone.unheard.size(), 7u);
    JobState one = healthy(1);
    one.ranks[0].progress.loss = nan;
    EXPECT_THAT(only(states::picture(one)).text(), HasSubstr("Loss has been NaN since step 607"));
}

// A console that starts after all ranks were killed finds idle logs and no process.
TEST(AlarmsUnknown, ReportsIdleLogsWithoutProcessesEvenIfNoDeathWasSeen)
{
    JobState view = healthy(4, 650);
    for (RankState &rank : view.ranks) {
        rank.alive.reset();
        rank.process.reset();
        rank.seenAlive = false;
        rank.progress.heard = states::now() - seconds(70);
    }
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::stalled);
    EXPECT_EQ(alarm.severity, Severity::warn);
    EXPECT_EQ(alarm.text(),
              "No step for 1 min 10 s (usual 0.25 s). No rank process found; cannot tell whether the job is running.");
    const auto told = [&](auto change) {
        JobState other = view;
        change(other);
        return !findAlarms(states::picture(other)).empty();
    };
    EXPECT_FALSE(told([](JobState &other) { other.ranks[2].progress.heard = states::now() - seconds(50); }));
    EXPECT_FALSE(told([](JobState &other) {
        for (RankState &rank : other.ranks) rank.progress.position = 700;
    })) << "it may have ended there";
    EXPECT_FALSE(told([](JobState &other) { other.ranks[1].gracefulExitSeen = true; }));
    EXPECT_FALSE(told([](JobState &other) {
        for (RankState &rank : other.ranks) rank.progress.usualSilence = 50;
    })) << "its steps are slow";
    EXPECT_FALSE(told([](JobState &other) {
        for (RankState &rank : other.ranks) rank.progress.usualSilence.reset();
    }));
    for (RankState &rank : view.ranks) {
        rank.progress.usualSilence.reset();
        rank.progress.stepSeconds.reset();
        rank.progress.heard = states::now() - seconds(660);
    }
    EXPECT_EQ(only(states::picture(view)).text(),
              "No step for 11 min. No rank process found; cannot tell whether the job is running.")
        << "nothing tells how long a step takes";
    view.ranks[2].progress.heard = states::now() - seconds(500);
    EXPECT_TRUE(findAlarms(states::picture(view)).empty());
}

// With dataset sink each line ends an epoch: the position of the last line does not show whether the run was finished.
TEST(AlarmsUnknown, ReportsIdleLogsOfJobsThatLogOncePerEpoch)
{
    JobState view = healthy(4, 600);
    for (RankState &rank : view.ranks) {
        rank.alive.reset();
        rank.process.reset();
        rank.seenAlive = false;
        rank.deserted = true;
        rank.progress.usualSilence.reset();
        rank.progress.silenceHeard = false;
        rank.progress.heard = states::now() - seconds(70);
        rank.firstSamples = {{.step = 100}, {.step = 200}, {.step = 300}};
    }
    view.checkpoints.sets = {states::validSet(500, 4)};
    view.checkpoints.recommended = "0:500";
    view.checkpoints.settled = true;
    EXPECT_EQ(only(states::picture(view)).which, AlarmCase::isDeserted) << "the end of a training is saved";
    EXPECT_EQ(only(states::picture(view)).fix, "Resume from 500.");
    view.checkpoints.sets = {states::validSet(600, 4)};
    EXPECT_EQ(only(states::picture(view)).which, AlarmCase::isUnseen) << "it may have ended there";
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("No step for 1 min 10 s (usual 25 s)."));
    EXPECT_EQ(only(states::picture(view)).acts, std::vector<AlarmAct>{AlarmAct::showFailure}) << "nobody to be stopped";
    view.stepsPerEpoch = 200;  // an epoch takes 50 s, and lines come more often
    EXPECT_TRUE(findAlarms(states::picture(view)).empty());
    view.stepsPerEpoch = 100;
    for (RankState &rank : view.ranks) rank.progress.stepSeconds = 1;
    EXPECT_TRUE(findAlarms(states::picture(view)).empty()) << "two epochs are not over";
}

// All ranks were killed before the console started, on nodes with complete process lists. So the result is certain, and
// does not depend on step times.
TEST(AlarmsUnknown, ReportsAnUnfinishedRunWithoutAnyProcessAsCritical)
{
    JobState view = healthy(4, 650);
    for (RankState &rank : view.ranks) {
        rank.alive.reset();
        rank.process.reset();
        rank.seenAlive = false;
        rank.deserted = true;
        rank.progress.usualSilence.reset();
        rank.progress.stepSeconds.reset();
        rank.progress.heard = states::now() - seconds(70);
    }
    view.checkpoints.sets = {states::validSet(640, 4)};
    view.checkpoints.recommended = "0:640";
    view.checkpoints.settled = true;
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.severity, Severity::alarm);
    EXPECT_EQ(alarm.which, AlarmCase::isDeserted);
    EXPECT_EQ(alarm.text(),
              "No step for 1 min 10 s. No rank is running: no process of the job is left on its nodes, and "
              "no log ends with an exit line.");
    EXPECT_EQ(alarm.fix, "Resume from 640.");
    const auto severity = [&](auto change) {
        JobState other = view;
        change(other);
        return only(states::picture(other)).severity;
    };
    EXPECT_EQ(severity([](JobState &other) { other.stepsPerEpoch = 0; }), Severity::warn) << "it may have ended there";
    EXPECT_EQ(severity([](JobState &other) { other.checkpoints.sets = {states::validSet(650, 4)}; }), Severity::warn)
        << "it has saved where it stands";
    EXPECT_EQ(severity([](JobState &other) {
                  other.ranks[2].deserted = false;  // a process may be there
                  for (RankState &rank : other.ranks) rank.progress.heard = states::now() - seconds(660);
              }),
              Severity::warn);
    for (RankState &rank : view.ranks) {
        rank.progress.usualSilence = 0.4;  // measured: then half a minute is enough
        rank.progress.heard = states::now() - seconds(31);
    }
    EXPECT_EQ(only(states::picture(view)).severity, Severity::alarm);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(29);
    EXPECT_TRUE(findAlarms(states::picture(view)).empty());
}

// Neither the log nor an earlier console shows the duration of a step: the sets do.
TEST(AlarmsUnknown, TimesOfSetsShowHowLongLogsMayBeIdle)
{
    JobState view = healthy(4, 650);
    for (RankState &rank : view.ranks) {
        rank.alive.reset();
        rank.process.reset();
        rank.seenAlive = false;
        rank.progress.heard = states::now() - seconds(110);
        rank.progress.usualSilence.reset();
        rank.progress.stepSeconds.reset();
        rank.firstSamples = {{.step = 600}, {.step = 610}, {.step = 620}};
    }
    EXPECT_TRUE(findAlarms(states::picture(view)).empty()) << "nothing tells it";
    view.checkpoints.sets = {states::validSet(640, 4), states::validSet(600, 4)};
    view.checkpoints.recommended = "0:640";
    view.checkpoints.settled = true;
    view.checkpoints.sets[0].time = states::now() - seconds(113);
    view.checkpoints.sets[1].time = states::now() - seconds(123);
    EXPECT_THAT(only(states::picture(view)).text(),
                HasSubstr("No step for 1 min 50 s (usual 0.25 s). No rank process found"));
    view.checkpoints.sets[1].time = states::now() - seconds(133);
    EXPECT_TRUE(findAlarms(states::picture(view)).empty()) << "40 lines take 200 s";
}

// Without this, each reconnect would end the alarm and begin a new one.
TEST(AlarmsUnknown, NodeRemainsLostDuringAReconnect)
{
    JobState view = healthy(8);
    NodeStatus &node = view.nodes.at(1);
    node.state = NodeState::lost;
    node.reason =
        "n1 ended the connection before the login. A busy sshd does that (MaxStartups); Rankdeck tries again.";
    node.lastContact = states::now() - seconds(40);
    const Alarm lost = only(states::picture(view));
    EXPECT_EQ(lost.fix, "The state of its ranks is unknown until then.") << "the reason has said the rest";
    EXPECT_EQ(lost.since, node.lastContact);
    for (const NodeState state : {NodeState::connecting, NodeState::queued}) {
        node.state = state;
        const Alarm again = only(states::picture(view));
        EXPECT_TRUE(sameAlarm(lost, again));
        EXPECT_THAT(again.text(), HasSubstr("Node n1 is lost, trying again. Last contact 40 s ago."));
        EXPECT_EQ(again.since, node.lastContact);
    }
    node.reason.clear();
    EXPECT_TRUE(findAlarms(states::picture(view)).empty()) << "the first try is no loss";
}

// The save of a large model takes minutes. The force stops that a hang alarm offers would kill it.
TEST(AlarmsUnknown, SavingRankIsNotReportedAsHanging)
{
    JobState view = healthy(4);
    const auto quietFor = [&](int quiet) {
        for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(quiet);
        Picture picture = states::picture(view);
        picture.stop = StopPicture{.running = true, .started = states::now() - seconds(60), .ranks = 4};
        return findAlarms(picture);
    };
    EXPECT_FALSE(quietFor(100).empty());
    for (RankState &rank : view.ranks) rank.gracefulExitSeen = true;
    EXPECT_TRUE(quietFor(100).empty()) << "they have confirmed";
    view.ranks[2].gracefulExitSeen = false;
    ASSERT_FALSE(quietFor(100).empty());
    EXPECT_EQ(quietFor(100).front().ranks, std::vector<int>{2}) << "who has not";
    view = healthy(4);
    CheckpointSet set = states::validSet(600, 4, Verdict::inProgress);
    set.attempt = view.attempt;
    view.checkpoints.sets = {set};
    EXPECT_TRUE(quietFor(50).empty());
    EXPECT_FALSE(quietFor(100).empty()) << "nobody is seen to write";
    set.reasons = {{.code = "still_growing", .rank = 1, .text = "rank 1: the file grows"}};
    view.checkpoints.sets = {set};
    EXPECT_TRUE(quietFor(100).empty());
    EXPECT_FALSE(quietFor(700).empty());
}

TEST(AlarmsUnknown, StopThatTimedOutIsNoLongerArmed)
{
    JobState view = healthy(8);
    Picture picture = states::picture(view);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(700), .ranks = 8, .confirmed = 3};
    EXPECT_THAT(only(picture).text(), HasSubstr("Armed for 11 min 40 s, 3 of 8 ranks have confirmed"));
    picture.stop->running = false;
    picture.stop->timedOut = true;
    const Alarm over = only(picture);
    EXPECT_EQ(over.text(),
              "Not stopped: 3 of 8 ranks have confirmed. The stop ended without proof, and ranks are still running.");
    EXPECT_EQ(over.seconds, 0) << "what is over does not grow";
    EXPECT_EQ(over.which, AlarmCase::endedUnproven);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(700), .ranks = 8};
    EXPECT_EQ(only(picture).which, AlarmCase::armed);
}

TEST(AlarmsUnknown, LeftoverFlagAnnouncesAStopOnlyIfTheRunContinues)
{
    JobState view = healthy(4);
    view.flags = {{.node = "n0", .path = "/f", .value = 1, .armed = true, .since = states::now() - seconds(60)}};
    const auto said = [&] { return findAlarms(states::picture(view)).back().text(); };
    const auto which = [&] { return findAlarms(states::picture(view)).back().which; };
    EXPECT_EQ(which(), AlarmCase::willCheck);
    EXPECT_THAT(said(), HasSubstr("The run stops at its next check."));
    for (RankState &rank : view.ranks) rank.progress.heard -= seconds(30);
    EXPECT_THAT(said(), HasSubstr("if it reaches one.")) << "it hangs";
    EXPECT_EQ(which(), AlarmCase::mayCheck);
    view = healthy(4);
    view.flags = {{.node = "n0", .path = "/f", .value = 1, .armed = true}};
    view.ranks[3].alive = Known::unknown;
    EXPECT_THAT(said(), HasSubstr("if it reaches one.")) << "a rank is not known";
    end(view, 2, "RuntimeError: boom");
    view.ranks[3].alive = true;
    EXPECT_THAT(said(), HasSubstr("if it reaches one.")) << "a rank died";
    for (int rank : {0, 1, 3}) end(view, rank, "RuntimeError: boom");
    EXPECT_THAT(said(), HasSubstr("A new run would stop after its first step."));
}

TEST(AlarmsUnknown, ReportsNoValidSetAsCertainOnlyIfAllSetsAreKnown)
{
    JobState view = healthy(2);
    view.checkpoints.settled = true;
    end(view, 1, "OSError: broken");
    EXPECT_EQ(only(states::picture(view)).fix, "No set is VALID: check the sets.");
    view.lostWork.atMost = true;
    EXPECT_EQ(only(states::picture(view)).fix, "No set is known to be VALID: check the sets.");
}

}  // namespace
}  // namespace rankdeck::alarm_unknown_test
