// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong, in words with numbers: each rule alone, and their order.
#include "tests/core/alarm/only_alarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rankdeck {
namespace {

using states::end;
using states::healthy;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

std::vector<AlarmCode> codes(const Picture &picture)
{
    std::vector<AlarmCode> all;
    for (const Alarm &alarm : findAlarms(picture)) all.push_back(alarm.code);
    return all;
}

TEST(Alarms, AHealthyJobHasNone) { EXPECT_TRUE(codes(states::picture(healthy(8))).empty()); }

TEST(Alarms, AllDeadIsTheLoudestAndSaysWhyAndWhoFirst)
{
    JobState view = healthy(8, 600);
    for (int rank = 0; rank < 8; ++rank)
        end(view, rank, rank == 7 ? "OSError: [Errno 27] File too large" : "RuntimeError: Connection reset by peer");
    view.checkpoints.sets = {states::validSet(580, 8)};
    view.checkpoints.recommended = "0:580";
    view.checkpoints.settled = true;
    const Alarm alarm = findAlarms(states::picture(view)).front();
    EXPECT_EQ(alarm.code, AlarmCode::jobDied);
    EXPECT_EQ(alarm.severity, Severity::alarm);
    EXPECT_EQ(alarm.ranks.front(), 7);
    EXPECT_EQ(alarm.text,
              "All 8 ranks died at step 600: OSError: [Errno 27] File too large (the disk is full), rank 7 first.");
    EXPECT_EQ(alarm.fix, "Resume from 580.");
    EXPECT_EQ(alarm.since, view.ranks[7].progress.heard) << "the last sign of life";
    EXPECT_EQ(alarm.noticed, view.ranks[7].goneSince);
}

TEST(Alarms, WhoDiedAtOneTimeDiedInNoOrder)
{
    JobState view = healthy(8, 600);
    for (int rank = 0; rank < 8; ++rank) end(view, rank, "ValueError: boom");
    EXPECT_EQ(only(states::picture(view)).text, "All 8 ranks died at step 600: ValueError: boom.");
    for (const int rank : {5, 3}) view.ranks[static_cast<std::size_t>(rank)].error->time -= seconds(5);
    EXPECT_EQ(only(states::picture(view)).text, "All 8 ranks died at step 600: ValueError: boom, ranks 3, 5 first.");
    view.ranks[5].error->text = "MemoryError";
    const Alarm two = only(states::picture(view));
    EXPECT_EQ(two.text, "All 8 ranks died at step 600: rank 3: ValueError: boom, ranks 3, 5 first.");
    EXPECT_EQ(two.confirmed, 2);
}

// A data loader that ran dry, a sys.exit in one branch: the others wait in the next collective.
TEST(Alarms, WhoLeavesByItselfIsNamedWhereTheOthersComeToAHalt)
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
    EXPECT_EQ(alarm.text, "No step for 20 s (usual 0.25 s). Rank 3 has exited, and who is left may wait for it.");
    Picture stopping = states::picture(view);
    stopping.stop = StopPicture{.running = true};
    for (const Alarm &one : findAlarms(stopping)) EXPECT_THAT(one.text, Not(HasSubstr("may wait for it")));
}

TEST(Alarms, WhoWentLongBeforeTheOthersHaltedIsNotWaitedFor)
{
    JobState view = healthy(4, 601);
    end(view, 3, {}, -9);
    view.ranks[3].goneSince = states::now() - seconds(600);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(20);
    view.ranks[2].progress.position = 600;
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_THAT(all[1].text, HasSubstr("Rank 2 is at step 600, the others at 601: it hangs."));
    EXPECT_THAT(all[1].text, Not(HasSubstr("which died")));
}

// A console that comes to a hang knows no silences, and allows minutes: not to who is stopped by a signal.
TEST(Alarms, WhoIsStoppedNeedsNoPatience)
{
    JobState view = healthy(4, 601);
    for (RankState &rank : view.ranks) {
        rank.progress.usualSilence = 120;
        rank.progress.heard = states::now() - seconds(61);
        rank.process = ProcessInfo();
        rank.process->state = rank.rank == 2 ? 'T' : 'S';
    }
    EXPECT_THAT(only(states::picture(view)).text, HasSubstr("Rank 2 is stopped by a signal (state T): it hangs."));
    view.ranks[2].process->state = 'S';
    EXPECT_TRUE(codes(states::picture(view)).empty());
}

// One rank had not logged the step yet in which the others wait for who is gone.
TEST(Alarms, WhoIsAStepBehindWhenSomebodyIsGoneIsNoSuspect)
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
            EXPECT_THAT(alarm.text, Not(HasSubstr("it hangs"))) << *code;
    }
}

TEST(Alarms, WhoHasComeToItsLastStepDoesNotHang)
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

TEST(Alarms, ThatNothingWasSaidIsToldOnceNothingCanComeAnyMore)
{
    JobState view = healthy(2, 600);
    end(view, 0);
    end(view, 1);
    EXPECT_EQ(only(states::picture(view)).text, "All 2 ranks died at step 600.");
    for (RankState &rank : view.ranks) rank.goneSince = secondsAfter(states::now(), -lastWordsDelay);
    EXPECT_EQ(only(states::picture(view)).text, "All 2 ranks died at step 600 without a word in their logs.");
}

TEST(Alarms, TheKernelsWordTellsWhoEndedARank)
{
    JobState view = healthy(8, 600);
    end(view, 5);
    view.ranks[5].oomKill = OomKill{"Memory cgroup out of memory: Killed process 4711 (python)", true};
    EXPECT_THAT(only(states::picture(view)).text,
                HasSubstr("Rank 5 died at step 600: Memory cgroup out of memory: Killed process 4711 (python) (its "
                          "container or group is out of memory)."));
}

TEST(Alarms, ARankThatNobodyCanTellHasNotDiedByItsSilence)
{
    JobState view = healthy(2);
    end(view, 1, "RuntimeError: Connection reset by peer");
    view.ranks[1].alive = Known::unknown;
    view.ranks[1].seenAlive = false;
    view.ranks[1].progress.heard -= std::chrono::hours(2);
    EXPECT_THAT(codes(states::picture(view)),
                testing::Each(testing::AllOf(testing::Ne(AlarmCode::rankDied), testing::Ne(AlarmCode::jobDied))));
}

TEST(Alarms, ADeathCountsWhoStillRunsNowNotThen)
{
    JobState view = healthy(3);
    end(view, 1, {}, -9);
    EXPECT_THAT(only(states::picture(view)).text, HasSubstr("signal 9 (SIGKILL)"));
    EXPECT_THAT(only(states::picture(view)).text, HasSubstr("2 other ranks still run."));
    end(view, 0);
    EXPECT_THAT(only(states::picture(view)).text, HasSubstr("1 other rank still runs."));
    end(view, 2);
    const Alarm all = only(states::picture(view));
    EXPECT_EQ(all.code, AlarmCode::jobDied);
    EXPECT_THAT(all.text, Not(HasSubstr("still run")));
}

TEST(Alarms, OfRanksOnASilentNodeNothingIsKnown)
{
    JobState view = healthy(8);
    view.nodes[1].state = NodeState::stale;
    view.nodes[1].lastHeard = states::now() - seconds(40);
    end(view, 2, {}, -9);
    const Alarm alarm = findAlarms(states::picture(view)).front();
    EXPECT_EQ(alarm.stillRun, 3);
    EXPECT_EQ(alarm.unheard, (std::vector<int>{4, 5, 6, 7}));
    EXPECT_THAT(alarm.text, HasSubstr("3 other ranks still run. Of 4 ranks nothing is known (n1: no news for 40 s)."));
    view.ranks[6].alive = Known::unknown;  // the same by what the engine says of it
    EXPECT_EQ(findAlarms(states::picture(view)).front().text, alarm.text);
}

TEST(Alarms, VictimsOfAHangPointAtWhoHangs)
{
    JobState view = healthy(8);
    for (int rank = 0; rank < 8; ++rank)
        if (rank != 6) end(view, rank, "RuntimeError: AllReduce timed out after 30 s");
    EXPECT_THAT(findAlarms(states::picture(view)).front().text,
                HasSubstr("They gave up waiting for rank 6, which still runs and hangs."));
}

// What MindSpore's ring says after its time-out, and also at once of a peer that died.
TEST(Alarms, WhoFailedToReceiveAfterALongSilenceGaveUpWaiting)
{
    const std::string text = "RuntimeError: Ring ReduceScatter wait receiving [4,85] failed";
    const auto told = [&](double silent, auto change) {
        JobState view = healthy(8);
        for (int rank = 0; rank < 8; ++rank) {
            if (rank != 6) end(view, rank, text);
            RankProgress &at = view.ranks[static_cast<std::size_t>(rank)].progress;
            at.usualSilence = 0.3;
            at.heard =
                states::now() - std::chrono::duration_cast<WallTime::duration>(std::chrono::duration<double>(silent));
        }
        change(view);
        return findAlarms(states::picture(view)).front().text;
    };
    const auto nothing = [](JobState &) {};
    EXPECT_THAT(told(31, nothing), HasSubstr("They gave up waiting for rank 6, which still runs and hangs."));
    EXPECT_THAT(told(31, nothing), Not(HasSubstr("ended")));
    EXPECT_THAT(told(31,
                     [](JobState &view) {
                         for (int rank : {0, 1, 2}) {
                             view.ranks[static_cast<std::size_t>(rank)].alive = true;
                             view.ranks[static_cast<std::size_t>(rank)].error.reset();
                         }
                     }),
                Not(HasSubstr("gave up")))
        << "three more may be about to";
    EXPECT_THAT(told(1.2, nothing), HasSubstr("1 other rank still runs."));  // may notice the death next
    EXPECT_THAT(told(31, [](JobState &view) { end(view, 2, "MemoryError"); }), Not(HasSubstr("gave up")));
    EXPECT_THAT(told(31, [](JobState &view) { view.ranks[3].alive = Known::unknown; }), Not(HasSubstr("gave up")))
        << "it may be rank 3 that nobody hears of";
}

TEST(Alarms, WhoIsLeftDoesNotWaitForVictims)
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
        for (const Alarm &alarm : findAlarms(states::picture(view))) all += alarm.text + "\n";
        return all;
    };
    EXPECT_THAT(text("RuntimeError: Ring ReduceScatter wait receiving [4,85] failed"), Not(HasSubstr("waits for")));
    EXPECT_THAT(text("MemoryError"), HasSubstr("Who is left waits for ranks 0, 1, 3, which died."));
}

TEST(Alarms, HostileTextStaysOneHarmlessLine)
{
    JobState view = healthy(2);
    end(view, 0, "Error: \x1b[2Jgone\x07\nFile secret");
    const std::string text = findAlarms(states::picture(view)).front().text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_THAT(text, Not(HasSubstr("secret")));
}

TEST(Alarms, TheFirstNanIsAnAlarmWithItsPrice)
{
    JobState view = healthy(8, 1409);
    for (RankState &rank : view.ranks) {
        rank.progress.loss = nan;
        rank.firstNonFiniteStep = rank.rank == 3 ? 1406 : 1407;
        rank.firstNonFinite = states::now() - seconds(1);
    }
    view.checkpoints.settled = true;
    view.checkpoints.sets = {states::validSet(1408, 8), states::validSet(1400, 8)};
    view.checkpoints.recommended = "0:1408";
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::nanLoss);
    EXPECT_EQ(alarm.ranks.front(), 3);
    EXPECT_EQ(alarm.text, "Loss is NaN on 8 of 8 ranks since step 1,406, rank 3 first. Newest good set 1,400; an exit "
                          "save would hold NaN.");
    JobState dead = view;
    for (int rank = 0; rank < 8; ++rank) end(dead, rank, "ValueError: boom");
    const Alarm after = findAlarms(states::picture(dead)).back();
    EXPECT_THAT(after.text, testing::EndsWith("rank 3 first. Newest good set 1,400.")) << "nobody saves any more";
    EXPECT_EQ(after.fix, "Resume from 1,400.");
    EXPECT_THAT(after.acts, Not(testing::Contains(AlarmAct::keepSet)));
    view.ranks[3].progress.loss = 1;
    for (RankState &rank : view.ranks) rank.progress.loss = 1;
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "it went on";
}

// The logs come node by node: who is not read up to that step may have been the first.
TEST(Alarms, NobodyIsTheFirstNanWhileSomebodyIsBehind)
{
    const auto text = [](auto change) {
        JobState view = healthy(8, 1407);
        for (int rank = 4; rank < 8; ++rank) {
            RankState &state = view.ranks[static_cast<std::size_t>(rank)];
            state.progress.loss = nan;
            state.firstNonFiniteStep = rank == 4 ? 1406 : 1407;
        }
        change(view);
        return findAlarms(states::picture(view)).front().text;
    };
    EXPECT_THAT(text([](JobState &) {}), HasSubstr("on 4 of 8 ranks since step 1,406, rank 4 first."));
    EXPECT_THAT(text([](JobState &view) { view.ranks[0].progress.position = 1405; }),
                testing::EndsWith("since step 1,406."));
    EXPECT_THAT(text([](JobState &view) { view.ranks[0].progress.position.reset(); }), Not(HasSubstr("first")));
    EXPECT_THAT(text([](JobState &view) { view.ranks[5].firstNonFiniteStep = 1406; }), Not(HasSubstr("first")));
    EXPECT_THAT(text([](JobState &view) {
                    view.ranks.resize(1);
                    view.ranks[0].progress.loss = nan;
                    view.ranks[0].firstNonFiniteStep = 1407;
                }),
                testing::EndsWith("Loss is NaN since step 1,407."));
}

TEST(Alarms, NanSaysHowManySavesTheGoodSetHasLeft)
{
    JobState view = healthy(4, 1405);
    view.attempts = {{.index = 0}};
    for (RankState &rank : view.ranks) {
        rank.progress.loss = nan;
        rank.firstNonFiniteStep = 1390;
    }
    for (std::int64_t step : {1400, 1380, 1360, 1340, 1320}) {
        view.checkpoints.sets.push_back(states::validSet(step, 4, step > 1390 ? Verdict::corrupt : Verdict::valid));
        view.checkpoints.sets.back().time = states::now() - seconds((1400 - step) / 4);
    }
    view.checkpoints.settled = true;
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.setStep, 1380);
    EXPECT_EQ(alarm.savesLeft, 4) << "1340 and 1320 go first";
    EXPECT_THAT(alarm.text,
                HasSubstr("Newest good set 1,380; an exit save would hold NaN. It is overwritten in 4 saves (20 s)."));
    EXPECT_EQ(alarm.fix, "Keep 1,380, then stop and resume from it.");
    EXPECT_THAT(alarm.acts, testing::Contains(AlarmAct::keepSet));
    view.attempts[0].resumedFrom = 1300;
    EXPECT_FALSE(only(states::picture(view)).savesLeft) << "nothing was rotated yet";
}

// Before: it asked to keep what was kept, and counted down to its end.
TEST(Alarms, NanAsksNotToKeepWhatIsKept)
{
    JobState view = healthy(4, 1405);
    view.attempts = {{.index = 0}};
    for (RankState &rank : view.ranks) {
        rank.progress.loss = nan;
        rank.firstNonFiniteStep = 1390;
    }
    for (std::int64_t step : {1400, 1380, 1360, 1340}) {
        view.checkpoints.sets.push_back(states::validSet(step, 4, step > 1390 ? Verdict::corrupt : Verdict::valid));
        view.checkpoints.sets.back().time = states::now() - seconds((1400 - step) / 4);
    }
    view.checkpoints.settled = true;
    states::keep(view, 1380);
    Alarm alarm = only(states::picture(view));
    EXPECT_THAT(alarm.text, testing::EndsWith("Newest good set 1,380, which is kept; an exit save would hold NaN."));
    EXPECT_EQ(alarm.fix, "Stop and resume from 1,380.");
    EXPECT_THAT(alarm.acts, Not(testing::Contains(AlarmAct::keepSet)));
    EXPECT_FALSE(alarm.savesLeft);
    EXPECT_FALSE(alarm.putBack);

    view.checkpoints.sets = {states::validSet(1400, 4, Verdict::corrupt)};  // rotation took it
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.size(), 2u);
    alarm = all.front();
    EXPECT_THAT(alarm.text,
                testing::EndsWith("1,380 is kept (put back, then resume from 1,380); an exit save would hold NaN."));
    EXPECT_EQ(alarm.fix, "Stop, put 1,380 back and resume from it.");
    EXPECT_EQ(alarm.set, "0:1380");
    EXPECT_EQ(alarm.setStep, 1380);
    EXPECT_TRUE(alarm.putBack);
    EXPECT_EQ(all.back().code, AlarmCode::nothingValid);
    EXPECT_EQ(all.back().text,
              "Nothing among the checkpoints can be resumed by all ranks; 1,380 is kept (put back, then resume from "
              "1,380).");
    EXPECT_EQ(all.back().acts, std::vector<AlarmAct>{AlarmAct::resume});
}

TEST(Alarms, WhatIsKeptIsNotDeniedWhileItIsNotListed)
{
    JobState view = healthy(2);
    view.checkpoints.settled = true;
    view.checkpoints.sets = {states::validSet(600, 2, Verdict::incomplete)};
    view.kept = std::make_shared<const KeptSets>(
        KeptSets{.sets = {}, .listing = KeptListing::failed, .problem = "n1: Permission denied"});
    EXPECT_THAT(only(states::picture(view)).text,
                testing::EndsWith("Nearest: 600, and what is kept is not known (n1: Permission denied)."));
    states::keep(view, 560, Known::unknown);
    EXPECT_THAT(only(states::picture(view)).fix, "Look at the sets.") << "whether it is whole is not known";
}

TEST(Alarms, WhoDiedGoesBackToAKeptSetThatIsNewerThanAllOthers)
{
    JobState view = healthy(2);
    view.checkpoints.settled = true;
    view.checkpoints.sets = {states::validSet(560, 2)};
    view.checkpoints.recommended = "0:560";
    for (const int rank : {0, 1}) end(view, rank, "RuntimeError: boom");
    states::keep(view, 540);
    EXPECT_EQ(only(states::picture(view)).fix, "Resume from 560.");
    states::keep(view, 600);
    EXPECT_EQ(only(states::picture(view)).fix, "Put 600 back and resume from it.");
}

TEST(Alarms, AHangIsSeenAtSomeUsualSilencesAndNamesWhoDiffers)
{
    JobState view = healthy(8);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - std::chrono::milliseconds(1900);
    EXPECT_TRUE(codes(states::picture(view)).empty());
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(3);
    view.ranks[6].progress.position = 606;
    Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::stalled);
    EXPECT_EQ(alarm.ranks.front(), 6);
    EXPECT_THAT(alarm.text,
                HasSubstr("No step for 3.0 s (usual 0.25 s). Rank 6 is at step 606, the others at 607: it hangs."));
    view.ranks[2].process->state = 'T';
    alarm = only(states::picture(view));
    EXPECT_EQ(alarm.ranks.front(), 2) << "a stopped process says more than a step";
}

TEST(Alarms, WhereNobodyStandsOutNothingIsCalledAHang)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(12);
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.text, "No step for 12 s (usual 0.25 s). All ranks wait, none stands out.");
    EXPECT_THAT(alarm.fix, HasSubstr("an evaluation"));
}

TEST(Alarms, SlowIsNoHang)
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

TEST(Alarms, SilenceOfTheLinkIsNoHang)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(9);
    for (NodeStatus &node : view.nodes) node.lastHeard = states::now() - seconds(9);
    EXPECT_TRUE(codes(states::picture(view)).empty());
}

TEST(Alarms, ANodeThatIsSilentHidesNoHangOfTheOthers)
{
    JobState view = healthy(8);
    view.nodes[1].state = NodeState::stale;
    view.nodes[1].lastHeard = states::now() - seconds(20);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(rank.rank < 4 ? 12 : 20);
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.front().code, AlarmCode::stalled);
    EXPECT_EQ(all.front().text, "No step for 12 s (usual 0.25 s). Of 4 ranks nothing is known (n1: no news for 20 s).");
    EXPECT_THAT(all.front().fix, HasSubstr("silent nodes first"));
    EXPECT_EQ(all.front().ranks, (std::vector<int>{0, 1, 2, 3})) << "of the others nobody knows";
}

TEST(Alarms, WhoIsLeftBehindADeathWaitsForTheDead)
{
    JobState view = healthy(8);
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(12);
    end(view, 5, {}, -9);
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].code, AlarmCode::rankDied);
    EXPECT_EQ(all[1].text, "No step for 12 s (usual 0.25 s). Who is left waits for rank 5, which died.");
}

TEST(Alarms, AStoppedProcessIsNamedThoughItLogsNothingAndThoughAllAreStopped)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) {
        rank.progress.heard = states::now() - seconds(rank.rank == 0 ? 6 : 6000);
        if (rank.rank != 0) rank.progress.usualSilence.reset();
    }
    EXPECT_THAT(only(states::picture(view)).text, Not(HasSubstr("none stands out"))) << "of one that logs";
    view.ranks[3].process->state = 'T';
    EXPECT_THAT(only(states::picture(view)).text, HasSubstr("Rank 3 is stopped by a signal (state T): it hangs."));
    view.checkpoints.sets = {states::validSet(600, 4, Verdict::inProgress)};
    EXPECT_EQ(only(states::picture(view)).ranks.front(), 3) << "who is stopped saves nothing";
    for (RankState &rank : view.ranks) rank.process->state = 'D';
    view.checkpoints.sets.clear();
    EXPECT_THAT(only(states::picture(view)).text,
                HasSubstr("All 4 ranks wait for their disk or file server (state D): they hang."));
}

// A full disk of the logs: the sets that come all the same say that nobody hangs, until they stop coming, too.
TEST(Alarms, LogsThatStopWhileSetsAreSavedAreNoHang)
{
    JobState view = healthy(4, 165);
    view.ranks[1].progress.position = 164;  // the last line that fitted
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(20);
    const Alarm hang = only(states::picture(view));
    EXPECT_THAT(hang.text, HasSubstr("it hangs"));
    CheckpointSet newest = states::validSet(240, 4), before = states::validSet(220, 4);
    newest.time = states::now() - seconds(3);
    before.time = states::now() - seconds(8);
    view.checkpoints.sets = {newest, before};
    view.checkpoints.recommended = newest.id;
    view.checkpoints.settled = true;
    const Alarm silent = only(states::picture(view));
    EXPECT_EQ(silent.which, AlarmCase::logsSilent);
    EXPECT_EQ(silent.severity, Severity::warn);
    EXPECT_FALSE(sameAlarm(hang, silent)) << "who follows the alarms hears that the hang is over";
    EXPECT_THAT(silent.text, Not(HasSubstr("hang")));
    EXPECT_THAT(silent.fix, HasSubstr("disk of the logs"));
    EXPECT_EQ(silent.acts, std::vector{AlarmAct::showMoment}) << "nothing is to be ended";
    Picture stopping = states::picture(view);
    stopping.stop = StopPicture{.running = true};
    for (const Alarm &one : findAlarms(stopping)) EXPECT_NE(one.code, AlarmCode::stopStuck);

    view.checkpoints.sets.front().time = states::now() - seconds(14);
    view.checkpoints.sets.back().time = states::now() - seconds(19);
    EXPECT_THAT(only(states::picture(view)).text, HasSubstr("hang")) << "the third save is overdue";
    view.checkpoints.sets = {states::validSet(165, 4)};
    view.checkpoints.sets.front().time = states::now() - seconds(1);
    EXPECT_THAT(only(states::picture(view)).text, HasSubstr("hang"))
        << "the save of the last line's step proves nothing";
}

TEST(Alarms, WhoIsStoppedCanGoOn)
{
    JobState view = healthy(4);
    for (RankState &rank : view.ranks) {
        rank.progress.heard = states::now() - seconds(20);
        rank.process->state = 'T';
    }
    EXPECT_THAT(only(states::picture(view)).fix, HasSubstr("SIGCONT"));
}

// The step and the time of the attempt before are none of this one's.
TEST(Alarms, WhoDiesBeforeTheFirstStepOfAnAttemptDiedThere)
{
    JobState view = healthy(4, 130);
    view.attempt = 1;
    for (RankState &rank : view.ranks) rank.progress.attempt = 0;
    for (int rank = 0; rank < 4; ++rank) end(view, rank, "ValueError: boom");
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.text, "All 4 ranks died before the first step of this attempt: ValueError: boom.");
    EXPECT_EQ(alarm.since, view.ranks[0].goneSince);
    EXPECT_FALSE(alarm.step);
}

// How one ended is not always seen: that it was killed says nothing of who went first.
TEST(Alarms, WhoWasKilledTogetherWentInNoOrder)
{
    JobState view = healthy(4, 600);
    for (int rank = 0; rank < 4; ++rank) end(view, rank, {}, rank < 2 ? std::nullopt : std::optional(-9));
    EXPECT_EQ(findAlarms(states::picture(view)).front().confirmed, 4);
}

// Who lost a connection follows a death; whoever is left may notice it next, and waits for nobody.
TEST(Alarms, OnlyATimeOutBlamesWhoStillRuns)
{
    for (const char *error : {"RuntimeError: Connection reset by peer", ""}) {
        JobState view = healthy(4);
        for (int rank = 0; rank < 3; ++rank)
            end(view, rank, error, *error == '\0' ? std::optional<int>(-15) : std::nullopt);
        const std::string text = findAlarms(states::picture(view)).front().text;
        EXPECT_THAT(text, HasSubstr("1 other rank still runs."));
        EXPECT_THAT(text, Not(HasSubstr("hangs")));
    }
}

TEST(Alarms, AStopThatCannotFinishSaysSo)
{
    JobState view = healthy(8);
    end(view, 1, "RuntimeError: boom");
    Picture picture = states::picture(view);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(10), .ranks = 8};
    const std::vector<Alarm> all = findAlarms(picture);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].code, AlarmCode::rankDied);
    EXPECT_EQ(all[1].code, AlarmCode::stopStuck);
    EXPECT_EQ(all[1].text, "The stop cannot finish: rank 1 died, 0 of 8 confirmed.");
    EXPECT_EQ(all[1].fix, "End ranks 0, 2–7, then resume.");
}

TEST(Alarms, ALostNodeSaysItsRanksAreNotKnown)
{
    JobState view = healthy(4);
    view.nodes[1].state = NodeState::lost;
    view.nodes[1].reason = "Connection refused";
    view.nodes[1].since = states::now() - seconds(20);
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::nodeLost);
    EXPECT_EQ(alarm.ranks, (std::vector<int>{2, 3}));
    EXPECT_EQ(alarm.nodes, std::vector<std::string>{"n1"});
    EXPECT_EQ(alarm.since, view.nodes[1].since);
}

TEST(Alarms, AFlagThatWasLeftAndAStopThatTakesTooLong)
{
    JobState view = healthy(4);
    view.flags = {{.node = "n0", .path = "/f", .value = 1, .armed = true, .since = states::now() - seconds(60)}};
    EXPECT_EQ(only(states::picture(view)).code, AlarmCode::leftArmed);
    Picture picture = states::picture(view);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(119), .ranks = 4};
    EXPECT_TRUE(codes(picture).empty());
    picture.stop->started = states::now() - seconds(140);
    EXPECT_EQ(only(picture).text, "Armed for 2 min 20 s, 0 of 4 ranks confirmed. Expected all within a few steps.");
}

// Of a script that is stopped by a signal or a file no line confirms anything, and no GracefulExit stands anywhere.
TEST(Alarms, AStopWithoutLinesIsToldByWhoHasLeft)
{
    JobState view = healthy(4);
    Picture picture = states::picture(view);
    picture.stop = StopPicture{
        .running = true, .leavesLines = false, .started = states::now() - seconds(140), .ranks = 4, .exited = 1};
    EXPECT_EQ(only(picture).text, "Armed for 2 min 20 s, 1 of 4 ranks have left. Expected all within a few steps.");
    EXPECT_EQ(only(picture).confirmed, 1);
    view.job.gracefulExit = {.stopFile = "/job/STOP"};
    view.flags = {{.node = "n0", .path = "/job/STOP", .armed = true}};
    EXPECT_EQ(only(states::picture(view)).text, "The stop file is still there on n0. The run stops at its next check.");
}

TEST(Alarms, AFailedSaveIsToldWhileTheRankStillRuns)
{
    JobState view = healthy(4);
    Event event;
    event.kind = EventKind::error;
    event.attempt = 0;
    event.rank = 2;
    event.node = "n1";
    event.position = 600;
    event.text = "OSError: [Errno 28] No space left on device\n  File save.py";
    view.recentEvents = {event};
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::diskFull);
    EXPECT_EQ(alarm.text, "The disk is full, rank 2 on n1, step 600: OSError: [Errno 28] No space left on device.");
    view.checkpoints.sets = {states::validSet(620, 4)};
    view.checkpoints.recommended = "0:620";
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "a whole set came after it";
}

TEST(Alarms, SavesThatStopComingAreMissed)
{
    JobState view = healthy(2, 149);
    for (std::int64_t step : {100, 80, 60, 40}) view.checkpoints.sets.push_back(states::validSet(step, 2));
    view.checkpoints.settled = true;
    view.checkpoints.recommended = "0:100";
    EXPECT_TRUE(codes(states::picture(view)).empty());
    for (RankState &rank : view.ranks) rank.progress.position = 151;
    EXPECT_EQ(only(states::picture(view)).text, "No save since step 100, 51 steps ago; usual is one every 20.");
    view.nodes[0].state = NodeState::stale;
    EXPECT_EQ(codes(states::picture(view)), std::vector<AlarmCode>{AlarmCode::nodeStale})
        << "not listed is not missing";
}

TEST(Alarms, NothingValidIsSaidOnlyWhenAllIsKnown)
{
    JobState view = healthy(2);
    view.checkpoints.settled = true;
    view.checkpoints.sets = {states::validSet(600, 2, Verdict::incomplete), states::validSet(580, 2, Verdict::unknown)};
    view.checkpoints.sets[0].reasons = {{"rank_missing", 1, "rank 1 has no file"}};
    EXPECT_TRUE(codes(states::picture(view)).empty());
    view.checkpoints.sets.pop_back();
    EXPECT_EQ(only(states::picture(view)).text,
              "Nothing here can be resumed by all ranks. Nearest: 600, rank 1 has no file.");
}

TEST(Alarms, TheOrderIsDiedNotFinishingNanHangLostArmedRest)
{
    JobState view = healthy(6);
    end(view, 0, "RuntimeError: boom");
    view.ranks[1].progress.loss = nan;
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(30);
    NodeStatus lost;
    lost.name = "n2";
    lost.state = NodeState::lost;
    view.nodes.push_back(lost);
    Picture picture = states::picture(view);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(300), .ranks = 6};
    picture.notes = {"unknown key"};
    using enum AlarmCode;
    EXPECT_EQ(codes(picture),
              (std::vector<AlarmCode>{rankDied, stopStuck, nanLoss, stalled, nodeLost, armedLong, note}));
}

}  // namespace
}  // namespace rankdeck
