// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/act_state.h"

#include "tests/ui/scenes.h"
#include "ui/state/notice.h"
#include "ui/state/run_state.h"
#include "ui/state/stop_progress.h"

#include <gtest/gtest.h>

namespace rankdeck::ui::act_state_test {
namespace {

using std::chrono::seconds;

TEST(StopState, PassedPreflightAllowsAStopWithOneClick)
{
    const StopState state = stopState(scenes::healthy(), scenes::now());
    EXPECT_EQ(state.phase, StopPhase::ready);
    EXPECT_TRUE(state.enabled);
    EXPECT_TRUE(state.startsAtOnce);
    EXPECT_EQ(state.note, QStringLiteral("loses 0 steps"));
}

TEST(StopState, WarningRequiresASecondClick)
{
    Snapshot s = scenes::healthy();
    s.exitPreflight.preflight.push_back(scenes::finding(Finding::Result::warn, "disk_full", "Disk is short."));
    const StopState state = stopState(s, scenes::now());
    EXPECT_EQ(state.phase, StopPhase::warns);
    EXPECT_TRUE(state.enabled);
    EXPECT_FALSE(state.startsAtOnce);
    EXPECT_TRUE(state.opensPane);
    EXPECT_EQ(state.reason, QStringLiteral("Disk is short."));
}

TEST(StopState, RefusalDisablesTheStopWithItsReason)
{
    const StopState state = stopState(scenes::died(), scenes::now());
    EXPECT_EQ(state.phase, StopPhase::refused);
    EXPECT_FALSE(state.enabled);
    EXPECT_EQ(state.note, QStringLiteral("refused: rank 5 is dead"));
    EXPECT_TRUE(state.reason.contains(QLatin1String("Resume instead.")));
}

TEST(StopState, OldPreflightIsNotTrusted)
{
    const StopState state = stopState(scenes::healthy(), scenes::now() + seconds(90));
    EXPECT_EQ(state.phase, StopPhase::warns);
    EXPECT_FALSE(state.startsAtOnce);
}

TEST(StopState, UncheckedRunCannotBeStopped)
{
    Snapshot s = scenes::healthy();
    s.exitPreflightAt.reset();
    const StopState state = stopState(s, scenes::now());
    EXPECT_EQ(state.phase, StopPhase::checking);
    EXPECT_FALSE(state.enabled);
}

TEST(StopState, StopCanBeCancelledUntilARankReadTheRequest)
{
    const StopState armed = stopState(scenes::stopping(0, 0), scenes::now());
    EXPECT_EQ(armed.phase, StopPhase::cancellable);
    EXPECT_TRUE(armed.cancels);
    EXPECT_TRUE(armed.enabled);
    const StopState late = stopState(scenes::stopping(5, 2), scenes::now());
    EXPECT_EQ(late.phase, StopPhase::tooLate);
    EXPECT_FALSE(late.enabled);
    EXPECT_TRUE(late.note.startsWith(QLatin1String("too late: a rank confirmed at")));
}

TEST(StopState, FlagLeftBySomebodyElseCanBeCleared)
{
    Snapshot s = scenes::healthy();
    s.view.flags[1].armed = true;
    const StopState state = stopState(s, scenes::now());
    EXPECT_TRUE(state.cancels);
    EXPECT_TRUE(state.reason.contains(QLatin1String("ascend-02")));
}

TEST(StopState, NothingRunsAfterAStop)
{
    const StopState state = stopState(scenes::stopped(), scenes::now());
    EXPECT_FALSE(state.enabled);
    EXPECT_EQ(state.note, QStringLiteral("nothing is running"));
    EXPECT_EQ(stopTitle(scenes::stopped(), scenes::now()), QStringLiteral("Stopped, nothing lost"));
}

// The state of the other ranks is unknown, so the job may still run.
TEST(StopState, DeadAndUnknownRanksDoNotMeanThatNothingRuns)
{
    Snapshot s = scenes::healthy();
    for (std::size_t rank = 0; rank < 8; ++rank) {
        RankState state = std::as_const(s.view.ranks)[rank];
        state.alive = rank == 0 ? Known(false) : Known::unknown;
        state.process.reset();
        s.view.ranks.set(rank, state);
    }
    EXPECT_EQ(stopState(s, scenes::now()).note, QStringLiteral("no rank is known to be running"));
}

// All ranks logged their exit line, but the disk was full: nothing was saved, no rank exited properly, and none runs.
TEST(StopStages, FailedExitSaveIsNotAnExit)
{
    Snapshot s = scenes::stopping(8, 0);
    for (std::size_t rank = 0; rank < 8; ++rank) {
        RankState state = std::as_const(s.view.ranks)[rank];
        state.alive = false;
        state.process.reset();
        state.gracefulExitSeen = true;
        state.error = RankError{scenes::now(), "OSError: [Errno 27] File too large", state.logPath, 10};
        s.view.ranks.set(rank, state);
        s.exit->ranks[rank].exited = true;
    }
    EXPECT_EQ(stopTitle(s, scenes::now()), QStringLiteral("Stop cannot finish: all 8 ranks died"));
    EXPECT_EQ(stopStages(s, scenes::now())[4].mark, Stage::Mark::refused);
    EXPECT_EQ(stopMessage(s, scenes::now()).bold,
              QStringLiteral("The ranks had confirmed, but died before they ended."));
    EXPECT_NE(lostWords(s, scenes::now()).note, QStringLiteral("0 once it is proven"));
    s.exit->outcome = ExitOutcome("timed_out");
    EXPECT_EQ(stopTitle(s, scenes::now()), QStringLiteral("Stop failed: 8 of 8 ranks died"));
    EXPECT_EQ(stopStages(s, scenes::now())[4].mark, Stage::Mark::refused);
    for (std::size_t rank = 0; rank < 8; ++rank) {
        RankState state = std::as_const(s.view.ranks)[rank];
        state.error.reset();
        s.view.ranks.set(rank, state);
    }
    EXPECT_EQ(stopTitle(s, scenes::now()), QStringLiteral("Stop not proven: 8 of 8 ranks confirmed"));
    RankState runs = std::as_const(s.view.ranks)[0];
    runs.alive = true;
    s.view.ranks.set(0, runs);
    EXPECT_EQ(stopTitle(s, scenes::now()), QStringLiteral("Not stopped: 8 of 8 ranks confirmed"));
}

TEST(LostWork, IsAnUpperBoundWhileANodeIsNotListed)
{
    Snapshot s = scenes::healthy();
    ASSERT_TRUE(s.view.lostWork.known);
    const QString sure = lostWords(s, scenes::now()).value;
    s.view.lostWork.atMost = true;
    s.view.checkpoints.unlistedNodes = {"ascend-02"};
    s.view.checkpoints.unlistedSince = scenes::now() - std::chrono::seconds(90);
    const LostWords words = lostWords(s, scenes::now());
    EXPECT_EQ(words.value, QStringLiteral("at most ") + sure);
    EXPECT_EQ(words.note, QStringLiteral("ascend-02 not listed since ") +
                              QString::fromStdString(clockTime(*s.view.checkpoints.unlistedSince)));
}

TEST(StopInTrouble, DeathIsShownInTitleRowsAndBoxAndOffersForceStops)
{
    Snapshot s = scenes::stopping(0, 0);
    const auto die = [&s](int rank) {
        RankState state = std::as_const(s.view.ranks)[std::size_t(rank)];
        state.alive = false;
        state.process.reset();
        state.seenAlive = true;
        state.gracefulExitSeen = false;
        state.goneSince = scenes::now();
        s.view.ranks.set(std::size_t(rank), state);
    };
    die(6);
    ASSERT_TRUE(stuckStop(s, scenes::now()));
    EXPECT_EQ(stopTitle(s, scenes::now()), QStringLiteral("Stop cannot finish: rank 6 died"));
    const std::vector<Stage> stages = stopStages(s, scenes::now());
    EXPECT_EQ(stages[2].mark, Stage::Mark::refused);
    EXPECT_EQ(stages[2].text, QStringLiteral("0 of 8 ranks logged the exit; rank 6 died"));
    EXPECT_EQ(stages[4].mark, Stage::Mark::refused) << "a death is no exit";
    EXPECT_EQ(stopMessage(s, scenes::now()).bold, QStringLiteral("Not all ranks can confirm: rank 6 died."));
    for (int rank = 0; rank < 8; ++rank) die(rank);
    EXPECT_EQ(stopMessage(s, scenes::now()).bold, QStringLiteral("No rank can confirm any more."));
    ProcessTarget target;
    s.exit->ladder = {{.name = "kill", .targets = {target}}};
    EXPECT_TRUE(stopRungs(s, scenes::now()).open);
}

QStringList namesOf(const std::vector<Stage> &stages)
{
    QStringList names;
    for (const Stage &stage : stages) names << stage.name;
    return names;
}

// A script of another framework: no line confirms the stop, no file contains a request, and the sent signals are shown.
TEST(StopByASignal, ShowsNoLogLineNoFlagAndNoCancel)
{
    Snapshot s = scenes::stopping(0, 0);
    s.view.flags = {};
    s.exit->way = StopMethod::signal;
    s.exit->cancellable = false;
    const StopState state = stopState(s, scenes::now());
    EXPECT_FALSE(state.cancels);
    EXPECT_EQ(state.note, QStringLiteral("a signal cannot be taken back"));
    EXPECT_EQ(namesOf(stopStages(s, scenes::now())), (QStringList{QStringLiteral("Preflight"), QStringLiteral("Armed"),
                                                                  QStringLiteral("Saved"), QStringLiteral("Exited")}));
    EXPECT_EQ(stopTitle(s, scenes::now()), QStringLiteral("Stopping: 0 of 8 ranks have left"));
    EXPECT_EQ(stopMessage(s, scenes::now()).bold, QStringLiteral("Cannot be taken back."));
    s.exit->ranks[3].exited = true;
    EXPECT_EQ(stopStages(s, scenes::now())[3].text, QStringLiteral("1 of 8 processes gone"));
    s.exit->outcome = "timed_out";
    EXPECT_EQ(stopTitle(s, scenes::now()), QStringLiteral("Not stopped: 1 of 8 ranks have left"));
    ASSERT_FALSE(mostUrgent(s, scenes::now())->fact.isEmpty());
    EXPECT_EQ(mostUrgent(s, scenes::now())->fact, QStringLiteral("Not stopped: 1 of 8 ranks have ended"));
}

TEST(StopByAFile, IsShownAsAFileAndCanBeCancelledUntilARankHasLeft)
{
    Snapshot s = scenes::stopping(0, 0);
    s.view.job.gracefulExit = {.stopFile = "/job/STOP"};
    s.exit->way = StopMethod::stopFile;
    EXPECT_TRUE(stopState(s, scenes::now()).cancels);
    EXPECT_EQ(stopState(s, scenes::now()).note, QStringLiteral("until a rank sees the stop file"));
    const std::vector<Stage> stages = stopStages(s, scenes::now());
    ASSERT_EQ(stages.size(), 5u);
    EXPECT_EQ(stages[1].text, QStringLiteral("the stop file exists on 2 of 2 nodes"));
    EXPECT_EQ(stages[4].name, QStringLiteral("Stop file"));
    EXPECT_EQ(stopMessage(s, scenes::now()).text, QStringLiteral("until a rank sees the stop file."));
    s.exit->cancellable = false;
    EXPECT_EQ(stopState(s, scenes::now()).note, QStringLiteral("too late, a rank has left"));
    s.exit.reset();
    EXPECT_EQ(mostUrgent(s, scenes::now())->fact,
              QStringLiteral("The stop file is still there on ascend-01, ascend-02"));
}

TEST(StopState, StopWithoutASaveIsNotShownAsLossless)
{
    Snapshot s = scenes::stopping(3, 0);
    Finding nothing;
    nothing.code = "saves_nothing";
    nothing.result = Finding::Result::warn;
    s.exit->preflight.push_back(nothing);
    EXPECT_EQ(stopStages(s, scenes::now())[3].text, QStringLiteral("the script saves nothing when it is stopped"));
    EXPECT_TRUE(lostWords(s, scenes::now()).caption.startsWith(QLatin1String("Lost when it stops")));
    s = scenes::stopped();
    s.exit->set.reset();
    EXPECT_EQ(stopTitle(s, scenes::now()), QStringLiteral("Stopped without a save"));
}

TEST(StopStages, ShowTheProgressOfTheStop)
{
    const std::vector<Stage> stages = stopStages(scenes::stopping(5, 2), scenes::now());
    ASSERT_EQ(stages.size(), 6u);
    EXPECT_EQ(stages[0].mark, Stage::Mark::done);
    EXPECT_EQ(stages[1].mark, Stage::Mark::done);
    EXPECT_EQ(stages[2].mark, Stage::Mark::busy);
    EXPECT_EQ(stages[2].text, QStringLiteral("5 of 8 ranks logged the exit"));
    EXPECT_EQ(stages[3].text, QStringLiteral("2 of 8 files proven, 3 seen"));
    EXPECT_EQ(stages[4].mark, Stage::Mark::open);
    EXPECT_EQ(stages[5].mark, Stage::Mark::open);
}

TEST(StopStages, FlagStageIsDoneOnlyWhenTheFlagIsZero)
{
    Snapshot s = scenes::stopped();
    EXPECT_EQ(stopStages(s, scenes::now())[5].mark, Stage::Mark::done);
    s.view.flags[0].armed = true;
    EXPECT_NE(stopStages(s, scenes::now())[5].mark, Stage::Mark::done);
}

// The list is made when the stop begins. Only those of its processes that still run are shown, counted and signalled.
TEST(EscalationOptions, EndedProcessIsRemovedFromAllLists)
{
    Snapshot s = scenes::stopping(0, 0);
    for (std::size_t rank = 0; rank < 8; ++rank) {
        RankState state = std::as_const(s.view.ranks)[rank];
        if (rank >= 4) state.alive = rank < 6 ? Known(false) : Known::unknown;
        s.view.ranks.set(rank, state);
    }
    const EscalationOptions rungs = stopRungs(s, scenes::now());
    EXPECT_EQ(rungs.processes, 6) << "of whom nothing is known may run";
    EXPECT_EQ(rungs.kill.size(), 7u) << "and the launcher";
    for (const ProcessTarget &target : rungs.term) EXPECT_TRUE(target.rank < 4 || target.rank > 5) << target.rank;
    EXPECT_EQ(targetLines(rungs.kill).filter(QStringLiteral("rank 4,")).size(), 0);
    EXPECT_EQ(targetLines(rungs.kill).filter(QStringLiteral("rank 7,")).size(), 1);
}

TEST(EscalationOptions, OpenAfterTwoMinutesOrWhenARankHangs)
{
    const Snapshot s = scenes::stopping(5, 2);
    EXPECT_FALSE(stopRungs(s, scenes::now()).open);
    EXPECT_TRUE(stopRungs(s, scenes::now() + seconds(40)).open);
    EXPECT_FALSE(stopRungs(scenes::stopping(0, 0), scenes::now() + seconds(100)).open);
    const EscalationOptions late = stopRungs(scenes::stopping(0, 0), scenes::now() + seconds(115));
    EXPECT_TRUE(late.open);
    EXPECT_EQ(late.processes, 8);
    EXPECT_EQ(late.term.size(), 8u);
    EXPECT_EQ(late.kill.size(), 9u);
    EXPECT_TRUE(late.price.contains(QLatin1String("112 steps")));
}

TEST(ResumeState, IsPrimaryOnlyAfterADeath)
{
    EXPECT_FALSE(resumeState(scenes::healthy()).primary);
    const ResumeState after = resumeState(scenes::died());
    EXPECT_TRUE(after.primary);
    EXPECT_TRUE(after.enabled);
    EXPECT_EQ(after.note, QStringLiteral("from 40,600, loses 437"));
}

TEST(ResumeState, NoValidSetIsReportedAndThePaneCanStillBeOpened)
{
    Snapshot s = scenes::died();
    for (CheckpointSet &set : s.view.checkpoints.sets) set.verdict = Verdict::incomplete;
    const ResumeState state = resumeState(s);
    EXPECT_EQ(state.note, QStringLiteral("no set is VALID"));
    EXPECT_FALSE(state.primary);
    EXPECT_TRUE(state.enabled);
    EXPECT_TRUE(state.set.isEmpty());
}

TEST(RunState, RanksThatLeftGracefullyAreNotDead)
{
    EXPECT_TRUE(runState(scenes::healthy()).running());
    const RunState dead = runState(scenes::died());
    EXPECT_EQ(dead.died, std::vector<int>{5});
    EXPECT_EQ(dead.alive.size(), 7u);
    EXPECT_FALSE(runState(scenes::stopped()).hasDied());
}

TEST(RunState, ExitOfAnEarlierAttemptExcusesNoDeath)
{
    Snapshot s = scenes::died();
    s.exit = scenes::stopped().exit;
    ASSERT_TRUE(s.exit && s.exit->outcome == "stopped");
    s.exit->started = scenes::now() - std::chrono::minutes(10);
    s.view.attempts.back().started = scenes::now() - std::chrono::minutes(5);
    EXPECT_EQ(exitOfAttempt(s), nullptr);
    EXPECT_EQ(runState(s).died, std::vector<int>{5});
    s.view.attempts.back().started = scenes::now() - std::chrono::minutes(15);
    EXPECT_NE(exitOfAttempt(s), nullptr);
    EXPECT_FALSE(runState(s).hasDied());
}

TEST(LostWords, ShowLostWorkSinceAndIdleTime)
{
    const LostWords live = lostWords(scenes::healthy(), scenes::now());
    EXPECT_EQ(live.value, QStringLiteral("112 steps · 7 min 52 s · 1.0 device-hours"));
    EXPECT_EQ(live.caption, QStringLiteral("Lost if it dies now, since step 40,600"));
    const LostWords dead = lostWords(scenes::died(), scenes::now());
    EXPECT_EQ(dead.caption, QStringLiteral("Lost since step 40,600, the newest VALID set"));
    EXPECT_TRUE(dead.note.contains(QLatin1String("idle")));
    Snapshot noStep = scenes::healthy();  // checkpoints without a log
    noStep.view.lostWork = {};
    EXPECT_EQ(lostWords(noStep, scenes::now()).note, QStringLiteral("no step yet"));
}

TEST(StepVital, ShowsTheTimeLeftOnlyForARunThatContinues)
{
    const auto left = [](const Snapshot &snapshot, seconds later = seconds(0)) {
        return vitals(snapshot, scenes::now() + later).front().note.contains(QLatin1String("left"));
    };
    EXPECT_TRUE(left(scenes::healthy()));
    EXPECT_FALSE(left(scenes::healthy(), seconds(130)));
    for (const Snapshot &ended :
         {scenes::died(), scenes::resumable(), scenes::stopped(), scenes::stopping(0, 0), scenes::stopping(5, 2)})
        EXPECT_FALSE(left(ended));
}

TEST(Vitals, ShowTheFaultProtectionOfRunningRanks)
{
    Snapshot s = scenes::healthy();
    EXPECT_TRUE(vitals(s, scenes::now()).back().caption.isEmpty());
    for (RankState &rank : s.view.ranks) {
        rank.process = ProcessInfo();
        rank.process->envReadable = true;
        rank.process->env["MS_ENABLE_TFT"] = rank.rank == 0 ? "{TTP:1}" : "{TTP:1,UCE:1}";
    }
    const Vital shown = vitals(s, scenes::now()).back();
    EXPECT_EQ(shown.caption, QStringLiteral("Protected"));
    EXPECT_EQ(shown.value, QStringLiteral("TTP, UCE"));
    EXPECT_EQ(shown.note, QStringLiteral("7 of 8 ranks"));
    for (RankState &rank : s.view.ranks) rank.process->env["MS_ENABLE_TFT"] = "{TTP: 1}";
    EXPECT_TRUE(vitals(s, scenes::now()).back().caption.isEmpty()) << "MindSpore takes no blanks";
}

TEST(Vitals, OldValuesAreMarkedAsOld)
{
    EXPECT_FALSE(vitals(scenes::healthy(), scenes::now())[2].old);
    const std::vector<Vital> later = vitals(scenes::healthy(), scenes::now() + seconds(130));
    EXPECT_TRUE(later[2].old);
    EXPECT_EQ(later[2].value, QStringLiteral("2 min 10 s ago"));
    EXPECT_EQ(later[3].note, QStringLiteral("was 4.2 s"));
}

}  // namespace
}  // namespace rankdeck::ui::act_state_test
