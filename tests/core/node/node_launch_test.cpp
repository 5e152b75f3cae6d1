// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that are started once, survive the console, and are recognised afterwards.
#include "tests/core/node/node_fixture.h"
#include "tests/testbed/process_count.h"

#include <csignal>
#include <sys/stat.h>

namespace rankdeck::node_launch_test {
namespace {

class NodeLaunch : public NodeFixture {
protected:
    ~NodeLaunch() override
    {
        for (const int pid : toKill)
            if (pid > 1) ::kill(pid, SIGKILL);
    }
    LaunchRequest sh(const std::string &id, const std::string &script) const
    {
        return {id, path("run"), {"/bin/sh", "-c", script}, {}, folder, path("out/log")};
    }
    LaunchReply waitForEnd(const std::string &id)
    {
        LaunchReply last;
        const bool ended = eventually([&] {
            const auto now = node->launchStatus(id, path("run")).get();
            if (now) last = *now;
            return now && (now->exitCode || !now->running);
        });
        EXPECT_TRUE(ended) << id << " did not end";
        return last;
    }
    bool appears(const std::string &file, const std::string &text)
    {
        return eventually([&] { return contents(file) == text; });
    }
    std::vector<int> toKill;
};

TEST_F(NodeLaunch, PassesArgumentsEnvironmentAndOutputUnchanged)
{
    connect();
    const std::string odd = "a b'c\"d$e`f\\g\nh*;|学";
    LaunchRequest request{
        "odd",
        path("run"),
        {"/bin/sh", "-c", "printf '%s|%s|%s|' \"$1\" \"$ODD\" \"$RANKDECK_LAUNCH_ID\"; pwd; echo err >&2", "sh", odd},
        {{"ODD", odd}},
        folder,
        path("deep/er/log")};
    write(path("x"), "");
    std::filesystem::create_directories(path("deep/er"));
    write(path("deep/er/log"), "before\n");
    auto started = node->launch(request).get();
    ASSERT_TRUE(started.has_value()) << started.error().message;
    EXPECT_TRUE(started->startedNow);
    EXPECT_EQ(waitForEnd("odd").exitCode, 0);
    EXPECT_EQ(contents(path("deep/er/log")),
              "before\n" + odd + "|" + odd + "|odd|" + std::filesystem::canonical(folder).string() + "\nerr\n");
    struct stat st {};
    ASSERT_EQ(::stat(path("run").c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 07777, 0700u);
}

// Debian's bash reads .bashrc if SSH_CLIENT and SHLVL make it believe that sshd has started it.
TEST_F(NodeLaunch, ShellDoesNotReadBashrcOverTheJobEnvironment)
{
    connect();
    write(path(".bashrc"), "PATH=/elsewhere:$PATH\n");
    const LaunchRequest request{
        "shell",
        path("run"),
        {"/bin/bash", "-c", "printf '%s' \"$PATH\""},
        {{"HOME", folder}, {"PATH", "/bin:/usr/bin"}, {"SSH_CLIENT", "10.0.0.1 50000 22"}, {"SHLVL", "0"}},
        folder,
        path("log")};
    ASSERT_TRUE(node->launch(request).get().has_value());
    EXPECT_EQ(waitForEnd("shell").exitCode, 0);
    EXPECT_EQ(contents(path("log")), "/bin:/usr/bin");
}

TEST_F(NodeLaunch, ReportsExitCodesAndSignalsAfterTheEnd)
{
    connect();
    ASSERT_TRUE(node->launch(sh("three", "exit 3")).get().has_value());
    ASSERT_TRUE(node->launch(sh("killed", "kill -9 $$")).get().has_value());
    const LaunchReply three = waitForEnd("three");
    EXPECT_EQ(three.exitCode, 3);
    EXPECT_FALSE(three.running);
    EXPECT_TRUE(three.ended.has_value());
    EXPECT_EQ(waitForEnd("killed").exitCode, -9);
    auto none = node->launchStatus("never", path("run")).get();
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().kind, ErrorKind::notFound);
}

TEST_F(NodeLaunch, RepeatedLaunchReturnsTheFirstProcess)
{
    connect();
    auto first = node->launch(sh("once", "echo started; sleep 60")).get();
    ASSERT_TRUE(first.has_value());
    toKill.push_back(first->process.pid);
    auto second = node->launch(sh("once", "echo started; sleep 60")).get();
    ASSERT_TRUE(second.has_value());
    EXPECT_FALSE(second->startedNow);
    EXPECT_TRUE(second->running);
    EXPECT_EQ(second->process, first->process);
    EXPECT_TRUE(appears(path("out/log"), "started\n"));
    ASSERT_TRUE(node->signal({first->process, Signal::term, true}).get()->sent);
    EXPECT_EQ(waitForEnd("once").exitCode, -SIGTERM);
    auto third = node->launch(sh("once", "echo started; sleep 60")).get();
    ASSERT_TRUE(third.has_value());
    EXPECT_FALSE(third->startedNow) << "also when it has ended";
    EXPECT_EQ(contents(path("out/log")), "started\n");
}

TEST_F(NodeLaunch, EightSimultaneousLaunchesStartExactlyOne)
{
    std::atomic<int> started{0};
    std::atomic<int> answered{0};
    std::mutex mutex;
    std::vector<ProcessId> processes;
    std::vector<std::thread> consoles;
    for (int console = 0; console < 8; ++console)
        consoles.emplace_back([&] {
            Recorder own;
            Node mine(NodeSpec{"n", "local"}, {}, std::make_shared<LocalSessions>(), own);
            mine.start();
            if (!own.waitFor([&] { return own.last.state == NodeState::live; })) return;
            for (int round = 0; round < 4; ++round) {
                auto reply = mine.launch(sh("race" + std::to_string(round),
                                            "echo $$ >> started" + std::to_string(round) + "; exit 0"))
                                 .get();
                if (!reply) continue;
                ++answered;
                started += reply->startedNow ? 1 : 0;
                const std::lock_guard lock(mutex);
                processes.push_back(reply->process);
            }
        });
    for (std::thread &console : consoles) console.join();
    EXPECT_EQ(answered, 32);
    EXPECT_EQ(started, 4);
    for (int round = 0; round < 4; ++round) {
        const std::string file = path("started" + std::to_string(round));
        eventually([&] { return !contents(file).empty(); });
        const std::string pids = contents(file);
        EXPECT_EQ(std::count(pids.begin(), pids.end(), '\n'), 1) << pids;
        EXPECT_EQ(std::count_if(processes.begin(), processes.end(),
                                [&](const ProcessId &id) { return id.pid == std::atoi(pids.c_str()); }),
                  8);
    }
}

TEST_F(NodeLaunch, ReportsAProgramThatCannotRunAndAllowsARetry)
{
    write(path("data"), "no program");
    connect();
    LaunchRequest request = sh("try", "");
    request.argv = {"rankdeck-no-such-program"};
    auto none = node->launch(request).get();
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().kind, ErrorKind::notFound);
    EXPECT_NE(none.error().message.find("rankdeck-no-such-program: No such file or directory"), std::string::npos)
        << none.error().message;
    request.argv = {path("data")};
    EXPECT_EQ(node->launch(request).get().error().kind, ErrorKind::permission);
    request.argv = {"true"};
    request.workdir = path("no-such-dir");
    auto dir = node->launch(request).get();
    ASSERT_FALSE(dir.has_value());
    EXPECT_NE(dir.error().message.find("work directory"), std::string::npos);
    request.workdir = folder;
    request.output = path("data/log");
    EXPECT_FALSE(node->launch(request).get().has_value());
    EXPECT_EQ(node->launchStatus("try", path("run")).get().error().kind, ErrorKind::notFound);
    request.output = path("log");
    auto good = node->launch(request).get();
    ASSERT_TRUE(good.has_value()) << good.error().message;
    EXPECT_TRUE(good->startedNow);
    EXPECT_EQ(waitForEnd("try").exitCode, 0);
    request.id = "../escape";
    EXPECT_EQ(node->launch(request).get().error().kind, ErrorKind::invalid);
}

TEST_F(NodeLaunch, LaunchedProgramOutlivesTheConsole)
{
    connect();
    auto started = node->launch(sh("live", "echo up; while [ ! -e stop ]; do sleep 0.05; done; exit 7")).get();
    ASSERT_TRUE(started.has_value());
    toKill.push_back(started->process.pid);
    ASSERT_TRUE(appears(path("out/log"), "up\n"));
    node.reset();
    EXPECT_EQ(::kill(started->process.pid, 0), 0);
    recorder.with([&] {
        recorder.last.state = NodeState::queued;
        return 0;
    });
    connect();
    auto now = node->launchStatus("live", path("run")).get();
    ASSERT_TRUE(now.has_value());
    EXPECT_TRUE(now->running);
    EXPECT_EQ(now->process, started->process);
    EXPECT_FALSE(now->exitCode);
    write(path("stop"), "");
    EXPECT_EQ(waitForEnd("live").exitCode, 7);
}

TEST_F(NodeLaunch, KilledSupervisorLeavesTheProgramRunningAndListed)
{
    connect();
    auto started = node->launch(sh("orphan", "sleep 60")).get();
    ASSERT_TRUE(started.has_value());
    toKill.push_back(started->process.pid);
    auto processes = node->processes({"RANKDECK_LAUNCH_ID"}).get();
    ASSERT_TRUE(processes.has_value());
    int supervisor = 0;
    for (const ProcessInfo &process : *processes)
        if (process.id == started->process) supervisor = process.parent;
    ASSERT_GT(supervisor, 1);
    ASSERT_EQ(::kill(supervisor, SIGKILL), 0);
    eventually([&] { return ::kill(supervisor, 0) != 0; });
    auto again = node->launch(sh("orphan", "sleep 60")).get();
    ASSERT_TRUE(again.has_value());
    EXPECT_FALSE(again->startedNow);
    EXPECT_TRUE(again->running);
    ASSERT_TRUE(node->signal({started->process, Signal::kill}).get()->sent);
    const LaunchReply end = waitForEnd("orphan");
    EXPECT_FALSE(end.running);
    EXPECT_FALSE(end.exitCode) << "nobody was there to see it";
}

TEST_F(NodeLaunch, LaunchIsReportedAsEndedAfterAMachineRestart)
{
    connect();
    auto started = node->launch(sh("boot", "sleep 60")).get();
    ASSERT_TRUE(started.has_value());
    toKill.push_back(started->process.pid);
    std::string record = contents(path("run/boot.pid"));
    record.replace(record.find(started->process.bootId), started->process.bootId.size(), "another-boot");
    write(path("run/boot.pid"), record);
    auto now = node->launchStatus("boot", path("run")).get();
    ASSERT_TRUE(now.has_value());
    EXPECT_FALSE(now->running);
    EXPECT_NE(now->bootId, now->process.bootId);
    EXPECT_FALSE(node->signal({now->process, Signal::kill}).get()->sent);
}

}  // namespace
}  // namespace rankdeck::node_launch_test
