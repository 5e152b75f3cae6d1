// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a rank runs: yes, no (with proof), or unknown.
#include "core/engine/rank_monitor.h"

#include <gtest/gtest.h>

namespace rankdeck::rank_monitor_test {
namespace {

Job oneRank()
{
    Job job;
    job.name = "llama";
    job.worldSize = 1;
    job.nodes.push_back({.name = "n0", .host = "local", .ranks = {0}});
    job.logs.path = "/job/worker_{rank}.log";
    return job;
}

class RankMonitorTest : public testing::Test {
protected:
    void look(bool complete, std::vector<ProcessInfo> processes = {})
    {
        monitor.processes(m_job.nodes.front(), sortProcesses(m_job, m_job.nodes.front(), processes),
                          {.processes = processes, .bootId = "boot", .complete = complete});
    }
    void logged(EventKind kind, std::optional<int> exitCode = {})
    {
        LogEvent event;
        event.kind = kind;
        event.exitCode = exitCode;
        event.text = "OSError: [Errno 28] No space left on device";
        monitor.logEvent(0, event);
    }
    [[nodiscard]] RankState state() const
    {
        RankState state{.rank = 0, .node = "n0"};
        monitor.fill(state);
        return state;
    }
    [[nodiscard]] static ProcessInfo writer()
    {
        ProcessInfo process;
        process.id = {.pid = 77, .startTicks = 5};
        process.state = 'S';
        process.stdoutPath = "/job/worker_0.log";
        return process;
    }
    const Job m_job = oneRank();
    RankMonitor monitor{m_job};
};

TEST_F(RankMonitorTest, SilenceOfANeverSeenRankIsNotAnEnd)
{
    look(true);
    EXPECT_EQ(state().alive, Known::unknown);
    look(false);
    EXPECT_EQ(state().alive, Known::unknown);
}

TEST_F(RankMonitorTest, ExitLineProvesAnEndOnlyWithACompleteProcessList)
{
    logged(EventKind::gracefulExit);
    look(false);
    EXPECT_EQ(state().alive, Known::unknown);
    look(true);
    EXPECT_EQ(state().alive, Known::no);
}

TEST_F(RankMonitorTest, LastErrorProvesAnEndOnlyWithACompleteProcessList)
{
    logged(EventKind::error);
    look(false);
    EXPECT_EQ(state().alive, Known::unknown);
    look(true);
    EXPECT_EQ(state().alive, Known::no);
    monitor.samplesCame(0, 100);
    look(true);
    EXPECT_EQ(state().alive, Known::unknown) << "it went on";
}

TEST_F(RankMonitorTest, OldLastErrorProvesAnEndAtTheFirstProcessList)
{
    const auto longAgo = std::chrono::system_clock::now() - std::chrono::minutes(5);
    LogEvent event;
    event.kind = EventKind::error;
    event.offset = 200;
    event.text = "RuntimeError: Launch kernel failed";
    monitor.samplesCame(0, 100, longAgo);
    monitor.logEvent(0, event, "/job/worker_0.log", longAgo);
    look(true);
    EXPECT_EQ(state().alive, Known::no);
    ASSERT_TRUE(state().error);
    EXPECT_EQ(state().error->time, longAgo);

    monitor.samplesCame(0, 300);
    look(true);
    EXPECT_EQ(state().alive, Known::unknown) << "it went on";
}

// As in a first update that takes a second: the decision comes with the list or the log, whichever arrives last.
TEST_F(RankMonitorTest, LastErrorProvesAnEndEvenIfTheProcessListCameFirst)
{
    const auto longAgo = std::chrono::system_clock::now() - std::chrono::minutes(5);
    LogEvent event;
    event.kind = EventKind::error;
    event.offset = 200;
    event.text = "RuntimeError: injected failure";
    look(true);
    EXPECT_EQ(state().alive, Known::unknown) << "it has said nothing";
    monitor.attemptBegan(0);  // as when the head of its log is read
    monitor.samplesCame(0, 100, longAgo);
    monitor.logEvent(0, event, "/job/worker_0.log", longAgo);
    EXPECT_EQ(state().alive, Known::no);

    monitor.attemptBegan(1);
    monitor.logEvent(0, event, "/job/worker_0.log", std::chrono::system_clock::now() + std::chrono::seconds(1));
    EXPECT_EQ(state().alive, Known::unknown) << "the list is older than what it said";
    monitor.silent(m_job.nodes.front());
    monitor.attemptBegan(2);
    monitor.logEvent(0, event, "/job/worker_0.log", longAgo);
    EXPECT_EQ(state().alive, Known::unknown) << "no list is known";
}

// The kernel's name for its output changes with the file's name, and ends in "(deleted)" when the file is gone.
TEST_F(RankMonitorTest, RankStaysAliveWhenItsLogIsDeletedOrRenamed)
{
    ProcessInfo rank = writer();
    look(true, {rank});
    for (const char *name : {"/job/worker_0.log (deleted)", "/job/old/worker_0.log", ""}) {
        rank.stdoutPath = name;
        look(true, {rank});
        EXPECT_EQ(state().alive, Known::yes) << name;
        EXPECT_FALSE(state().goneSince) << name;
    }
    rank.state = 'Z';
    look(true, {rank});
    EXPECT_EQ(state().alive, Known::no) << "a zombie has ended";
    rank.state = 'S';
    rank.id.startTicks += 100;
    look(true, {rank});
    EXPECT_EQ(state().alive, Known::no) << "another one with its pid";
}

// nohup bash run.sh > worker_0.log: the script outlives the rank that it started, and starts it again.
TEST_F(RankMonitorTest, ScriptThatOutlivesARankIsNotTheRank)
{
    ProcessInfo script = writer(), trainer = writer(), again = writer();
    script.comm = "bash";
    trainer.comm = again.comm = "python3";
    trainer.id.pid = 78;
    again.id.pid = 90;
    trainer.parent = again.parent = script.id.pid;
    look(true, {script});
    EXPECT_EQ(state().alive, Known::yes) << "it is about to start it";
    look(true, {script, trainer});
    EXPECT_EQ(state().process->id.pid, 78);
    look(true, {script});
    EXPECT_EQ(state().alive, Known::no);
    look(true, {script, again});
    EXPECT_EQ(state().alive, Known::yes);
    EXPECT_EQ(state().process->id.pid, 90);
}

TEST_F(RankMonitorTest, DeathSeenByAnEarlierConsoleCountsForTheNextOne)
{
    Event death;
    death.kind = EventKind::rankDied;
    death.rank = 0;
    death.time = std::chrono::system_clock::now() - std::chrono::minutes(5);
    death.text = "its process ended; its log shows no reason";
    monitor.saidBefore(death);
    look(false);
    EXPECT_EQ(state().alive, Known::unknown) << "a process that is hidden may be it";
    look(true);
    EXPECT_EQ(state().alive, Known::no);
    EXPECT_TRUE(state().seenAlive);
    EXPECT_EQ(state().goneSince, death.time);
    EXPECT_FALSE(state().error);
    monitor.samplesCame(0, 500, death.time + std::chrono::minutes(1));
    look(true);
    EXPECT_EQ(state().alive, Known::unknown) << "its log went on: somebody runs it";

    death.logPath = "/job/worker_0.log";
    death.text = "RuntimeError: Launch kernel failed";
    monitor.saidBefore(death);
    ASSERT_TRUE(state().error);
    EXPECT_EQ(state().error->text, death.text);
}

class SeenBefore : public RankMonitorTest {
protected:
    static RankSighting sighting(const std::string &boot = "boot")
    {
        return {.rank = 0,
                .node = "n0",
                .process = {.pid = 77, .startTicks = 5, .bootId = boot},
                .program = "python3",
                .seen = std::chrono::system_clock::now() - std::chrono::hours(1)};
    }
};

TEST_F(SeenBefore, ProcessOfAnEarlierConsoleIsGoneIfItsMachineNoLongerListsIt)
{
    monitor.seenBefore(sighting());
    EXPECT_EQ(state().alive, Known::unknown) << "before anybody has looked";
    EXPECT_FALSE(state().seenAlive || state().process);
    look(true);
    EXPECT_EQ(state().alive, Known::no);
    EXPECT_TRUE(state().seenAlive);
    EXPECT_EQ(state().listedLast.has_value(), true);
    EXPECT_EQ(monitor.sightings(0, {}).size(), 1u) << "until its end is told, the next console must know of it";
    EXPECT_TRUE(monitor.sightings(0, {0}).empty());
}

TEST_F(SeenBefore, ProvesNothingAfterARebootOnAnotherNodeOrWithAnIncompleteList)
{
    for (const auto &[boot, complete] : {std::pair("another boot", true), {"", true}, {"boot", false}}) {
        monitor = RankMonitor(m_job);
        monitor.seenBefore(sighting(boot));
        look(complete);
        EXPECT_EQ(state().alive, Known::unknown) << boot;
        EXPECT_FALSE(state().seenAlive || state().process) << boot;
    }
    monitor = RankMonitor(m_job);
    RankSighting elsewhere = sighting();
    elsewhere.node = "n1";
    monitor.seenBefore(elsewhere);
    look(true);
    EXPECT_EQ(state().alive, Known::unknown);
}

TEST_F(SeenBefore, RecognisesTheSameProcessAfterItsLogWasRenamed)
{
    monitor.seenBefore(sighting());
    ProcessInfo rotated = writer();
    rotated.id.bootId = "boot";
    rotated.stdoutPath = "/job/worker_0.log.1";
    look(true, {rotated});
    EXPECT_EQ(state().alive, Known::yes);
    ASSERT_EQ(monitor.sightings(4, {0}).size(), 1u);
    EXPECT_EQ(monitor.sightings(4, {0}).front().attempt, 4);
    EXPECT_EQ(monitor.sightings(4, {0}).front().process, rotated.id);
}

TEST_F(SeenBefore, IsIgnoredAfterANewAttemptBegan)
{
    monitor.seenBefore(sighting());
    monitor.attemptBegan(1);
    look(true);
    EXPECT_EQ(state().alive, Known::unknown);
}

TEST_F(SeenBefore, IsKeptForTheNextConsoleIfTheNodeDoesNotAnswer)
{
    monitor.seenBefore(sighting());
    monitor.silent(m_job.nodes.front());
    EXPECT_EQ(monitor.sightings(0, {0}).size(), 1u);
    EXPECT_EQ(monitor.pidsOn(m_job.nodes.front()), std::vector<int>{77}) << "it is asked for by its number";
}

TEST_F(RankMonitorTest, KeepsTheFirstErrorUnlessALaterOneNamesTheCause)
{
    const auto says = [&](std::uint64_t offset, const std::string &text) {
        LogEvent event;
        event.kind = EventKind::error;
        event.offset = offset;
        event.text = text;
        monitor.logEvent(0, event);
        return state().error->text;
    };
    EXPECT_EQ(says(10, "Task failed"), "Task failed");
    EXPECT_EQ(says(20, "RuntimeError: Connection reset by peer"), "Task failed") << "that is no cause";
    EXPECT_EQ(says(30, "KeyError: 'x'"), "Task failed");
    EXPECT_EQ(says(40, "OSError: No space left on device"), "OSError: No space left on device");
    EXPECT_EQ(says(50, "MemoryError"), "OSError: No space left on device");
}

TEST_F(RankMonitorTest, AssignsAKernelMessageToTheProcessThatEnded)
{
    ProcessList list{.processes = {writer()}, .complete = true};
    const auto look = [&](const std::vector<ProcessOomKill> &kills, bool there) {
        list.processes = there ? std::vector<ProcessInfo>{writer()} : std::vector<ProcessInfo>();
        list.oomKills = kills;
        return monitor.processes(m_job.nodes.front(), sortProcesses(m_job, m_job.nodes.front(), list.processes), list);
    };
    const ProcessOomKill kill{77, 5, true, "Memory cgroup out of memory: Killed process 77 (python)"};
    look({}, true);
    look({kill}, true);
    EXPECT_FALSE(state().oomKill) << "it lives";
    look({{77, 4, true, kill.text}, {78, 5, true, kill.text}}, false);
    EXPECT_FALSE(state().oomKill) << "of another process";
    EXPECT_EQ(look({kill}, false), std::vector<int>{0}) << "told a look after it was gone, that is news";
    ASSERT_TRUE(state().oomKill);
    EXPECT_TRUE(state().oomKill->ofGroup);
    EXPECT_TRUE(state().listedLast);
    EXPECT_TRUE(look({kill}, false).empty());
    monitor.attemptBegan(1);
    EXPECT_FALSE(state().oomKill);
    Event death;
    death.kind = EventKind::rankDied;
    death.rank = 0;
    death.text = kill.text;
    monitor.saidBefore(death);
    ASSERT_TRUE(state().oomKill) << "as an earlier console heard it";
    EXPECT_EQ(state().oomKill->text, kill.text);
}

TEST_F(RankMonitorTest, JoinsRetriesIntoOneWaitForTheScheduler)
{
    const WallTime began = std::chrono::system_clock::now();
    const auto tries = [&](double seconds, const std::string &address, std::optional<double> written = {}) {
        LogEvent event;
        event.kind = EventKind::waits;
        event.path = address;
        event.written = written;
        monitor.logEvent(0, event, {}, secondsAfter(began, seconds));
    };
    const auto since = [&] { return secondsBetween(began, state().awaited.value().since); };
    EXPECT_FALSE(state().awaited);
    for (const double at : {0., 4., 8.}) tries(at, "10.0.0.1:8118");
    EXPECT_EQ(state().awaited.value().address, "10.0.0.1:8118");
    EXPECT_NEAR(since(), 0, 0.001);
    EXPECT_TRUE(state().awaited->stillTries(secondsAfter(began, 30)));
    EXPECT_FALSE(state().awaited->stillTries(secondsAfter(began, 39)));
    tries(60, "10.0.0.1:8118");
    EXPECT_NEAR(since(), 60, 0.001) << "a wait of its own";
    tries(62, "10.0.0.2:8118");
    EXPECT_NEAR(since(), 62, 0.001);
    tries(63, "");
    EXPECT_FALSE(state().awaited) << "all have met";
    // A console that starts late reads them all at once.
    for (const double written : {1000., 1004., 1009., 1013.}) tries(70, "10.0.0.2:8118", written);
    EXPECT_NEAR(since(), 57, 0.001);
    tries(74, "10.0.0.2:8118", 1017);
    EXPECT_NEAR(since(), 57, 0.001);
    for (const double written : {900., 904.})
        tries(75, "10.0.0.2:8118", written);  // the beginning of the log is read last
    tries(75, "", 908);
    EXPECT_NEAR(since(), 57, 0.001);
    tries(75, "10.0.0.2:8118", 1060);
    EXPECT_NEAR(since(), 75, 0.001) << "it had paused";
    monitor.samplesCame(0, 4096);
    EXPECT_FALSE(state().awaited) << "it has made a step";
    tries(76, "10.0.0.2:8118");
    monitor.attemptBegan(1);
    EXPECT_FALSE(state().awaited);
}

TEST_F(RankMonitorTest, DeathBeforeARestartIsNotTheCurrentOne)
{
    Event death;
    death.kind = EventKind::rankDied;
    death.rank = 0;
    death.position = 54;
    death.time = std::chrono::system_clock::now() - std::chrono::minutes(5);
    monitor.saidBefore(death, 82);
    EXPECT_FALSE(state().goneSince);
    monitor.saidBefore(death, 54);
    EXPECT_EQ(state().goneSince, death.time);
}

TEST_F(RankMonitorTest, ExitCodeFromTheNodeBelongsToTheSameProcess)
{
    ProcessList list{.processes = {writer()}, .complete = true};
    const auto look = [&](const std::vector<ProcessExit> &exits, bool there) {
        list.processes = there ? std::vector<ProcessInfo>{writer()} : std::vector<ProcessInfo>();
        list.exits = exits;
        return monitor.processes(m_job.nodes.front(), sortProcesses(m_job, m_job.nodes.front(), list.processes), list);
    };
    look({{77, 5, -9}}, true);
    EXPECT_FALSE(state().exitCode) << "it lives";
    look({{77, 4, -9}, {78, 5, -9}}, false);
    EXPECT_FALSE(state().exitCode) << "of another process";
    EXPECT_EQ(look({{77, 5, -9}}, false), std::vector<int>{0});
    EXPECT_EQ(state().exitCode, -9);
    EXPECT_FALSE(monitor.launcherTold(0)) << "no event tells it yet";
    logged(EventKind::rankDied, 1);
    EXPECT_EQ(state().exitCode, 1) << "its launcher asked the kernel itself";
    EXPECT_TRUE(monitor.launcherTold(0));
    monitor.attemptBegan(1);
    EXPECT_FALSE(state().exitCode);
}

// A console that starts late sees the other ranks, but no process of this rank.
TEST_F(RankMonitorTest, RankWithoutProcessIsGoneOnceItStopsLogging)
{
    for (const double apart : {0.25, 5.0, 60.0}) {
        SCOPED_TRACE(apart);
        RankMonitor late(m_job);
        late.lineEvery(apart);
        JobProcesses sorted;
        sorted.ranks[1] = writer();
        ProcessList list;
        list.complete = true;
        const auto heard = [&](double secondsAgo) { late.samplesCame(0, 100, secondsAfter(wallNow(), -secondsAgo)); };
        const auto alive = [&] {
            late.processes(m_job.nodes.front(), sorted, list);
            RankState state;
            state.rank = 0;
            late.fill(state);
            return state.alive;
        };
        const double enough = std::clamp(3 * apart, 2.0, 30.0);
        heard(enough - 1);
        EXPECT_EQ(alive(), Known::unknown);
        heard(enough + 1);
        EXPECT_EQ(alive(), Known::no);
        list.complete = false;
        EXPECT_EQ(alive(), Known::unknown) << "its process may be hidden";
    }
}

TEST_F(RankMonitorTest, ExitCodeFromTheLauncherProvesAnEnd)
{
    logged(EventKind::rankDied, 1);
    look(false);
    EXPECT_EQ(state().alive, Known::no);
    EXPECT_EQ(state().exitCode, 1);
}

TEST_F(RankMonitorTest, RanksOfAnEndedContainerAreGone)
{
    EXPECT_EQ(state().alive, Known::unknown) << "never seen";
    monitor.containerEnded(m_job.nodes.front());
    EXPECT_EQ(state().alive, Known::no);
    EXPECT_FALSE(state().leaving) << "there are no last lines of what was not seen";
    look(false, {writer()});
    EXPECT_EQ(state().alive, Known::yes) << "it was started again";
    monitor.containerEnded(m_job.nodes.front());
    EXPECT_EQ(state().alive, Known::no);
    EXPECT_TRUE(state().leaving);
    EXPECT_TRUE(state().goneSince);
    monitor.silent(m_job.nodes.front());
    EXPECT_EQ(state().alive, Known::no) << "that it is silent now changes nothing";
}

TEST_F(RankMonitorTest, VanishedProcessIsAnEndButASilentNodeIsNot)
{
    look(false, {writer()});
    EXPECT_EQ(state().alive, Known::yes);
    monitor.silent(m_job.nodes.front());
    EXPECT_EQ(state().alive, Known::unknown);
    EXPECT_TRUE(state().process) << "which one to ask for";
    look(false);
    EXPECT_EQ(state().alive, Known::no);
    EXPECT_FALSE(state().process);
}

}  // namespace
}  // namespace rankdeck::rank_monitor_test
