// SPDX-License-Identifier: GPL-3.0-or-later
// Knowledge about each rank from process lists and log lines alone.
#include "core/engine/rank_monitor.h"

#include "core/base/clock.h"
#include "tests/testbed/test_clock.h"

#include <gtest/gtest.h>

#include <thread>

namespace rankdeck::rank_news_test {
namespace {

class RankNews : public testing::Test {
protected:
    static Job twoNodes()
    {
        Job job;
        job.name = "ranks";
        job.worldSize = 3;
        job.nodes.push_back({.name = "a", .host = "local", .ranks = {0, 1}});
        job.nodes.push_back({.name = "b", .host = "local", .ranks = {2}});
        job.logs.path = "/l/worker_{rank}.log";
        job.index();
        return job;
    }
    static ProcessInfo process(int rank, int pid, char state = 'S', std::uint64_t start = 100)
    {
        ProcessInfo one;
        one.id = {.pid = pid, .startTicks = start, .bootId = "boot"};
        one.parent = 1;
        one.state = state;
        one.comm = "python3";
        one.argv = {"python3", "train.py"};
        one.env = {{"MS_ROLE", "MS_WORKER"}, {"MS_NODE_ID", "1"}, {"RANK_ID", std::to_string(rank)}};
        one.envReadable = true;
        one.stdoutPath = "/l/worker_" + std::to_string(rank) + ".log";
        one.started = WallTime(std::chrono::seconds(1'000 + pid));
        return one;
    }
    static LogEvent event(EventKind kind, std::uint64_t offset = 0, const std::string &text = "text")
    {
        LogEvent one;
        one.kind = kind;
        one.offset = offset;
        one.text = text;
        return one;
    }
    [[nodiscard]] RankState of(int rank) const
    {
        RankState state;
        state.rank = rank;
        m_ranks.fill(state);
        return state;
    }
    std::vector<int> seeOn(const NodeSpec &node, const std::vector<ProcessInfo> &list)
    {
        return m_ranks.processes(node, sortProcesses(m_job, node, list), {.processes = list, .complete = true});
    }
    std::vector<int> seeA(const std::vector<ProcessInfo> &list) { return seeOn(m_job.nodes[0], list); }
    std::vector<int> seeB(const std::vector<ProcessInfo> &list) { return seeOn(m_job.nodes[1], list); }

    Job m_job = twoNodes();
    RankMonitor m_ranks{m_job};
};

TEST_F(RankNews, ReportsOnlyTheRanksThatChanged)
{
    EXPECT_EQ(seeA({process(0, 10), process(1, 11)}), (std::vector<int>{0, 1}));
    EXPECT_TRUE(seeA({process(0, 10, 'R'), process(1, 11)}).empty()) << "that it computes now is no news";
    EXPECT_EQ(seeA({process(0, 10, 'T'), process(1, 11)}), std::vector<int>{0}) << "that it was stopped is";
    EXPECT_EQ(seeA({process(0, 10), process(1, 11, 'S', 900)}), (std::vector<int>{0, 1}))
        << "the same number, another process";
}

TEST_F(RankNews, VanishedRankIsLeavingUntilItsLastLinesCanArrive)
{
    seeA({process(0, 10), process(1, 11)});
    EXPECT_EQ(seeA({process(1, 11)}), std::vector<int>{0});
    EXPECT_EQ(of(0).alive, false);
    EXPECT_TRUE(of(0).leaving);
    EXPECT_TRUE(of(0).goneSince);
    EXPECT_FALSE(of(0).process) << "its process is no process to signal any more";
    const SteadyTime deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!m_ranks.tick() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    EXPECT_FALSE(of(0).leaving);
    EXPECT_FALSE(of(1).leaving);
    EXPECT_FALSE(m_ranks.tick()) << "told once";
}

TEST_F(RankNews, ZombieIsNotAlive)
{
    seeA({process(0, 10), process(1, 11)});
    seeA({process(0, 10, 'Z'), process(1, 11)});
    EXPECT_EQ(of(0).alive, false);
}

TEST_F(RankNews, RanksOfASilentNodeAreUnknownAndOthersAreNot)
{
    seeA({process(0, 10)});
    seeB({process(2, 12)});
    m_ranks.silent(m_job.nodes[0]);
    EXPECT_TRUE(of(0).alive == std::nullopt);
    EXPECT_TRUE(of(0).seenAlive);
    EXPECT_FALSE(of(0).leaving);
    EXPECT_EQ(of(2).alive, true);
    EXPECT_TRUE(m_ranks.running()) << "it may be saving unseen";
}

TEST_F(RankNews, SilentNodeDoesNotMakeDeadRanksUnknown)
{
    seeA({process(0, 10)});
    seeA({});
    m_ranks.silent(m_job.nodes[0]);
    EXPECT_EQ(of(0).alive, false);
}

TEST_F(RankNews, ReconnectedNodeReportsItsRemainingRanks)
{
    seeA({process(0, 10), process(1, 11)});
    m_ranks.silent(m_job.nodes[0]);
    seeA({process(0, 10)});
    EXPECT_EQ(of(0).alive, true);
    EXPECT_EQ(of(1).alive, false);
    EXPECT_TRUE(of(1).leaving) << "its last lines come with the reconnect";
}

TEST_F(RankNews, NoRankRunsIfNoneWasSeen)
{
    EXPECT_FALSE(m_ranks.running());
    EXPECT_FALSE(m_ranks.anyAlive());
    EXPECT_TRUE(m_ranks.alive().empty());
    seeA({process(1, 11), process(0, 10)});
    EXPECT_TRUE(m_ranks.anyAlive());
    EXPECT_EQ(m_ranks.alive(), (std::vector{0, 1}));
    seeA({});
    EXPECT_FALSE(m_ranks.running());
}

TEST_F(RankNews, RelaunchMayBeSavingBeforeItsProcessesAreSeen)
{
    m_ranks.attemptBegan(0);
    EXPECT_FALSE(m_ranks.running()) << "the first attempt that was found is no launch";
    m_ranks.attemptBegan(1);
    EXPECT_TRUE(m_ranks.running());
}

TEST_F(RankNews, RankThatLogsWithoutAnIdentifiableProcessIsUnknown)
{
    m_ranks.samplesCame(0, 10);
    seeA({});
    EXPECT_TRUE(of(0).alive == std::nullopt) << "it trains; /proc just does not say which one it is";
    m_ranks.logEvent(0, event(EventKind::gracefulExit));
    seeA({});
    EXPECT_EQ(of(0).alive, false) << "by its own word it is on its way out";
}

// A console that starts after a SIGKILL: the other ranks are identified, the list is complete, the log of the rank is
// silent.
TEST_F(RankNews, RankNeverSeenAliveIsDeadIfOnlyItsNeighboursRun)
{
    const auto longAgo = std::chrono::system_clock::now() - std::chrono::seconds(31);
    seeA({process(0, 10)});
    EXPECT_TRUE(of(1).alive == std::nullopt) << "it may be about to be launched";
    m_ranks.samplesCame(1, 90, longAgo + std::chrono::seconds(20));
    seeA({process(0, 10)});
    EXPECT_TRUE(of(1).alive == std::nullopt) << "a step may take that long";
    m_ranks.samplesCame(1, 100, longAgo);
    seeA({process(0, 10)});
    EXPECT_EQ(of(1).alive, false);
    EXPECT_TRUE(of(1).seenAlive) << "it is a death, not an end that nobody knows of";
    seeA({});
    EXPECT_EQ(of(1).alive, false) << "also when its neighbours follow it";
    m_ranks.samplesCame(1, 200);
    EXPECT_TRUE(of(1).alive == std::nullopt) << "it logs: it runs somewhere";
    seeA({process(0, 12), process(1, 13)});
    EXPECT_EQ(of(1).alive, true);
    m_ranks.samplesCame(2, 100, longAgo);
    seeB({});
    EXPECT_TRUE(of(2).alive == std::nullopt) << "without a neighbour nothing shows that it would be seen";
}

// One rank was killed and the others gave up waiting for it, all before this console started.
TEST_F(RankNews, RankSilentBeforeItsPeersTimedOutIsDeadIfNoProcessIsLeft)
{
    const auto now = std::chrono::system_clock::now();
    const auto longAgo = now - std::chrono::seconds(60);
    const auto fails = [&](int rank, const std::string &text) {
        m_ranks.logEvent(rank, event(EventKind::error, 200, text), "/l/worker.log", longAgo + std::chrono::seconds(10));
        seeA({});
        seeB({});
    };
    m_ranks.samplesCame(0, 100, longAgo);
    m_ranks.samplesCame(2, 100, longAgo);
    fails(0, "ValueError: boom");
    EXPECT_EQ(of(0).alive, false);
    EXPECT_EQ(of(2).alive, Known::unknown) << "an error of its own says nothing of others";
    EXPECT_TRUE(of(2).deserted);
    fails(1, "Ring ReduceScatter wait receiving [0,102] failed");
    EXPECT_EQ(of(2).alive, false);
    EXPECT_TRUE(of(2).seenAlive) << "it is a death, not an end that nobody knows of";
    m_ranks.samplesCame(2, 200, now - std::chrono::seconds(35));
    EXPECT_EQ(of(2).alive, Known::unknown) << "it went on after that";
    m_ranks.silent(m_job.nodes[1]);
    EXPECT_FALSE(of(2).deserted);
}

TEST_F(RankNews, NoRankIsDeclaredDeadWhileALauncherRuns)
{
    const auto longAgo = std::chrono::system_clock::now() - std::chrono::seconds(60);
    m_ranks.samplesCame(0, 100, longAgo);
    m_ranks.samplesCame(2, 100, longAgo);
    m_ranks.logEvent(0, event(EventKind::error, 200, "RuntimeError: Connection reset by peer"), "/l/worker_0.log",
                     longAgo + std::chrono::seconds(10));
    seeA({});
    JobProcesses sorted;
    sorted.others.push_back(process(2, 90));
    m_ranks.processes(m_job.nodes[1], sorted, {.processes = sorted.others, .complete = true});
    EXPECT_EQ(of(2).alive, Known::unknown) << "it may start it again, or hold it where it cannot be told apart";
    seeB({});
    EXPECT_EQ(of(2).alive, false);
}

TEST_F(RankNews, MissingRankIsDeclaredDeadByTheClockAlone)
{
    TestClock clock;
    m_ranks.samplesCame(1, 100, wallNow());
    seeA({process(0, 10)});
    clock.advance(std::chrono::seconds(29));
    m_ranks.tick();
    EXPECT_TRUE(of(1).alive.isUnknown());
    clock.advance(std::chrono::seconds(2));
    m_ranks.tick();
    EXPECT_EQ(of(1).alive, false) << "a list that does not change does not come again";
}

// A restarted console reads no old line again, so the last messages in the history still count.
TEST_F(RankNews, ErrorReadByAnEarlierConsoleIsStillTheLastMessage)
{
    Event error;
    error.kind = EventKind::error;
    error.rank = 0;
    error.position = 147;
    error.time = std::chrono::system_clock::now() - std::chrono::minutes(2);
    error.text = "RuntimeError: Launch kernel failed";
    error.logPath = "/l/worker_0.log";
    m_ranks.saidBefore(error, 160);
    EXPECT_FALSE(of(0).error) << "it went on after it";
    m_ranks.saidBefore(error, 147);
    ASSERT_TRUE(of(0).error);
    seeA({});
    EXPECT_EQ(of(0).alive, false);
    seeA({process(0, 10)});
    EXPECT_EQ(of(0).alive, true);
    EXPECT_FALSE(of(0).error) << "another process than the one that failed";
}

TEST_F(RankNews, ErrorCountsOnlyUntilTrainingContinues)
{
    m_ranks.samplesCame(0, 100);
    m_ranks.logEvent(0, event(EventKind::error, 50, "an old one"));
    EXPECT_FALSE(of(0).error) << "it went on after that";
    m_ranks.logEvent(0, event(EventKind::error, 200, "first"), "/l/worker_0.log");
    m_ranks.logEvent(0, event(EventKind::error, 300, "what followed from it"));
    ASSERT_TRUE(of(0).error);
    EXPECT_EQ(of(0).error->text, "first");
    EXPECT_EQ(of(0).error->logPath, "/l/worker_0.log");
    m_ranks.samplesCame(0, 400);
    EXPECT_FALSE(of(0).error);
}

TEST_F(RankNews, BackfilledLogPartsDoNotReplaceALaterError)
{
    m_ranks.samplesCame(0, 400);
    m_ranks.logEvent(0, event(EventKind::error, 500, "the end"));
    m_ranks.samplesCame(0, 90);  // backfill of an older part
    EXPECT_TRUE(of(0).error);
    m_ranks.logEvent(0, event(EventKind::error, 95, "long ago"));
    EXPECT_EQ(of(0).error->text, "the end");
}

TEST_F(RankNews, HardwareFaultsAreErrors)
{
    m_ranks.logEvent(0, event(EventKind::uce, 1, "UCE"));
    m_ranks.logEvent(1, event(EventKind::hcce, 1, "HCCE"));
    m_ranks.logEvent(2, event(EventKind::warning, 1, "just a warning"));
    EXPECT_TRUE(of(0).error);
    EXPECT_TRUE(of(1).error);
    EXPECT_FALSE(of(2).error);
}

TEST_F(RankNews, KeepsTheLoadLineThatNamesAStep)
{
    LogEvent vague = event(EventKind::resumed, 1, "loading");
    LogEvent precise = event(EventKind::resumed, 2, "loaded step 40");
    precise.globalStep = 40;
    LogEvent later = event(EventKind::resumed, 3, "loaded step 41");
    later.globalStep = 41;
    for (const LogEvent &one : {vague, precise, later}) m_ranks.logEvent(0, one);
    EXPECT_EQ(of(0).resumed->globalStep, 40);
    LogEvent nothing = event(EventKind::warning, 4, "no checkpoint found");
    nothing.nothingLoaded = true;
    m_ranks.logEvent(1, nothing);
    ASSERT_TRUE(of(1).resumed);
    EXPECT_TRUE(of(1).resumed->nothingLoaded);
}

TEST_F(RankNews, NewAttemptClearsEarlierLogFacts)
{
    seeA({process(0, 10), process(1, 11)});
    seeA({process(1, 11)});
    m_ranks.samplesCame(0, 1000);
    m_ranks.logEvent(0, event(EventKind::gracefulExit, 1001));
    m_ranks.logEvent(0, event(EventKind::error, 1002));
    LogEvent died = event(EventKind::rankDied);
    died.exitCode = 7;
    m_ranks.logEvent(0, died);
    EXPECT_EQ(of(0).exitCode, 7);
    m_ranks.attemptBegan(1);
    const RankState begun = of(0);
    EXPECT_FALSE(begun.gracefulExitSeen || begun.gracefulExitTime || begun.error || begun.exitCode || begun.goneSince);
    EXPECT_TRUE(begun.alive == std::nullopt) << "the new process is not seen yet: it has not died";
    EXPECT_FALSE(begun.seenAlive);
    EXPECT_EQ(of(1).alive, true);
    m_ranks.logEvent(0, event(EventKind::error, 10));
    EXPECT_TRUE(of(0).error) << "the log is a new one: its first bytes are not older than the last sample of before";
}

// Errors before a rank exited on request did not end it; errors after its exit line may have.
TEST_F(RankNews, ExitLineClearsErrorsBeforeItButNotAfter)
{
    m_ranks.samplesCame(0, 100);
    m_ranks.logEvent(0, event(EventKind::error, 101));
    m_ranks.logEvent(0, event(EventKind::gracefulExit, 102));
    EXPECT_FALSE(of(0).error);
    m_ranks.logEvent(0, event(EventKind::error, 103));
    EXPECT_TRUE(of(0).error);
}

// If a relaunch appends to the log, no new attempt begins in the log: only the process shows that it is another one.
TEST_F(RankNews, NewProcessDoesNotInheritTheEndOfThePreviousOne)
{
    seeA({process(0, 10)});
    m_ranks.logEvent(0, event(EventKind::gracefulExit, 5));
    LogEvent died = event(EventKind::rankDied);
    died.exitCode = 0;
    m_ranks.logEvent(0, died);
    seeA({});
    seeA({process(0, 20)});
    EXPECT_FALSE(of(0).exitCode);
    EXPECT_FALSE(of(0).gracefulExitSeen) << "when this one dies, nobody may call it an exit";
    EXPECT_FALSE(of(0).gracefulExitTime);
}

TEST_F(RankNews, PidOfAnEndedProcessStillIdentifiesItsRank)
{
    seeA({process(1, 11)});
    seeA({});
    EXPECT_EQ(m_ranks.rankOfPid("a", 11), 1);
    EXPECT_FALSE(m_ranks.rankOfPid("b", 11)) << "numbers are a machine's own";
    EXPECT_FALSE(m_ranks.rankOfPid("a", 12));
}

TEST_F(RankNews, IgnoresARankThatIsAssignedToAnotherNode)
{
    seeA({process(0, 10), process(2, 12)});
    EXPECT_EQ(of(0).alive, true);
    EXPECT_FALSE(of(2).alive == true) << "rank 2 is on b; what says so on a is another job's";
    m_ranks.logEvent(77, event(EventKind::error));  // a rank outside of the job
    EXPECT_FALSE(of(77).error);
}

}  // namespace
}  // namespace rankdeck::rank_news_test
