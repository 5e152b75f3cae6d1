// SPDX-License-Identifier: GPL-3.0-or-later
// Hangs, the ranks that cause them, and silences that are not hangs.
#include "tests/core/alarm/only_alarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::stalled_test {
namespace {

using states::end;
using states::healthy;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

// A data loader without data, or a sys.exit in one branch: the other ranks wait in the next collective.
TEST(Alarms, NamesTheExitedRankThatTheHaltedRanksWaitFor)
{
    JobState view = healthy(4, 601);
    end(view, 3, {}, 0);
    for (RankState &rank : view.ranks) {
        rank.progress.usualSilence = 0.3;
        rank.progress.stepSeconds = 0.25;
        rank.progress.heard = states::now() - seconds(20);
    }
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::stalled);
    EXPECT_EQ(alarm.text(),
              "No step for 20 s (usual 0.25 s). Rank 3 has exited; the remaining ranks may be waiting for it.");
    Picture stopping = states::picture(view);
    stopping.stop = StopPicture{.running = true};
    for (const Alarm &one : findAlarms(stopping)) EXPECT_THAT(one.text(), Not(HasSubstr("may be waiting for it")));
}

TEST(Alarms, DoesNotBlameARankThatEndedLongBeforeTheHalt)
{
    JobState view = healthy(4, 601);
    end(view, 3, {}, -9);
    view.ranks[3].goneSince = states::now() - seconds(600);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(20);
    view.ranks[2].progress.position = 600;
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_THAT(all[1].text(), HasSubstr("Rank 2 is at step 600, the others at 601: it hangs."));
    EXPECT_THAT(all[1].text(), Not(HasSubstr("which died")));
}

// A console that starts during a hang has seen no silences, so it allows minutes. A rank that is stopped by a signal
// gets no such tolerance.
TEST(Alarms, ReportsARankStoppedBySignalWithoutTheUsualTolerance)
{
    JobState view = healthy(4, 601);
    for (RankState &rank : view.ranks) {
        rank.progress.usualSilence = 120;
        rank.progress.heard = states::now() - seconds(61);
        rank.process = ProcessInfo();
        rank.process->state = rank.rank == 2 ? 'T' : 'S';
    }
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("Rank 2 is stopped by a signal (state T): it hangs."));
    view.ranks[2].process->state = 'S';
    EXPECT_TRUE(codes(states::picture(view)).empty());
}

// A console that starts late has seen no pause of this run, but lines and sets show the step time.
TEST(Alarms, LateConsoleDetectsAHangFromTheStepTime)
{
    JobState view = healthy(4, 611);
    for (RankState &rank : view.ranks) {
        rank.progress.usualSilence = 120;
        rank.progress.silenceHeard = false;
        rank.progress.stepSeconds = 0.25;
        rank.progress.heard = states::now() - seconds(5);
        rank.firstSamples = {{1, 3, 0}, {2, 3, 10}, {3, 3, 20}};
    }
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "a short save";
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(8);
    const Alarm nobody = only(states::picture(view));
    EXPECT_EQ(nobody.code, AlarmCode::stalled);
    EXPECT_EQ(nobody.severity, Severity::warn) << "it may evaluate";
    EXPECT_THAT(nobody.text(), HasSubstr("No step for 8.0 s (usual 0.25 s)."));
    view.ranks[2].progress.position = 610;
    const Alarm one = only(states::picture(view));
    EXPECT_EQ(one.severity, Severity::alarm);
    EXPECT_THAT(one.text(), HasSubstr("Rank 2 is at step 610, the others at 611: it hangs."));
    for (RankState &rank : view.ranks) rank.progress.stepSeconds = 10;
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "less than one step";
}

// After the others have given up waiting for the rank, it does not help to let it continue.
TEST(Alarms, OffersSigcontOnlyWhileNoRankDiedOfTheStoppedRank)
{
    JobState view = healthy(4, 601);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(20);
    view.ranks[2].process->state = 'T';
    EXPECT_THAT(only(states::picture(view)).fix, HasSubstr("SIGCONT"));
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("SIGCONT lets it continue, and nothing is lost."));
    for (const int rank : {0, 1, 3}) end(view, rank, "Ring ReduceScatter wait receiving [0,114] failed");
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[1].fix, "End it, then resume: continuing it does not bring back a dead rank.");
    EXPECT_THAT(all[1].text(), Not(HasSubstr("SIGCONT")));
}

// One rank had not yet logged the step in which the others wait for the rank that ended.
TEST(Alarms, DoesNotSuspectARankOneStepBehindADeadRank)
{
    for (const std::optional<int> code : {std::optional<int>(-9), std::optional<int>(0)}) {
        JobState view = healthy(4, 601);
        end(view, 3, {}, code);
        for (RankState &rank : view.ranks) {
            rank.progress.usualSilence = 0.3;
            rank.progress.heard = states::now() - seconds(20);
        }
        view.ranks[2].progress.position = 600;
        for (const Alarm &alarm : findAlarms(states::picture(view)))
            EXPECT_THAT(alarm.text(), Not(HasSubstr("it hangs"))) << *code;
    }
}

TEST(Alarms, RankAtItsLastStepDoesNotHang)
{
    JobState view = healthy(2, 500);
    for (RankState &rank : view.ranks) {
        rank.progress.usualSilence = 0.3;
        rank.progress.total = 500;
        rank.progress.heard = states::now() - seconds(40);
    }
    EXPECT_TRUE(codes(states::picture(view)).empty());
    view.ranks[1].progress.position = 499;
    EXPECT_EQ(only(states::picture(view)).code, AlarmCode::stalled);
}

TEST(Alarms, RemainingRanksDoNotWaitForTimedOutRanks)
{
    const auto text = [](const std::string &error) {
        JobState view = healthy(8);
        for (RankState &rank : view.ranks) {
            rank.progress.usualSilence = 0.3;
            rank.progress.heard = states::now() - seconds(31);
        }
        for (int rank : {0, 1, 3}) end(view, rank, "RuntimeError: Ring ReduceScatter wait receiving [4,85] failed");
        end(view, 0, error);
        std::string all;
        for (const Alarm &alarm : findAlarms(states::picture(view))) all += alarm.text() + "\n";
        return all;
    };
    EXPECT_THAT(text("RuntimeError: Ring ReduceScatter wait receiving [4,85] failed"), Not(HasSubstr("waits for")));
    EXPECT_THAT(text("MemoryError"), HasSubstr("Surviving ranks are waiting for ranks 0, 1, 3, which died."));
}

TEST(Alarms, DetectsAHangAfterSeveralUsualSilencesAndNamesTheSuspect)
{
    JobState view = healthy(8);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - std::chrono::milliseconds(1900);
    EXPECT_TRUE(codes(states::picture(view)).empty());
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(3);
    view.ranks[6].progress.position = 606;
    Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::stalled);
    EXPECT_EQ(alarm.ranks.front(), 6);
    EXPECT_THAT(alarm.text(),
                HasSubstr("No step for 3.0 s (usual 0.25 s). Rank 6 is at step 606, the others at 607: it hangs."));
    view.ranks[2].process->state = 'T';
    alarm = only(states::picture(view));
    EXPECT_EQ(alarm.ranks.front(), 2) << "a stopped process says more than a step";
}

TEST(Alarms, ReportsNoHangWithoutASuspect)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(12);
    Picture picture = states::picture(view);
    EXPECT_EQ(only(picture).text(), "No step for 12 s (usual 0.25 s). No rank stands out yet.")
        << "nobody has looked at what they do";
    HangScan look{.at = states::now() - seconds(10), .attempt = view.attempt};
    picture.hangScan = &look;
    EXPECT_EQ(only(picture).text(), "No step for 12 s (usual 0.25 s). All ranks are waiting; none stands out.");
    EXPECT_THAT(only(picture).fix, HasSubstr("an evaluation"));
    look.someCompute = true;
    EXPECT_EQ(only(picture).text(), "No step for 12 s (usual 0.25 s). Some ranks are computing; none stands out. They "
                                    "may be evaluating, or their logs are no longer written.");
}

TEST(Alarms, RankThatDiffersFromAllOthersIsASuspect)
{
    JobState view = healthy(8);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(12);
    HangScan look{.at = states::now() - seconds(10),
                  .attempt = view.attempt,
                  .few = {6},
                  .where = "hrtimer_nanosleep",
                  .othersWhere = "poll_schedule_timeout"};
    Picture picture = states::picture(view);
    picture.hangScan = &look;
    const std::string before = "No step for 12 s (usual 0.25 s). ";
    EXPECT_EQ(only(picture).text(),
              before + "Rank 6 is waiting in hrtimer_nanosleep, the others in poll_schedule_timeout: it may hang.");
    EXPECT_EQ(only(picture).ranks.front(), 6);
    look.where.clear();
    EXPECT_EQ(
        only(picture).text(),
        before + "Rank 6 is computing, the others are waiting in poll_schedule_timeout: it may hang or be evaluating.");
    EXPECT_THAT(only(picture).fix, HasSubstr("an evaluation"));
    look.where = "futex\x1b[2J<b>";
    look.othersWhere.clear();
    EXPECT_THAT(only(picture).text(),
                AllOf(HasSubstr("the others are computing: it may hang."), Not(HasSubstr("\x1b"))));
    look.few = {5, 6};
    EXPECT_THAT(only(picture).text(), HasSubstr("Ranks 5, 6 are waiting in futex"));
    look.at = states::now() - seconds(13);
    EXPECT_THAT(only(picture).text(), HasSubstr("No rank stands out yet.")) << "it was made before they fell silent";
    look.at = states::now() - seconds(10);
    look.attempt = view.attempt + 1;
    EXPECT_THAT(only(picture).text(), HasSubstr("No rank stands out yet.")) << "of another attempt";
    look.attempt = view.attempt;
    view.ranks[2].progress.position = 606;
    Picture behind = states::picture(view);
    behind.hangScan = &look;
    EXPECT_THAT(only(behind).text(), HasSubstr("Rank 2 is at step 606, the others at 607: it hangs."))
        << "its own lines say more";
}

TEST(Alarms, RankThatTheOthersTimedOutOnIsReportedAsHanging)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(60);
    for (const int rank : {0, 1, 3}) end(view, rank, "RuntimeError: Ring ReduceScatter wait receiving [4,85] failed");
    for (const int rank : {0, 1, 3})
        view.ranks[rank].goneSince = view.ranks[rank].error->time = states::now() - seconds(30);
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_THAT(all[0].text(), HasSubstr("They gave up waiting for rank 2, which is still running and hangs."));
    EXPECT_THAT(all[1].text(), HasSubstr("Rank 2 is still running, and the others gave up waiting for it: it hangs."));
    EXPECT_THAT(all[1].fix, Not(HasSubstr("evaluation")));
}

TEST(Alarms, SlowJobIsNotReportedAsHanging)
{
    JobState view = healthy(4);
    const auto silence = [&](double usual, int quiet) {
        for (RankState &rank : view.ranks) {
            rank.progress.usualSilence = usual;
            rank.progress.heard = states::now() - seconds(quiet);
        }
        return states::picture(view);
    };
    EXPECT_TRUE(codes(silence(1200, 5000)).empty()) << "a step that honestly takes 20 minutes";
    EXPECT_FALSE(codes(silence(1200, 6100)).empty());
    Picture compiling = silence(0.4, 300);
    for (RankState &rank : view.ranks) rank.progress.usualSilence.reset();
    EXPECT_TRUE(codes(compiling).empty()) << "before the first steps nothing is usual";
    silence(1, 8);
    for (RankState &rank : view.ranks) rank.progress.position = 600;
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "an evaluation follows an epoch";
    silence(1, 8);
    for (RankState &rank : view.ranks) rank.progress.position = 601;
    view.ranks[1].progress.heard = states::now();
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "somebody makes steps";
}

TEST(Alarms, SilenceCountsFromTheStartOfANewProcess)
{
    JobState view = healthy(4);
    view.nodes[1].facts.clockSkewSeconds = 3600;
    for (RankState &rank : view.ranks) {
        rank.progress.heard = states::now() - std::chrono::seconds(8);
        rank.process->started = states::now() - std::chrono::seconds(rank.node == "n1" ? -3599 : 1);
    }
    EXPECT_TRUE(codes(states::picture(view)).empty());
    for (RankState &rank : view.ranks) rank.process->started -= std::chrono::seconds(10);
    EXPECT_EQ(only(states::picture(view)).code, AlarmCode::stalled);
}

TEST(Alarms, SilentConnectionIsNotAHang)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(9);
    for (NodeStatus &node : view.nodes) node.lastContact = states::now() - seconds(9);
    EXPECT_TRUE(codes(states::picture(view)).empty());
}

TEST(Alarms, SilentNodeDoesNotHideAHangOfOtherRanks)
{
    JobState view = healthy(8);
    view.nodes[1].state = NodeState::stale;
    view.nodes[1].lastContact = states::now() - seconds(20);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(rank.rank < 4 ? 12 : 20);
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.front().code, AlarmCode::stalled);
    EXPECT_EQ(all.front().text(),
              "No step for 12 s (usual 0.25 s). Status of 4 ranks unknown (n1: no contact for 20 s).");
    EXPECT_THAT(all.front().fix, HasSubstr("silent nodes first"));
    EXPECT_EQ(all.front().ranks, (std::vector<int>{0, 1, 2, 3})) << "of the others nobody knows";
}

TEST(Alarms, RemainingRanksWaitForTheDeadRank)
{
    JobState view = healthy(8);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(12);
    end(view, 5, {}, -9);
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].code, AlarmCode::rankDied);
    EXPECT_EQ(all[1].text(), "No step for 12 s (usual 0.25 s). Surviving ranks are waiting for rank 5, which died.");
}

TEST(Alarms, NamesProcessesStoppedBySignalOrDiskWait)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) {
        rank.progress.heard = states::now() - seconds(rank.rank == 0 ? 6 : 6000);
        if (rank.rank != 0) rank.progress.usualSilence.reset();
    }
    EXPECT_THAT(only(states::picture(view)).text(), Not(HasSubstr("none stands out"))) << "of one that logs";
    view.ranks[3].process->state = 'T';
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("Rank 3 is stopped by a signal (state T): it hangs."));
    view.checkpoints.sets = {states::validSet(600, 4, Verdict::inProgress)};
    EXPECT_EQ(only(states::picture(view)).ranks.front(), 3) << "who is stopped saves nothing";
    for (RankState &rank : view.ranks) rank.process->state = 'D';
    view.checkpoints.sets.clear();
    EXPECT_THAT(only(states::picture(view)).text(),
                HasSubstr("All 4 ranks are waiting for their disk or file server (state D): they hang."));
}

// The disk with the logs is full. Sets that are still saved show that no rank hangs, until the saves stop, too.
TEST(Alarms, ReportsNoHangWhileSetsAreStillSaved)
{
    JobState view = healthy(4, 165);
    view.ranks[1].progress.position = 164;  // the last line that fitted on the disk
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(20);
    const Alarm hang = only(states::picture(view));
    EXPECT_THAT(hang.text(), HasSubstr("it hangs"));
    CheckpointSet newest = states::validSet(240, 4), before = states::validSet(220, 4);
    newest.time = states::now() - seconds(3);
    before.time = states::now() - seconds(8);
    view.checkpoints.sets = {newest, before};
    view.checkpoints.recommended = newest.id;
    view.checkpoints.settled = true;
    const Alarm silent = only(states::picture(view));
    EXPECT_EQ(silent.code, AlarmCode::logsSilent);
    EXPECT_EQ(silent.severity, Severity::warn);
    EXPECT_FALSE(sameAlarm(hang, silent)) << "who follows the alarms hears that the hang is over";
    EXPECT_THAT(silent.text(), Not(HasSubstr("hang")));
    EXPECT_THAT(silent.fix, HasSubstr("disk with the logs"));
    EXPECT_EQ(silent.acts, std::vector{AlarmAct::showFailure}) << "nothing is to be ended";
    Picture stopping = states::picture(view);
    stopping.stop = StopPicture{.running = true};
    for (const Alarm &one : findAlarms(stopping)) EXPECT_NE(one.code, AlarmCode::stopStuck);

    view.checkpoints.sets.front().time = states::now() - seconds(14);
    view.checkpoints.sets.back().time = states::now() - seconds(19);
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("hang")) << "the third save is overdue";
    view.checkpoints.sets = {states::validSet(165, 4)};
    view.checkpoints.sets.front().time = states::now() - seconds(1);
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("hang"))
        << "the save of the last line's step proves nothing";
}

TEST(Alarms, OffersSigcontForRanksStoppedBySignal)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) {
        rank.progress.heard = states::now() - seconds(20);
        rank.process->state = 'T';
    }
    EXPECT_THAT(only(states::picture(view)).fix, HasSubstr("SIGCONT"));
}

}  // namespace
}  // namespace rankdeck::stalled_test
