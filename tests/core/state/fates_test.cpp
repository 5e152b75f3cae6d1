// SPDX-License-Identifier: GPL-3.0-or-later
// Fates of ranks: running, exited, died. One rule decides, with a proof for each answer.
#include "core/state/fates.h"

#include "tests/core/state/states.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace rankdeck::fates_test {
namespace {

using states::end;
using states::healthy;

TEST(Fates, RankGoneWithoutAMessageDied)
{
    JobState view = healthy(8);
    end(view, 3);
    EXPECT_EQ(fatesOf(view).died, std::vector<int>{3});
    for (int rank = 0; rank < 8; ++rank) end(view, rank);
    const Fates all = fatesOf(view);
    EXPECT_EQ(all.died.size(), 8u);
    EXPECT_TRUE(all.allDied());
    EXPECT_TRUE(all.exited.empty());
}

TEST(Fates, ExitNeedsAnExitLineCodeZeroOrAProvenStop)
{
    JobState view = healthy(3);
    for (int rank = 0; rank < 3; ++rank) end(view, rank);
    view.ranks[0].gracefulExitSeen = true;
    view.ranks[1].exitCode = 0;
    const Fates fates = fatesOf(view);
    EXPECT_EQ(fates.exited, (std::vector<int>{0, 1}));
    EXPECT_EQ(fates.died, std::vector<int>{2});
    EXPECT_EQ(fatesOf(view, Excuse::proven).exited.size(), 3u);
}

// With dataset sink the last line always ends an epoch, although a rank dies in the middle of one.
TEST(Fates, RankGoneLongAfterItsLastLineDiedIfItLogsOncePerEpoch)
{
    JobState view = healthy(4, 600);
    view.checkpoints.sets = {states::validSet(600, 4)};
    for (RankState &rank : view.ranks) {
        rank.progress.heard = states::now() - std::chrono::seconds(20);
        rank.firstSamples = {{.step = 100}, {.step = 200}};
    }
    end(view, 1);
    EXPECT_EQ(fatesOf(view).died, std::vector<int>{1});
    for (int rank = 0; rank < 4; ++rank) end(view, rank);
    EXPECT_EQ(fatesOf(view).died.size(), 4u);
    for (RankState &rank : view.ranks) rank.listedLast = states::now() - std::chrono::seconds(15);
    EXPECT_EQ(fatesOf(view).ended.size(), 4u) << "it may have gone when nobody looked";
    for (RankState &rank : view.ranks) rank.listedLast = states::now();
    JobState dense = view;
    for (RankState &rank : dense.ranks) rank.firstSamples = {{.step = 1}, {.step = 2}};
    EXPECT_EQ(fatesOf(dense).ended.size(), 4u);
    view.checkpoints.sets[0].time = states::now() - std::chrono::seconds(5);
    EXPECT_EQ(fatesOf(view).ended.size(), 4u) << "it has saved until then";
}

// A rank that logs its exit line and then fails to save has lost its state.
TEST(Fates, ExitLineProvesNothingIfTheRankFailedAfterIt)
{
    JobState view = healthy(6);
    const std::string full = "OSError: [Errno 28] No space left on device\n  File \"t.py\", line 1, in save_checkpoint";
    end(view, 0, full);
    end(view, 1, "Failed to save the checkpoint file /c/LeNet5_train.ckpt");
    end(view, 2, {}, -11);
    end(view, 3, "Destroying the context failed");
    end(view, 4, "Connection closed by peer");
    end(view, 5, full, 0);
    for (RankState &rank : view.ranks) rank.gracefulExitSeen = true;
    const Fates fates = fatesOf(view);
    EXPECT_EQ(fates.died.size(), 3u);
    EXPECT_EQ(fates.exited, (std::vector<int>{3, 4, 5})) << "teardown is noisy, and code 0 is a proof";
    EXPECT_TRUE(fatesOf(view, Excuse::proven).died.empty());
}

TEST(Fates, StopWithoutLogLinesExcusesRanksUntilItIsJudged)
{
    JobState view = healthy(2);
    end(view, 0);
    end(view, 1, "OSError: [Errno 28] No space left on device");
    const Fates fates = fatesOf(view, Excuse::pending);
    EXPECT_EQ(fates.leaving, std::vector<int>{0});
    EXPECT_EQ(fates.died, std::vector<int>{1}) << "an error is no obedience";
    view.ranks[0].exitCode = -15;
    EXPECT_EQ(fatesOf(view, Excuse::pending).leaving, std::vector<int>{0}) << "it was asked to";
    EXPECT_EQ(fatesOf(view, Excuse::proven).exited.size(), 2u);
    for (const int code : {-9, -11, 1}) {
        view.ranks[0].exitCode = code;
        EXPECT_EQ(fatesOf(view, Excuse::pending).died.size(), 2u) << code;
    }
}

// Its log went on after its process was seen gone, for example through a launcher's pipe.
TEST(Fates, RankWhoseLogOutlivesItsProcessIsTheOnlyDeadRank)
{
    JobState view = healthy(3);
    end(view, 1);
    view.ranks[1].goneSince = states::now() - std::chrono::seconds(60);
    view.ranks[1].progress.heard = states::now() - std::chrono::seconds(20);
    EXPECT_EQ(fatesOf(view).died, std::vector<int>{1});
    EXPECT_EQ(fatesOf(view).diedFirst, std::vector<int>{1});
}

TEST(Fates, LastMessageMayArriveForAShortTime)
{
    JobState view = healthy(1);
    end(view, 0);
    EXPECT_TRUE(mayStillSpeak(view.ranks[0], states::now()));
    EXPECT_FALSE(mayStillSpeak(view.ranks[0], secondsAfter(states::now(), lastLinesDelay)));
    end(view, 0, "ValueError: boom");
    EXPECT_FALSE(mayStillSpeak(view.ranks[0], states::now())) << "it has spoken";
    view.ranks[0].error.reset();
    view.ranks[0].goneSince.reset();
    EXPECT_FALSE(mayStillSpeak(view.ranks[0], states::now())) << "from before this console looked";
}

TEST(Fates, RankIsNotDeadWhileItsLastLinesAreInTransit)
{
    JobState view = healthy(2);
    end(view, 1);
    view.ranks[1].leaving = true;
    EXPECT_TRUE(fatesOf(view).died.empty());
    EXPECT_EQ(fatesOf(view).leaving, std::vector<int>{1});
}

TEST(Fates, RankOnASilentNodeIsUnknownNotDead)
{
    JobState view = healthy(4);
    for (int rank : {2, 3}) view.ranks[static_cast<std::size_t>(rank)].alive.reset();
    const Fates fates = fatesOf(view);
    EXPECT_EQ(fates.unknown, (std::vector<int>{2, 3}));
    EXPECT_TRUE(fates.died.empty());
    EXPECT_FALSE(fates.allDied());
}

TEST(Fates, LateConsoleReportsOnlyDeathsThatLogsProve)
{
    JobState view = healthy(2);
    for (RankState &rank : view.ranks) rank.seenAlive = false;
    end(view, 0);
    end(view, 1, "RuntimeError: boom");
    const Fates fates = fatesOf(view);
    EXPECT_EQ(fates.ended, std::vector<int>{0});
    EXPECT_EQ(fates.died, std::vector<int>{1});
}

TEST(Fates, EndOfTrainingIsNotADeath)
{
    JobState view = healthy(2, 600);
    end(view, 0);
    EXPECT_EQ(fatesOf(view).ended, std::vector<int>{0}) << "the others leave a moment later";
    end(view, 1);
    EXPECT_EQ(fatesOf(view).died.size(), 2u) << "nothing was saved at the end";
    view.checkpoints.sets = {states::validSet(600, 2)};
    EXPECT_EQ(fatesOf(view).ended.size(), 2u);
    view.ranks[1].progress.position = 601;
    EXPECT_EQ(fatesOf(view).died.size(), 2u) << "somebody went beyond it";
}

// At the end of an epoch a job saves and evaluates. A rank that dies there without an error line has not finished.
TEST(Fates, RankGoneAtTheEndOfAnEpochDiedIfAnyRankFailed)
{
    using Failure = std::function<void(JobState &)>;
    const std::vector<std::pair<const char *, Failure>> failures = {
        {"a peer that lost it", [](JobState &view) { end(view, 2, "RuntimeError: Connection reset by peer"); }},
        {"a peer that still runs",
         [](JobState &view) {
             view.ranks[2].error = RankError{states::now(), "RuntimeError: HCCL AllReduce timeout", "/job/2.log", 0};
         }},
        {"a cause of another rank",
         [](JobState &view) { end(view, 2, "OSError: [Errno 28] No space left on device"); }},
        {"an exit code", [](JobState &view) { end(view, 2, {}, 1); }},
        {"a kill by the kernel",
         [](JobState &view) {
             end(view, 2);
             view.ranks[2].oomKill.emplace();
         }},
    };
    for (const auto &[what, fail] : failures) {
        JobState view = healthy(4, 600);
        view.checkpoints.sets = {states::validSet(600, 4)};
        end(view, 1);
        EXPECT_EQ(fatesOf(view).ended, std::vector<int>{1}) << what;
        fail(view);
        const std::vector<int> died = fatesOf(view).died;
        EXPECT_NE(std::find(died.begin(), died.end(), 1), died.end()) << what;
        view.ranks[0].progress.total = 600;
        EXPECT_EQ(fatesOf(view).ended, std::vector<int>{1}) << "the job's own lines name its end: " << what;
    }
    JobState stopped = healthy(4, 600);
    end(stopped, 1);
    end(stopped, 2, {}, 128 + SIGTERM);
    EXPECT_EQ(fatesOf(stopped).ended, std::vector<int>{1}) << "a launcher ends the others of a finished job";
}

// Only the first rank logs, and its lines name the number of steps: no rank has died.
TEST(Fates, RanksThatEndAtTheDeclaredLastStepHaveNotDied)
{
    JobState view = healthy(4, 500);
    view.stepsPerEpoch = 0;
    for (RankState &rank : view.ranks)
        if (rank.rank > 0) rank.progress = {};
    for (int rank = 0; rank < 4; ++rank) end(view, rank);
    EXPECT_EQ(fatesOf(view).died.size(), 4u) << "nothing says that it was the last";
    view.ranks[0].progress.total = 500;
    EXPECT_EQ(fatesOf(view).ended.size(), 4u);
    view.ranks[2].exitCode = -9;
    EXPECT_EQ(fatesOf(view).died, std::vector<int>{2}) << "its launcher knows better";
    view.ranks[0].progress.total = 501;
    EXPECT_EQ(fatesOf(view).died.size(), 4u);
}

TEST(Fates, ListsRanksThatTimedOutAfterTheRankWithItsOwnFailure)
{
    JobState view = healthy(4);
    end(view, 0, "RuntimeError: Connection reset by peer");
    end(view, 1, "RuntimeError: HCCL AllReduce timeout, wait 30 s");
    end(view, 2, "OSError: [Errno 28] No space left on device");
    end(view, 3);
    view.ranks[2].error->time = states::now();  // although its log is read last
    EXPECT_EQ(fatesOf(view).died, (std::vector<int>{2, 3, 0, 1}));
}

// The logs of a job are read in any order, each line up to a second after it was written.
TEST(Fates, FirstDeadRankDoesNotDependOnTheOrderOfReading)
{
    const auto died = [](std::vector<int> order, bool worded) {
        JobState view = healthy(4);
        std::sort(view.ranks.begin(), view.ranks.end(), [](auto &a, auto &b) { return a.rank < b.rank; });
        for (std::size_t at = 0; at < order.size(); ++at) {
            end(view, order[at], worded ? "ValueError: boom" : "");
            RankState &rank = view.ranks[static_cast<std::size_t>(order[at])];
            const WallTime read = states::now() + std::chrono::milliseconds(300 * at);
            if (worded) rank.error->time = read;
            rank.progress.heard = read - std::chrono::milliseconds(250);
            rank.goneSince = read;
        }
        return fatesOf(view);
    };
    for (const bool worded : {true, false}) {
        std::vector<int> order = {0, 1, 2, 3};
        do {
            const Fates fates = died(order, worded);
            EXPECT_EQ(fates.died, (std::vector<int>{0, 1, 2, 3}));
            EXPECT_EQ(fates.diedFirst.size(), 4u);
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

TEST(Fates, RankGoneWhileOthersWereStillSeenDiedFirst)
{
    JobState view = healthy(3);
    const auto at = [](int seconds) { return states::now() + std::chrono::seconds(seconds); };
    end(view, 1);
    end(view, 2);
    for (RankState &rank : view.ranks) rank.progress.heard = at(-30);  // they waited for each other
    view.ranks[1].goneSince = at(-10);
    view.ranks[2].goneSince = at(-4);
    EXPECT_EQ(fatesOf(view).diedFirst, (std::vector<int>{1, 2})) << "as far as their lines tell";
    view.ranks[2].listedLast = at(-6);
    EXPECT_EQ(fatesOf(view).diedFirst, std::vector<int>{1});
    end(view, 0, "ValueError: boom");
    EXPECT_EQ(fatesOf(view).died, (std::vector<int>{1, 0, 2})) << "its word came when rank 1 had long been gone";
    view.ranks[0].error->time = at(-10);
    EXPECT_EQ(fatesOf(view).diedFirst, std::vector<int>{0})
        << "at one time: who says why, for the others may follow it";
}

TEST(Fates, LastProcessListEntryCountsIfLogLinesAreFarApart)
{
    JobState view = healthy(1);
    RankState &rank = view.ranks[0];
    rank.progress.heard = states::now() - std::chrono::minutes(20);
    rank.listedLast = states::now() - std::chrono::seconds(1);
    EXPECT_EQ(lastSign(rank), rank.progress.heard) << "it lives";
    end(view, 0);
    EXPECT_EQ(lastSign(rank), rank.listedLast);
    rank.listedLast = states::now() + std::chrono::seconds(1);
    EXPECT_EQ(lastSign(rank), rank.goneSince) << "never after it was seen to be gone";
}

TEST(Fates, KernelMessageAboutAKillIsASeparateCause)
{
    JobState view = healthy(3);
    end(view, 0, "RuntimeError: Connection reset by peer");
    end(view, 1);
    view.ranks[1].seenAlive = false;
    view.ranks[1].oomKill = OomKill{"Memory cgroup out of memory: Killed process 4711 (python)", true};
    end(view, 2, "ValueError: boom");
    view.ranks[2].oomKill = OomKill{"Out of memory: Killed process 4712 (python)", false};
    EXPECT_EQ(causeOf(view.ranks[1]), FailureCause::groupOutOfMemory);
    EXPECT_EQ(causeOf(view.ranks[2]), FailureCause::outOfMemory) << "whatever its log says";
    EXPECT_EQ(howItDied(view.ranks[1]), view.ranks[1].oomKill->text);
    EXPECT_EQ(fatesOf(view).died.size(), 3u);
    EXPECT_EQ(causeOf(view.ranks[1].oomKill->text, {}), FailureCause::groupOutOfMemory) << "as an event keeps it";
    EXPECT_EQ(causeOf(view.ranks[2].oomKill->text, {}), FailureCause::outOfMemory);
}

// MindX DL's ExceptionCheckpoint raises this after a SIGTERM if its save succeeded.
TEST(FailureCause, SavedEmergencyCheckpointMeansARequestToEnd)
{
    const FailureCause cause = causeOf("RuntimeError: Term exception happened.", 1);
    EXPECT_EQ(cause, FailureCause::emergencySaved);
    EXPECT_EQ(causeText(cause), "it was asked to end and had saved an emergency checkpoint");
    EXPECT_TRUE(isConsequence(cause));
}

// Messages of the frameworks' backends: a rank that could not send or receive is the victim of its peer.
TEST(FailureCause, CollectiveErrorIsAConsequenceOfALostPeer)
{
    for (const char *line : {"RuntimeError: Ring ReduceScatter wait receiving [0,162] failed",
                             "torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:2113, remote "
                             "process exited or there "
                             "was a network error",
                             "RuntimeError: [../gloo/transport/tcp/pair.cc:534] allreduce: recv failed: Socket closed"})
        EXPECT_TRUE(isConsequence(causeOf(line, std::nullopt))) << line;
    for (const char *line : {"ValueError: broadcast shapes do not match", "RuntimeError: failed to send the metric",
                             "TypeError: all_gather got an unexpected keyword"})
        EXPECT_FALSE(isConsequence(causeOf(line, std::nullopt))) << line;
}

TEST(FailureCause, IsRecognisedInTracebacksAndSignals)
{
    EXPECT_EQ(causeOf("OSError: [Errno 27] File too large\n  File x", {}), FailureCause::diskFull);
    EXPECT_EQ(causeOf("OSError: [Errno 28] No space left on device", {}), FailureCause::diskFull);
    EXPECT_EQ(causeOf("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried", {}), FailureCause::deviceOutOfMemory);
    EXPECT_EQ(causeOf("MemoryError", {}), FailureCause::outOfMemory);
    EXPECT_EQ(causeOf("ModuleNotFoundError: No module named 'x'", {}), FailureCause::missingModule);
    EXPECT_EQ(causeOf("RuntimeError: HCCL_EXEC_TIMEOUT reached", {}), FailureCause::collectiveTimeout);
    EXPECT_EQ(causeOf("ValueError: loss is nan, training stops", {}), FailureCause::nonFinite);
    EXPECT_EQ(causeOf("", -9), FailureCause::killed);
    EXPECT_EQ(causeOf("", 139), FailureCause::crashed);
    EXPECT_EQ(causeOf("", 1), FailureCause::unknown);
    EXPECT_EQ(causeOf("KeyError: 'x'", {}), FailureCause::unknown);
    EXPECT_EQ(exitText(-9), "signal 9 (SIGKILL)");
    EXPECT_EQ(exitText(2), "exit code 2");
}

}  // namespace
}  // namespace rankdeck::fates_test
