// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that died, the cause, and the rank that died first.
#include "tests/core/alarm/only_alarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::died_test {
namespace {

using states::end;
using states::healthy;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

TEST(Alarms, DeathOfAllRanksNamesTheReasonAndTheFirstRank)
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
    EXPECT_EQ(
        alarm.text(),
        "All 8 ranks died at step 600, rank 7 first. Reason: OSError: [Errno 27] File too large (the disk is full).");
    EXPECT_EQ(alarm.fix, "Resume from 580.");
    EXPECT_EQ(alarm.since, view.ranks[7].progress.heard) << "the last sign of life";
    EXPECT_EQ(alarm.noticed, view.ranks[7].goneSince);
}

TEST(Alarms, RanksThatDiedAtTheSameTimeAreNotOrdered)
{
    JobState view = healthy(8, 600);
    for (int rank = 0; rank < 8; ++rank) end(view, rank, "ValueError: boom");
    EXPECT_EQ(only(states::picture(view)).text(), "All 8 ranks died at step 600. Reason: ValueError: boom.");
    for (const int rank : {5, 3}) view.ranks[static_cast<std::size_t>(rank)].error->time -= seconds(5);
    EXPECT_EQ(only(states::picture(view)).text(),
              "All 8 ranks died at step 600, ranks 3, 5 first. Reason: ValueError: boom.");
    view.ranks[5].error->text = "MemoryError";
    const Alarm two = only(states::picture(view));
    EXPECT_EQ(two.text(), "All 8 ranks died at step 600, ranks 3, 5 first. Reason: rank 3: ValueError: boom.");
    EXPECT_EQ(two.confirmed, 2);
}

TEST(Alarms, ReportsAMissingReasonOnlyWhenNoMoreLogLinesCanArrive)
{
    JobState view = healthy(2, 600);
    end(view, 0);
    end(view, 1);
    EXPECT_EQ(only(states::picture(view)).text(), "All 2 ranks died at step 600.");
    for (RankState &rank : view.ranks) rank.goneSince = secondsAfter(states::now(), -lastLinesDelay);
    EXPECT_EQ(only(states::picture(view)).text(), "All 2 ranks died at step 600. Their logs show no reason.");
}

TEST(Alarms, KernelMessageIsShownAsTheCauseOfDeath)
{
    JobState view = healthy(8, 600);
    end(view, 5);
    view.ranks[5].oomKill = OomKill{"Memory cgroup out of memory: Killed process 4711 (python)", true};
    EXPECT_THAT(only(states::picture(view)).text(),
                HasSubstr("Rank 5 died at step 600. Reason: Memory cgroup out of memory: Killed process 4711 (python) "
                          "(its container or group is out of memory)."));
}

TEST(Alarms, SilentRankWithUnknownProcessIsNotReportedAsDead)
{
    JobState view = healthy(2);
    end(view, 1, "RuntimeError: Connection reset by peer");
    view.ranks[1].alive = Known::unknown;
    view.ranks[1].seenAlive = false;
    view.ranks[1].progress.heard -= std::chrono::hours(2);
    EXPECT_THAT(codes(states::picture(view)),
                testing::Each(testing::AllOf(testing::Ne(AlarmCode::rankDied), testing::Ne(AlarmCode::jobDied))));
}

TEST(Alarms, DeathAlarmCountsTheRanksThatStillRunNow)
{
    JobState view = healthy(3);
    end(view, 1, {}, -9);
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("signal 9 (SIGKILL)"));
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("2 other ranks are still running."));
    end(view, 0);
    EXPECT_THAT(only(states::picture(view)).text(), HasSubstr("1 other rank is still running."));
    end(view, 2);
    const Alarm all = only(states::picture(view));
    EXPECT_EQ(all.code, AlarmCode::jobDied);
    EXPECT_THAT(all.text(), Not(HasSubstr("still run")));
}

TEST(Alarms, RanksOnASilentNodeAreReportedAsUnknown)
{
    JobState view = healthy(8);
    view.nodes[1].state = NodeState::stale;
    view.nodes[1].lastContact = states::now() - seconds(40);
    end(view, 2, {}, -9);
    const Alarm alarm = findAlarms(states::picture(view)).front();
    EXPECT_EQ(alarm.stillRun, 3);
    EXPECT_EQ(alarm.unheard, (std::vector<int>{4, 5, 6, 7}));
    EXPECT_THAT(alarm.text(),
                HasSubstr("3 other ranks are still running. Status of 4 ranks unknown (n1: no contact for 40 s)."));
    view.ranks[6].alive = Known::unknown;  // for the engine its state is unknown; the result is the same
    EXPECT_EQ(findAlarms(states::picture(view)).front().text(), alarm.text());
}

TEST(Alarms, TimedOutRanksBlameTheHangingRank)
{
    JobState view = healthy(8);
    for (int rank = 0; rank < 8; ++rank)
        if (rank != 6) end(view, rank, "RuntimeError: AllReduce timed out after 30 s");
    EXPECT_THAT(findAlarms(states::picture(view)).front().text(),
                HasSubstr("They gave up waiting for rank 6, which is still running and hangs."));
}

TEST(Alarms, NamesTheOomKilledRankFirstAndTheOthersAsCancelled)
{
    for (int culprit = 0; culprit < 4; ++culprit) {
        JobState view = healthy(4);
        for (int rank = 0; rank < 4; ++rank)
            end(view, rank,
                rank == culprit ? "slurmstepd: error: Detected 1 oom_kill event in StepId=191.0. Some of the step "
                                  "tasks have been OOM Killed."
                                : "slurmstepd: error: *** STEP 191.0 ON c002 CANCELLED AT 2026-01-02T02:06:12 ***");
        const Alarm alarm = findAlarms(states::picture(view)).front();
        EXPECT_EQ(alarm.ranks.front(), culprit);
        EXPECT_EQ(alarm.confirmed, 1);
        EXPECT_EQ(causeRole(alarm.cause), CauseRole::kernel);
        EXPECT_THAT(alarm.text(), HasSubstr("The scheduler cancelled the others."));
    }
}

TEST(Alarms, BlamesNoRankIfTheSchedulerEndedTheJob)
{
    for (const char *reason : {"DUE TO TIME LIMIT", "DUE TO PREEMPTION", "DUE TO NODE FAILURE"}) {
        JobState view = healthy(4);
        for (int rank = 0; rank < 4; ++rank)
            end(view, rank,
                std::string("slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-02T02:06:12 ") + reason + " ***");
        const Alarm alarm = findAlarms(states::picture(view)).front();
        EXPECT_EQ(causeRole(alarm.cause), CauseRole::scheduler) << reason;
        EXPECT_THAT(alarm.text(), Not(HasSubstr("cancelled the others")));
    }
}

// MindSpore's ring logs this message after its time-out, and also immediately when a peer died.
TEST(Alarms, TreatsAReceiveErrorAfterALongSilenceAsATimeout)
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
        return findAlarms(states::picture(view)).front().text();
    };
    const auto nothing = [](JobState &) {};
    EXPECT_THAT(told(31, nothing), HasSubstr("They gave up waiting for rank 6, which is still running and hangs."));
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
    EXPECT_THAT(told(1.2, nothing), HasSubstr("1 other rank is still running."));  // may notice the death next
    EXPECT_THAT(told(31, [](JobState &view) { end(view, 2, "MemoryError"); }), Not(HasSubstr("gave up")));
    EXPECT_THAT(told(31, [](JobState &view) { view.ranks[3].alive = Known::unknown; }), Not(HasSubstr("gave up")))
        << "it may be rank 3 that nobody hears of";
}

// A console that starts later knows only the last write to each log. For a dead rank, that is the time of its error.
TEST(Alarms, LateConsoleFindsTheHangingRankFromItsLogTime)
{
    const auto told = [](int silent, auto change) {
        JobState view = healthy(8);
        for (int rank = 0; rank < 8; ++rank) {
            if (rank != 6) end(view, rank, "RuntimeError: Ring ReduceScatter wait receiving [4,85] failed");
            RankState &state = view.ranks[static_cast<std::size_t>(rank)];
            state.progress.usualSilence.reset();
            state.progress.heard = rank == 6 ? states::now() - seconds(silent) : state.error->time;
        }
        change(view);
        return findAlarms(states::picture(view)).front().text();
    };
    const auto nothing = [](JobState &) {};
    EXPECT_THAT(told(15, nothing), HasSubstr("They gave up waiting for rank 6, which is still running and hangs."));
    EXPECT_THAT(told(1, nothing), HasSubstr("1 other rank is still running."));
    EXPECT_THAT(told(15, [](JobState &view) { view.ranks[6].error = view.ranks[0].error; }), Not(HasSubstr("gave up")))
        << "it has failed itself, and is about to end";
    EXPECT_THAT(
        told(15, [](JobState &view) { view.ranks[6].progress.position = *view.ranks[0].progress.position + 9; }),
        Not(HasSubstr("gave up")))
        << "it had gone on";
}

TEST(Alarms, EscapesHostileTextToOneLine)
{
    JobState view = healthy(2);
    end(view, 0, "Error: \x1b[2Jgone\x07\nFile secret");
    const std::string text = findAlarms(states::picture(view)).front().text();
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_THAT(text, Not(HasSubstr("secret")));
}

TEST(Alarms, OffersAKeptSetNewerThanAllOthersAfterDeaths)
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

// The step and the time are from the previous attempt and do not belong to this one.
TEST(Alarms, ReportsDeathsBeforeTheFirstStepOfAnAttempt)
{
    JobState view = healthy(4, 130);
    view.attempt = 1;
    for (RankState &rank : view.ranks) rank.progress.attempt = 0;
    for (int rank = 0; rank < 4; ++rank) end(view, rank, "ValueError: boom");
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.text(), "All 4 ranks died before the first step of attempt 2. Reason: ValueError: boom.");
    EXPECT_EQ(alarm.since, view.ranks[0].goneSince);
    EXPECT_FALSE(alarm.step);
}

// Two starts have failed since that death. The death that made them necessary is still the most important fact.
TEST(Alarms, FailedStartDoesNotHideTheEarlierDeath)
{
    JobState view = healthy(4, 130);
    view.attempt = 2;
    for (RankState &rank : view.ranks) rank.progress.attempt = 0;
    for (int rank = 0; rank < 4; ++rank) end(view, rank, "ValueError: boom");
    const auto died = [&](int attempt, int rank, const char *how, std::optional<std::int64_t> step, int ago) {
        Event event;
        event.kind = EventKind::rankDied;
        event.attempt = attempt;
        event.rank = rank;
        event.text = how;
        event.position = step;
        event.time = states::now() - seconds(ago);
        view.recentEvents.push_back(event);
    };
    died(0, 1, "RuntimeError: NCCL communicator was aborted on rank 1", 130, 90);
    died(0, 3, "OSError: [Errno 28] No space left on device", 130, 89);
    died(1, 0, "ValueError: bang", std::nullopt, 40);
    const Alarm alarm = only(states::picture(view));
    EXPECT_THAT(alarm.text(),
                HasSubstr("before the first step of attempt 3. Reason: ValueError: boom. Attempt 1 had died "
                          "at step 130, at " +
                          clockTime(states::now() - seconds(89)) +
                          ": rank 3, OSError: [Errno 28] No space left on device."));
    for (RankState &rank : view.ranks) rank.progress.attempt = 2;
    EXPECT_THAT(only(states::picture(view)).text(), Not(HasSubstr("had died")))
        << "an attempt that has made steps ended by itself";
}

// It is not always visible how a rank ended: a kill does not show which rank died first.
TEST(Alarms, RanksThatWereKilledTogetherAreNotOrdered)
{
    JobState view = healthy(4, 600);
    for (int rank = 0; rank < 4; ++rank) end(view, rank, {}, rank < 2 ? std::nullopt : std::optional(-9));
    EXPECT_EQ(findAlarms(states::picture(view)).front().confirmed, 4);
}

// A rank that lost a connection is a victim of a death. The remaining rank may notice the death next, and waits for no
// other rank.
TEST(Alarms, OnlyATimeoutBlamesTheRankThatStillRuns)
{
    for (const char *error : {"RuntimeError: Connection reset by peer", ""}) {
        JobState view = healthy(4);
        for (int rank = 0; rank < 3; ++rank)
            end(view, rank, error, *error == '\0' ? std::optional<int>(-15) : std::nullopt);
        const std::string text = findAlarms(states::picture(view)).front().text();
        EXPECT_THAT(text, HasSubstr("1 other rank is still running."));
        EXPECT_THAT(text, Not(HasSubstr("hangs")));
    }
}

}  // namespace
}  // namespace rankdeck::died_test
