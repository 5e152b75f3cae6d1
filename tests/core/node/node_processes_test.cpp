// SPDX-License-Identifier: GPL-3.0-or-later
// Processes without a helpful environment: they are found by their output files, their parents and their pids.
#include "tests/core/node/node_fixture.h"
#include "tests/testbed/process_count.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace rankdeck::node_processes_test {
namespace {

class NodeProcesses : public NodeFixture {
protected:
    ~NodeProcesses() override
    {
        if (started.pid > 1) ::kill(started.pid, SIGKILL);
    }
    // A process without any distinguishing environment, like those of a user who starts ranks by hand.
    void start(const std::string &script)
    {
        auto launched = node->launch({.id = "p",
                                      .runDirectory = path("run"),
                                      .argv = {"/bin/sh", "-c", script},
                                      .workdir = folder,
                                      .output = path("worker_0.log")})
                            .get();
        ASSERT_TRUE(launched.has_value()) << launched.error().message;
        started = launched->process;
    }
    std::optional<ProcessInfo> found(ProcessQuery query)
    {
        std::optional<ProcessInfo> seen;
        // Waits for the exec: one answer may have the environment from before it and the arguments from after it.
        bool after = query.paths == nowhere.paths;
        eventually([&] {
            auto list = node->findProcesses(query).get();
            EXPECT_TRUE(list.has_value());
            if (!list) return true;
            for (ProcessInfo &process : list->processes)
                if (process.id == started && process.argv.size() == 2 && std::exchange(after, true)) seen = process;
            return seen.has_value() || query.paths == nowhere.paths;
        });
        return seen;
    }
    // Processes by program, after each of these programs has been executed.
    std::map<std::string, ProcessInfo> programs(const ProcessQuery &query, const std::vector<std::string> &names)
    {
        std::map<std::string, ProcessInfo> byName;
        EXPECT_TRUE(eventually([&] {
            byName.clear();
            auto list = node->findProcesses(query).get();
            EXPECT_TRUE(list.has_value());
            if (list)
                for (ProcessInfo &process : list->processes) byName[process.comm] = process;
            return std::all_of(names.begin(), names.end(), [&](const auto &name) { return byName.contains(name); });
        }));
        return byName;
    }
    ProcessId started;
    const ProcessQuery nowhere{.envNames = {"RANK_ID"}, .paths = {"/no/such/file"}, .everyDescriptor = true};
};

TEST_F(NodeProcesses, FindsTheWriterOfALogWhateverItsEnvironment)
{
    connect();
    start("exec env -i sleep 60 2>" + path("errors"));
    const auto process = found({.envNames = {"RANK_ID"}, .paths = {path("worker_0.log"), path("worker_1.log")}});
    ASSERT_TRUE(process);
    EXPECT_EQ(process->openPaths, std::vector{path("worker_0.log")});
    EXPECT_EQ(process->stdoutPath, std::filesystem::canonical(path("worker_0.log")).string());
    EXPECT_EQ(process->stderrPath, std::filesystem::canonical(path("errors")).string());
    EXPECT_TRUE(process->env.empty());
    EXPECT_TRUE(process->envReadable);
    EXPECT_EQ(process->launchId, "") << "env -i took it away";
    EXPECT_EQ(process->uid, ::geteuid());
    EXPECT_FALSE(process->user.empty());
    EXPECT_FALSE(found(nowhere));
    WatchSpec spec;
    spec.processes = true;
    spec.processEnv = {"RANKDECK_NOBODY_HAS_THIS"};
    spec.processPaths = {path("worker_0.log")};
    node->watch(spec);
    EXPECT_TRUE(recorder.waitFor([&] {
        return std::any_of(recorder.processList.begin(), recorder.processList.end(),
                           [&](const ProcessInfo &each) { return each.id == started; });
    }));
}

// A pipeline: finds the process that writes to the log and the process that feeds it, even if nothing else identifies
// the feeder.
TEST_F(NodeProcesses, FindsTheProcessThatFeedsAPipelineIntoTheLog)
{
    connect();
    start("env -i sleep 61 2>&1 | sed -u s/a/b/ | cat; exit 0");
    const ProcessQuery query{.envNames = {"RANKDECK_NOBODY_HAS_THIS"}, .paths = {path("worker_0.log")}};
    std::map<std::string, ProcessInfo> byName = programs(query, {"sleep", "sed", "cat"});
    EXPECT_EQ(byName["cat"].feeders, std::vector{byName["sed"].id.pid});
    EXPECT_EQ(byName["sed"].feeders, std::vector{byName["sleep"].id.pid});
    EXPECT_TRUE(byName["sleep"].feeders.empty());
    ::kill(byName["sleep"].id.pid, SIGKILL);
}

// tee has the log open, but not as its output. Its input is a pipe, so the open files are checked as well.
TEST_F(NodeProcesses, FindsTheProcessThatFeedsATeeWithoutOutput)
{
    connect();
    start("exec >/dev/null 2>&1; env -i sleep 62 | tee " + path("worker_0.log") + " >/dev/null; exit 0");
    const ProcessQuery query{.envNames = {"RANKDECK_NOBODY_HAS_THIS"}, .paths = {path("worker_0.log")}};
    std::map<std::string, ProcessInfo> byName = programs(query, {"sleep", "tee"});
    EXPECT_EQ(byName["tee"].openPaths, std::vector{path("worker_0.log")});
    EXPECT_EQ(byName["tee"].feeders, std::vector{byName["sleep"].id.pid});
    ::kill(byName["sleep"].id.pid, SIGKILL);
}

// A process whose environment setproctitle has overwritten: a probe that has not seen it before can identify it only by
// its pid.
TEST_F(NodeProcesses, ListsAKnownPidAfterAReconnect)
{
    connect();
    start("exec env -i sleep 60 >/dev/null 2>&1");
    WatchSpec spec;
    spec.processes = true;
    spec.processEnv = {"RANKDECK_NOBODY_HAS_THIS"};
    spec.processPids = {started.pid};
    node->watch(spec);
    EXPECT_TRUE(recorder.waitFor([&] {
        return std::any_of(recorder.processList.begin(), recorder.processList.end(),
                           [&](const ProcessInfo &each) { return each.id == started; });
    }));
}

TEST_F(NodeProcesses, FindsTheWriterOfACheckpointInProgress)
{
    std::filesystem::create_directories(path("ckpt/rank_0"));
    connect();
    start("exec sleep 60 3>" + path("ckpt/rank_0/net-1_1.ckpt"));
    EXPECT_TRUE(found({.paths = {path("ckpt")}, .everyDescriptor = true}));
    const auto process = found({.paths = {path("worker_0.log")}});
    ASSERT_TRUE(process);
    EXPECT_EQ(process->launchId, "p");
}

// A pager, a log shipper or a parser must not be found: processes that are found by these paths may be ended.
TEST_F(NodeProcesses, DoesNotFindAProcessThatOnlyReadsALog)
{
    std::ofstream(path("worker_1.log")) << "epoch: 1 step: 1\n";
    connect();
    start("exec sleep 60 3<" + path("worker_1.log") + " 4>>" + path("worker_2.log"));
    const auto process = found({.paths = {path("worker_1.log"), path("worker_2.log")}, .everyDescriptor = true});
    ASSERT_TRUE(process);
    EXPECT_EQ(process->openPaths, std::vector{path("worker_2.log")});
}

TEST_F(NodeProcesses, ReportsDetailsThatTheLoginCannotReadAsClosed)
{
    connect(std::make_shared<LocalSessions>(LocalSessions::Wrap(), asNobody()));
    const auto list = node->findProcesses({.envNames = {"RANK_ID"}, .paths = {path("log")}, .all = true}).get();
    ASSERT_TRUE(list.has_value());
    const auto init = std::find_if(list->processes.begin(), list->processes.end(),
                                   [](const ProcessInfo &process) { return process.id.pid == 1; });
    ASSERT_NE(init, list->processes.end());
    EXPECT_EQ(init->envReadable, init->uid == node->status().facts.uid) << "somebody else's, so closed";
    EXPECT_FALSE(init->user.empty());
    EXPECT_FALSE(init->argv.empty());
    EXPECT_TRUE(init->openPaths.empty());
}

TEST_F(NodeProcesses, MarksCompleteListsAndFindsPidsInEveryQuery)
{
    connect();
    start("exec env -i sleep 60 >" + path("errors") + " 2>&1");
    auto query = nowhere;
    eventually([&] { return found({.all = true}).has_value(); });
    query.pids = {started.pid};
    const auto list = node->findProcesses(query).get();
    ASSERT_TRUE(list.has_value());
    int times = 0;
    for (const ProcessInfo &each : list->processes) {
        times += each.id == started ? 1 : 0;
        EXPECT_TRUE(each.id == started || each.env.count("RANK_ID")) << "of another test that runs now";
    }
    EXPECT_EQ(times, 1);
    WatchSpec spec;
    spec.processes = true;
    spec.processEnv = {"RANKDECK_NOBODY_HAS_THIS"};
    node->watch(spec);
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.processListComplete || ::geteuid() != 0; }));
}

TEST_F(NodeProcesses, ReportsWhatHappensToProcessesAfterLogout)
{
    connect();
    const auto rule = node->logoutRule().get();
    ASSERT_TRUE(rule.has_value()) << rule.error().message;
    EXPECT_FALSE(rule->text.empty());
}

}  // namespace
}  // namespace rankdeck::node_processes_test
