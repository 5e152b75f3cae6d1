// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/act_state.h"

#include "tests/ui/scenes.h"
#include "ui/state/run_state.h"
#include "ui/state/stop_progress.h"

#include <gtest/gtest.h>

namespace rankdeck::ui {
namespace {

using std::chrono::seconds;

TEST(StopState, PassedPreflightLetsOneClickArm)
{
    const StopState state = stopState(scenes::healthy(), scenes::now());
    EXPECT_EQ(state.phase, StopPhase::ready);
    EXPECT_TRUE(state.enabled);
    EXPECT_TRUE(state.startsAtOnce);
    EXPECT_EQ(state.note, QStringLiteral("loses 0 steps"));
}

TEST(StopState, WarningAsksForASecondClick)
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

TEST(StopState, RefusalDisablesWithItsReason)
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

TEST(StopState, CanBeTakenBackUntilARankReadIt)
{
    const StopState armed = stopState(scenes::stopping(0, 0), scenes::now());
    EXPECT_EQ(armed.phase, StopPhase::cancellable);
    EXPECT_TRUE(armed.cancels);
    EXPECT_TRUE(armed.enabled);
    const StopState late = stopState(scenes::stopping(5, 2), scenes::now());
    EXPECT_EQ(late.phase, StopPhase::tooLate);
    EXPECT_FALSE(late.enabled);
    EXPECT_TRUE(late.note.startsWith(QLatin1String("too late since")));
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

TEST(LostWork, IsAtMostWhatItSaysWhileANodeIsNotListed)
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

TEST(StopInTrouble, ADeathIsSaidInTitleRowsAndBoxAndOpensTheRungs)
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
    EXPECT_EQ(stopSaying(s, scenes::now()).bold, QStringLiteral("Not all ranks can confirm: rank 6 died."));
    for (int rank = 0; rank < 8; ++rank) die(rank);
    EXPECT_EQ(stopSaying(s, scenes::now()).bold, QStringLiteral("No rank can confirm any more."));
    ProcessTarget target;
    s.exit->ladder = {{.name = "kill", .targets = {target}}};
    EXPECT_TRUE(stopRungs(s, scenes::now()).open);
}

TEST(StopStages, TellHowFarTheStopIs)
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

TEST(StopStages, FlagLineIsDoneOnlyWhenTheFlagReadsZero)
{
    Snapshot s = scenes::stopped();
    EXPECT_EQ(stopStages(s, scenes::now())[5].mark, Stage::Mark::done);
    s.view.flags[0].armed = true;
    EXPECT_NE(stopStages(s, scenes::now())[5].mark, Stage::Mark::done);
}

TEST(StopRungs, OpenAfterTwoMinutesOrWhenARankHangs)
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

TEST(ResumeState, PrimaryOnlyAfterADeath)
{
    EXPECT_FALSE(resumeState(scenes::healthy()).primary);
    const ResumeState after = resumeState(scenes::died());
    EXPECT_TRUE(after.primary);
    EXPECT_TRUE(after.enabled);
    EXPECT_EQ(after.note, QStringLiteral("from 40,600, loses 437"));
}

TEST(ResumeState, NothingValidIsSaidAndThePaneStillExplains)
{
    Snapshot s = scenes::died();
    for (CheckpointSet &set : s.view.checkpoints.sets) set.verdict = Verdict::incomplete;
    const ResumeState state = resumeState(s);
    EXPECT_EQ(state.note, QStringLiteral("no set is VALID"));
    EXPECT_FALSE(state.primary);
    EXPECT_TRUE(state.enabled);
    EXPECT_TRUE(state.set.isEmpty());
}

TEST(RunState, GracefulLeaversAreNoDeaths)
{
    EXPECT_TRUE(runState(scenes::healthy()).running());
    const RunState dead = runState(scenes::died());
    EXPECT_EQ(dead.died, std::vector<int>{5});
    EXPECT_EQ(dead.alive.size(), 7u);
    EXPECT_FALSE(runState(scenes::stopped()).hasDied());
}

TEST(RunState, AnExitOfTheAttemptBeforeExcusesNoDeath)
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

TEST(LostWords, SayPriceSinceAndIdleTime)
{
    const LostWords live = lostWords(scenes::healthy(), scenes::now());
    EXPECT_EQ(live.value, QStringLiteral("112 steps · 7 min 52 s · 1.0 device-hours"));
    EXPECT_EQ(live.caption, QStringLiteral("Lost if it dies now, since step 40,600"));
    const LostWords dead = lostWords(scenes::died(), scenes::now());
    EXPECT_EQ(dead.caption, QStringLiteral("Lost since step 40,600, the newest VALID set"));
    EXPECT_TRUE(dead.note.contains(QLatin1String("idle")));
    Snapshot noStep = scenes::healthy();  // checkpoints without a log
    noStep.view.lostWork = {};
    EXPECT_EQ(lostWords(noStep, scenes::now()).note, QStringLiteral("no step is known yet"));
}

TEST(Vitals, GrowOldVisibly)
{
    EXPECT_FALSE(vitals(scenes::healthy(), scenes::now())[2].old);
    const std::vector<Vital> later = vitals(scenes::healthy(), scenes::now() + seconds(130));
    EXPECT_TRUE(later[2].old);
    EXPECT_EQ(later[2].value, QStringLiteral("2 min 10 s ago"));
    EXPECT_EQ(later[3].note, QStringLiteral("was 4.2 s"));
}

}  // namespace
}  // namespace rankdeck::ui
