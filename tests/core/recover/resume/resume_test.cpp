// SPDX-License-Identifier: GPL-3.0-or-later
// Resumes of real processes on real (local) nodes.
#include "core/node/wait_for.h"
#include "core/recover/forwarding_context.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/plan_runner.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

namespace rankdeck::resume_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// A run of two ranks on two nodes, which has saved step 5 and was killed.
class Resume : public testing::Test {
protected:
    void crash() { host.crashLongAgo(); }
    std::set<std::string> tree() const
    {
        std::set<std::string> names;
        for (const auto &entry : std::filesystem::recursive_directory_iterator(host.file("job"))) {
            const std::string name = std::filesystem::relative(entry.path(), host.file("job"));
            if (!name.starts_with(".rankdeck")) names.insert(name);
        }
        return names;
    }
    EngineHost host{{{0}, {1}}, "command"};
};

TEST_F(Resume, ContinuesFromTheSetAndProvesIt)
{
    crash();
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    EXPECT_EQ(report.continues, true);
    EXPECT_EQ(host.launched, 1);
    for (const RankProof &rank : report.ranks) {
        EXPECT_TRUE(rank.proven) << rank.note;
        EXPECT_EQ(rank.loadedGlobalStep, 5);
        EXPECT_EQ(rank.firstStep, 6);
        EXPECT_TRUE(rank.oldLoss.has_value());
    }
    EXPECT_TRUE(host.exists("job/log/worker_0.attempt-0.log"));
    EXPECT_THAT(host.read("job/log/worker_1.log"),
                HasSubstr("resume from " + host.file("job/ckpt/rank_1/lenet-1_5.ckpt")));
    EXPECT_THAT(host.journalStates("resume"),
                testing::IsSupersetOf({"planned", "preparing", "launching", "started", "proven"}));
    EXPECT_TRUE(host.waitFor([&] { return host.pids().size() == 2; }));
}

TEST_F(Resume, DryRunShowsTheWholePlanAndChangesNothing)
{
    crash();
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    const auto before = tree();
    const ResumeReport report = runResume(host, {.dryRun = true}, {});
    EXPECT_EQ(report.outcome, "dry_run") << report.text;
    EXPECT_EQ(tree(), before);
    EXPECT_TRUE(host.journal().read()->empty());
    ASSERT_EQ(report.plan.nodes.size(), 2u);
    EXPECT_THAT(report.plan.nodes[0].edits.front().diff, HasSubstr("+{\"GracefulExit\": 0}"));
    EXPECT_EQ(report.plan.nodes[1].launches.front().argv.back(), host.file("job/ckpt/rank_1/lenet-1_5.ckpt"));
    EXPECT_EQ(report.plan.nodes[1].launches.front().env.at("RANK_ID"), "1");
    EXPECT_NE(find(report.preflight, "flag_still_set"), nullptr);
    const auto again = planFromJson(planToJson(report.plan));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(planToJson(again.value()), planToJson(report.plan));
}

TEST_F(Resume, FixesTheFlagAndTheStaleSavesThatStopARelaunch)
{
    host.startFirst();
    const ExitReport exited = runExit(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(exited.outcome, "stopped") << exited.text;
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    EXPECT_TRUE(find(report.preflight, "flag_still_set")->fixable);
    EXPECT_TRUE(find(report.preflight, "stale_train_ckpt")->fixable);
    EXPECT_EQ(host.read("job/graceful.json"), R"({"GracefulExit": 0})");
    EXPECT_TRUE(host.exists("job/ckpt/rank_0/LeNet5_train.ckpt.moved-" + report.journal));
    EXPECT_FALSE(host.exists("job/ckpt/rank_0/LeNet5_train.ckpt"));
}

// The exit's own files are backed up, so that no script loads them automatically. MindSpore loads only files whose
// names end in .ckpt, so the ranks get links to the backups. If `shared` is true, both nodes see all files, and the set
// was judged on the first one.
void takesTheExitsOwnSet(EngineHost &host)
{
    host.startFirst();
    const ExitReport exited = runExit(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(exited.outcome, "stopped") << exited.text;
    const std::string graceful = host.gracefulSet();
    const ResumeReport report = runResume(host, {.set = graceful, .waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    EXPECT_NE(find(report.preflight, "graceful_set"), nullptr);
    for (const std::string rank : {"0", "1"}) {
        EXPECT_THAT(host.read("job/log/worker_" + rank + ".log"), HasSubstr("rank_" + rank + "/LeNet5_train.ckpt"));
        EXPECT_FALSE(host.exists("job/ckpt/rank_" + rank + "/LeNet5_train.ckpt"));
        EXPECT_TRUE(host.exists("job/ckpt/rank_" + rank + "/LeNet5_train.ckpt.moved-" + report.journal));
    }
}

TEST(ResumeFromTheExitsOwnSet, WorksOnTwoNodesWithSeparateFiles)
{
    EngineHost host({{0}, {1}}, "command");
    takesTheExitsOwnSet(host);
}

TEST(ResumeFromTheExitsOwnSet, WorksOnTwoNodesWithSharedFiles)
{
    EngineHost host({{0}, {1}}, "command");
    host.job.pathsShared = true;
    takesTheExitsOwnSet(host);
}

TEST_F(Resume, ReportsASilentStartFromZero)
{
    crash();
    host.job.launch.env["FAKE_FAULT"] = "from_zero";
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    EXPECT_EQ(report.outcome, "launched") << report.text;
    EXPECT_EQ(report.continues, false);
    EXPECT_THAT(report.text, HasSubstr("NOT PROVEN"));
    EXPECT_THAT(report.text, HasSubstr("silent start from zero"));
}

TEST_F(Resume, ReportsTheOutputOfACommandThatEndsBeforeTheProof)
{
    crash();
    host.job.launch.command = {"python3", "-c", "import time,sys; time.sleep(1); print('no such device'); sys.exit(3)",
                               "{checkpoint}"};
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    EXPECT_EQ(report.outcome, "failed");
    EXPECT_THAT(report.text, HasSubstr("exit code 3"));
    EXPECT_THAT(report.text, HasSubstr("no such device"));
}

TEST_F(Resume, X06_ExitCodeZeroWithoutALoadIsAFailure)
{
    crash();
    host.job.launch.command = {"true", "--resume", "{checkpoint}"};
    const ResumeReport report = runResume(host, {.waitSeconds = 40}, [&](const ResumeReport &now) {
        if (now.phase == "proving") host.clock.setPace(20);  // no line appears
    });
    EXPECT_EQ(report.outcome, "failed") << report.text;
    EXPECT_THAT(report.text, HasSubstr("exit code 0, but nothing shows that"));
    EXPECT_TRUE(report.continues.isUnknown());
}

TEST_F(Resume, StopsTheRunOnAnAlarmIfRequested)
{
    crash();
    host.job.launch.env["FAKE_FAULT"] = "from_zero";
    const ResumeReport report = runResume(host, {.waitSeconds = 60, .stopOnAlarm = true}, {});
    EXPECT_EQ(report.outcome, "failed") << report.text;
    EXPECT_EQ(report.continues, false);
    EXPECT_TRUE(report.stopped);
    EXPECT_THAT(report.text, HasSubstr("The run was stopped, as requested"));
    EXPECT_TRUE(host.waitFor([&] { return host.pids().empty(); }));
    EXPECT_THAT(host.journalStates("resume"), Contains("stopping"));
}

TEST_F(Resume, RefusesLeftoverProcesses)
{
    host.startFirst();
    const ResumeReport report = runResume(host, {}, {});
    EXPECT_TRUE(refusedWith(report, "survivors"));
    for (const RankState &rank : host.view().ranks)
        EXPECT_THAT(report.text, HasSubstr("pid " + std::to_string(rank.process->id.pid)));
    EXPECT_TRUE(host.waitFor([&] { return host.pids().size() == 2; }));
}

TEST_F(Resume, RefusesAJobThatCannotBeStarted)
{
    crash();
    const Job good = host.job;
    host.job.launch.command = {"no-such-program-here", "{checkpoint}"};
    EXPECT_TRUE(refusedWith(runResume(host, {}, {}), "program_missing"));
    host.job = good;
    host.stopNode("n1");
    EXPECT_TRUE(refusedWith(runResume(host, {}, {}), "node_not_live"));
    EXPECT_TRUE(host.pids().empty());
    EXPECT_EQ(host.launched, 0);
}

TEST_F(Resume, LaunchThatFailsOnOneNodeLeavesEverythingUnchanged)
{
    host.startFirst();
    const ExitReport exited = runExit(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(exited.outcome, "stopped") << exited.text;
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    const std::string log = host.read("job/log/worker_0.log");
    const auto before = tree();
    // The program exists, but the system cannot run it. Only the launch shows that, and only on one node.
    host.write("job/broken", "not a program");
    host.write("job/works/start", "#!/bin/sh\nsleep 60\n");
    std::filesystem::permissions(host.file("job/works/start"), std::filesystem::perms::owner_all);
    host.write("job/fails/start", "#!/no/such/interpreter\n");
    std::filesystem::permissions(host.file("job/fails/start"), std::filesystem::perms::owner_all);
    host.job.launch.command = {"start", "--resume", "{checkpoint}"};
    host.job.nodes[0].env["PATH"] = host.file("job/works") + ":/usr/bin:/bin";
    host.job.nodes[1].env["PATH"] = host.file("job/fails");
    auto expected = before;
    expected.insert({"broken", "works", "works/start", "fails", "fails/start"});
    const ResumeReport report = runResume(host, {.waitSeconds = 20}, {});
    EXPECT_EQ(report.outcome, "failed") << report.text;
    EXPECT_THAT(report.text, HasSubstr("node n1"));
    EXPECT_THAT(report.text, HasSubstr("The stop request is still set on n0")) << "as it did before";
    EXPECT_TRUE(host.pids().empty());
    EXPECT_EQ(host.read("job/log/worker_0.log"), log);
    EXPECT_EQ(host.read("job/graceful.json"), R"({"GracefulExit": 1})");
    auto after = tree();
    std::erase_if(after, [](const std::string &name) { return name.find(".failed-") != std::string::npos; });
    EXPECT_EQ(after, expected);
    EXPECT_EQ(host.launched, 0);
    EXPECT_THAT(host.journalStates("resume"), testing::IsSupersetOf({"launch_failed", "rolling_back", "failed"}));
}

TEST_F(Resume, CreatesAStagingDirectoryWithOnlyTheChosenSet)
{
    host.startFirst();
    host.waitStep(16);
    host.endLongAgo();
    host.job.pathsShared = true;
    host.job.launch.command = {"sh", "-c", "ls -R \"$1\"; sleep 60", "sh", "{checkpoint_dir}"};
    const ResumeReport report = runResume(host, {.set = "0:1-10", .waitSeconds = 1}, {});
    EXPECT_EQ(report.outcome, "launched") << report.text;
    EXPECT_TRUE(report.continues.isUnknown());
    EXPECT_THAT(report.text, HasSubstr("not proven within"));
    const std::string view = host.file("job/.rankdeck/views/" + report.journal);
    std::set<std::string> names;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(view))
        names.insert(entry.path().lexically_relative(view));
    EXPECT_EQ(names, (std::set<std::string>{"rank_0", "rank_0/lenet-1_10.ckpt", "rank_1", "rank_1/lenet-1_10.ckpt"}));
    EXPECT_EQ(std::filesystem::read_symlink(view + "/rank_1/lenet-1_10.ckpt"),
              host.file("job/ckpt/rank_1/lenet-1_10.ckpt"));
    EXPECT_TRUE(
        host.waitFor([&] { return host.read("job/log/worker_0.log").find("lenet-1_10.ckpt") != std::string::npos; }));
}

TEST_F(Resume, RemovesOnlyTheStagingDirectoriesOfEarlierAttempts)
{
    crash();
    host.job.pathsShared = true;
    host.job.launch.command.insert(host.job.launch.command.end(), {"--look-in", "{checkpoint_dir}"});
    const ResumeReport first = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(first.outcome, "proven") << first.text;
    const std::string view = "job/.rankdeck/views/" + first.journal;
    EXPECT_TRUE(host.exists(view + "/rank_1"));  // its run may read it again
    host.catchUp();
    host.endAll();
    const ResumeReport second = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(second.outcome, "proven") << second.text;
    EXPECT_FALSE(host.exists(view));
    EXPECT_TRUE(host.exists("job/.rankdeck/views/" + second.journal + "/rank_0"));
    // A checkpoint that was saved in place of a link is not removed as a link.
    std::filesystem::remove(host.file("job/.rankdeck/views/" + second.journal + "/rank_0/lenet-1_5.ckpt"));
    host.write("job/.rankdeck/views/" + second.journal + "/rank_0/lenet-1_5.ckpt", "saved by the training");
    host.catchUp();
    host.endAll();
    const ResumeReport third = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(third.outcome, "proven") << third.text;
    EXPECT_EQ(host.read("job/.rankdeck/views/" + second.journal + "/rank_0/lenet-1_5.ckpt"), "saved by the training");
    EXPECT_FALSE(host.exists("job/.rankdeck/views/" + second.journal + "/rank_1"));
}

TEST(ResumeWithMsrun, GivesEachRankItsCheckpointAndKeepsTheMsrunArguments)
{
    EngineHost host({{0, 1}, {2, 3}}, "msrun");
    host.crashLongAgo();
    const ResumeReport report = runResume(host, {.waitSeconds = 90}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    EXPECT_TRUE(host.exists("job/log.attempt-0/worker_3.log"));
    EXPECT_THAT(host.read("job/log/worker_3.log"),
                HasSubstr("resume from " + host.file("job/ckpt/rank_3/lenet-1_5.ckpt")));
    EXPECT_THAT(host.read("job/rankdeck/msrun-" + report.journal + ".n1.out"),
                HasSubstr("Start worker process with rank id:3"));
    // The workers have become the command itself, so /proc shows what they run. Log lines may prove the resume before
    // the next process list arrives.
    std::optional<ProcessInfo> process;
    ASSERT_TRUE(host.waitFor([&] { return (process = host.view().ranks[3].process).has_value(); }));
    std::ifstream commandLine("/proc/" + std::to_string(process->id.pid) + "/cmdline");
    const std::string words(std::istreambuf_iterator<char>(commandLine), {});
    EXPECT_THAT(words, HasSubstr("rank_3/lenet-1_5.ckpt"));
    EXPECT_EQ(words.find("execvp"), std::string::npos);
}

TEST(ResumeWithMsrun, RefusesALauncherThatStillRuns)
{
    EngineHost host({{0, 1}}, "msrun");
    host.startFirst();
    std::set<int> workers;
    for (const RankState &rank : host.view().ranks) workers.insert(rank.process->id.pid);
    for (const int pid : host.pids())
        if (!workers.contains(pid)) ::kill(pid, SIGSTOP);  // the launcher does not notice the end of its workers
    for (const int pid : workers) ::kill(pid, SIGKILL);
    ASSERT_TRUE(
        host.waitFor([&] { return host.view().ranks[0].alive == false && host.view().ranks[1].alive == false; }));
    const ResumeReport planned = planResume(host, {});
    EXPECT_EQ(planned.outcome, "dry_run") << planned.text;
    ASSERT_NE(find(planned.preflight, "launcher_alive"), nullptr);
    EXPECT_THAT(find(planned.preflight, "launcher_alive")->fix, HasSubstr("collecting its workers"));
    std::string waited;
    const ResumeReport report = runResume(host, {}, [&](const ResumeReport &now) {
        if (now.phase != "preflight") return;
        waited = now.text;
        host.clock.setPace(20);  // it never ends
    });
    EXPECT_TRUE(refusedWith(report, "launcher_alive"));
    EXPECT_THAT(waited, HasSubstr("The launcher is collecting its workers"));
}

}  // namespace
}  // namespace rankdeck::resume_test
