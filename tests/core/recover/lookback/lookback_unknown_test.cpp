// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of a killed console, if nodes do not report all facts: none of these actions counts as finished, and no file
// is moved.
#include "core/journal/journal.h"
#include "core/recover/forwarding_context.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/plan_runner.h"
#include "core/recover/plan/step_log.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace rankdeck::lookback_unknown_test {
namespace {

using ::testing::HasSubstr;

// Regression: a config that could not be read counted as one that contains 0, and the stop was closed as withdrawn.
TEST(LookBackUnknown, UnreadableConfigMayStillContainTheRequest)
{
    EngineHost host({{0, 1}}, "command");
    host.crashLongAgo();
    ASSERT_TRUE(host.journal()
                    .append({.action = "exit-1", .job = "fake", .kind = "exit", .state = "armed", .text = ""})
                    .has_value());
    host.write("job/graceful.json", R"({"GracefulExit": 1)");
    host.catchUp();
    const std::string said = finishInterrupted(host);
    EXPECT_THAT(said, testing::AllOf(HasSubstr("may still be 1 on n0"), HasSubstr("cannot be read")));
    EXPECT_EQ(host.journal().unfinished("fake")->size(), 1u);
    host.write("job/graceful.json", R"({"GracefulExit": 0})");
    EXPECT_EQ(finishInterrupted(host), "");
    EXPECT_TRUE(host.journal().unfinished("fake")->empty());
}

// Regression: entries of a newer version were skipped, so that no action seemed to be in progress.
TEST(LookBackUnknown, DoesNothingAfterEntriesOfANewerVersion)
{
    EngineHost host({{0, 1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    const std::string before = host.read("job/graceful.json");
    std::ofstream(host.journal().path(), std::ios::app) << R"({"journal":2,"job":"fake","stage":"under way"})"
                                                           "\n";
    EXPECT_THAT(finishInterrupted(host), testing::AllOf(HasSubstr(host.journal().path()), HasSubstr("newer version")));
    const auto isTold = [&](const std::vector<Finding> &preflight) {
        return std::any_of(preflight.begin(), preflight.end(), [&](const Finding &finding) {
            return finding.result == Finding::Result::refuse && finding.code == "journal" &&
                   finding.text.find(host.journal().path()) != std::string::npos;
        });
    };
    EXPECT_TRUE(isTold(planResume(host, {}).preflight));
    const ResumeReport resumed = runResume(host, {}, {});
    EXPECT_EQ(resumed.outcome, "refused") << resumed.text;
    EXPECT_TRUE(isTold(resumed.preflight));
    const ExitReport stopped = runExit(host, {.waitSeconds = 1, .escalate = "kill"}, {});
    EXPECT_EQ(stopped.outcome, "refused") << stopped.text;
    EXPECT_TRUE(isTold(stopped.preflight));
    EXPECT_TRUE(host.pids().empty());
    EXPECT_EQ(host.read("job/graceful.json"), before);
}

class LookBackOfAResume : public testing::Test {
protected:
    LookBackOfAResume()
    {
        host.crashLongAgo();
        host.catchUp();
        plan = planResume(host, {}).plan;
        append("planned", planToJson(plan));
        append("preparing", "");
        StepLog steps([this](const std::string &data) -> Status {
            append(stepEntry, data);
            return Done{};
        });
        EXPECT_TRUE(applyEdits(host, plan, steps).has_value());
        EXPECT_TRUE(applyFiles(host, plan, steps).has_value());
        EXPECT_FALSE(host.exists("job/log/worker_0.log"));
    }
    void append(const std::string &state, const std::string &data)
    {
        EXPECT_TRUE(
            host.journal()
                .append({.action = plan.id, .job = "fake", .kind = "resume", .state = state, .text = "", .data = data})
                .has_value());
    }
    EngineHost host{{{0}, {1}}, "command"};
    Plan plan;
};

// Regression: only a known holder blocked the job; an unknown holder counted as a free job.
TEST_F(LookBackOfAResume, RestoresNothingIfTheHolderOfTheJobIsUnknown)
{
    std::filesystem::create_directories(host.file("job/.rankdeck/runs/fake.job"));
    const std::string said = finishInterrupted(host);
    EXPECT_THAT(said, testing::AllOf(HasSubstr("cannot tell whether"), HasSubstr("nothing is put back")));
    EXPECT_FALSE(host.exists("job/log/worker_0.log"));
    EXPECT_EQ(host.journal().unfinished("fake")->size(), 1u);
    std::filesystem::remove(host.file("job/.rankdeck/runs/fake.job"));
    EXPECT_THAT(finishInterrupted(host), HasSubstr("put back where they were"));
    EXPECT_TRUE(host.exists("job/log/worker_0.log"));
}

// Regression: a request of a killed console, or a start that a slow disk delayed, could begin after the undo.
TEST_F(LookBackOfAResume, LaunchesThatWereUndoneNeverStart)
{
    EXPECT_THAT(finishInterrupted(host), HasSubstr("put back where they were"));
    for (const NodePlan &node : plan.nodes)
        for (const LaunchRequest &launch : node.launches) {
            const auto late = host.node(node.node)->launch(launch).get();
            ASSERT_FALSE(late.has_value());
            EXPECT_THAT(late.error().message, HasSubstr("was called off"));
        }
}

// Regression: if another console came between the check and the first file step, its files were moved.
TEST_F(LookBackOfAResume, RestoresNothingDuringAReservationOfAnotherConsole)
{
    const LaunchRequest &launch = plan.nodes.front().launches.front();
    JobClaim other = launch.job;
    other.action = "resume-other";
    other.text = "attempt 2, reserved by you@there";
    ASSERT_TRUE(host.node(plan.nodes.front().node)->reserveJob(other, launch.runDirectory).get().has_value());
    EXPECT_THAT(finishInterrupted(host), testing::AllOf(HasSubstr("you@there"), HasSubstr("nothing is put back")));
    EXPECT_FALSE(host.exists("job/log/worker_0.log"));
    ASSERT_TRUE(host.node(plan.nodes.front().node)->releaseJob(other, launch.runDirectory).get().has_value());
    EXPECT_THAT(finishInterrupted(host), HasSubstr("put back where they were"));
    ASSERT_TRUE(host.node(plan.nodes.front().node)->reserveJob(other, launch.runDirectory).get().has_value())
        << "it has let go";
}

// Regression: the live logs were renamed, and files of the dead plan were put under a run that a user had started by
// hand.
TEST_F(LookBackOfAResume, RestoresNothingDuringARunThatWasStartedByHand)
{
    for (const int rank : {0, 1}) {
        const std::string node = "n" + std::to_string(rank);
        const LaunchRequest byHand{.id = Journal::newActionId("byhand"),
                                   .runDirectory = host.file("runs"),
                                   .argv = {"/bin/sh", "-c", "echo alive; exec sleep 60"},
                                   .env = {{"RANK_ID", std::to_string(rank)}, {"FAKE_JOB", host.file("job")}},
                                   .output = host.file("job/log/worker_" + std::to_string(rank) + ".log")};
        ASSERT_TRUE(host.node(node)->launch(byHand).get().has_value());
    }
    ASSERT_TRUE(host.waitFor([&] { return host.exists("job/log/worker_1.log"); }));
    EXPECT_THAT(finishInterrupted(host),
                testing::AllOf(HasSubstr("ranks 0, 1 are running now"), HasSubstr("nothing is put back")));
    EXPECT_TRUE(host.exists("job/log/worker_0.log"));
    EXPECT_EQ(host.journal().unfinished("fake")->size(), 1u);
    host.endAll();
    EXPECT_THAT(finishInterrupted(host), HasSubstr("exists again and is left unchanged")) << "it is that run's log";
    EXPECT_EQ(host.read("job/log/worker_0.log"), "alive\n");
}

// The console died between the failure of a launch and its rollback: commands that run now belong to the failed launch.
TEST_F(LookBackOfAResume, RollsBackAFailedLaunchEvenIfAllItsCommandsRun)
{
    std::vector<Started> started;
    for (const NodePlan &node : plan.nodes)
        for (const LaunchRequest &launch : node.launches) {
            const auto sent = host.node(node.node)->launch(launch).get();
            ASSERT_TRUE(sent.has_value()) << sent.error().message;
            started.push_back({.node = node.node, .request = launch, .reply = sent.value()});
        }
    append("launching", "");
    append("launch_failed", startedToJson(started));
    EXPECT_THAT(finishInterrupted(host), HasSubstr("2 of 2 commands had been started and were ended"));
    EXPECT_TRUE(host.exists("job/log/worker_0.log"));
}

// Regression: only the submitting node was reserved, and files on the other nodes were moved although another attempt
// was using them.
TEST(LookBackOfAnEngine, RestoresNothingWhileAnotherConsoleHoldsANodeWithoutLaunches)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    host.job.launch.recipe = "slurm";
    host.job.launch.submitOn = "n0";
    host.job.launch.workdir = host.file("{node}");
    for (const char *node : {"n0", "n1"}) std::filesystem::create_directories(host.file(node));
    host.catchUp();
    const Plan plan = planResume(host, {}).plan;
    const auto append = [&](const std::string &state, const std::string &data) -> Status {
        return host.journal().append(
            {.action = plan.id, .job = "fake", .kind = "resume", .state = state, .text = "", .data = data});
    };
    ASSERT_TRUE(append("planned", planToJson(plan)).has_value());
    ASSERT_TRUE(append("preparing", "").has_value());
    StepLog steps([&](const std::string &data) { return append(stepEntry, data); });
    ASSERT_TRUE(applyFiles(host, plan, steps).has_value());
    ASSERT_FALSE(host.exists("job/log/worker_1.log"));
    const JobState view = host.view();
    const JobClaim other{.key = jobClaim(view, nullptr, "").key, .action = "resume-other", .text = "by you@there"};
    const std::string runs = runDirectory(view.job, &view.job.nodes[1]);
    ASSERT_TRUE(host.node("n1")->reserveJob(other, runs).get().has_value());
    EXPECT_THAT(finishInterrupted(host), testing::AllOf(HasSubstr("you@there"), HasSubstr("nothing is put back")));
    EXPECT_FALSE(host.exists("job/log/worker_1.log"));
    ASSERT_TRUE(host.node("n1")->releaseJob(other, runs).get().has_value());
    EXPECT_THAT(finishInterrupted(host), HasSubstr("put back where they were"));
    EXPECT_TRUE(host.exists("job/log/worker_1.log"));
}

// Nodes that answer only sometimes: the callback gets the number of the request and returns whether the node answers.
class Flickering final : public ForwardingContext {
public:
    Flickering(EngineHost &host, std::function<bool(int)> there) : ForwardingContext(host), m_there(std::move(there)) {}
    void waitForChange(SteadyTime deadline) override
    {
        ++waits;
        m_host.waitForChange(deadline);
    }
    NodeClient *node(const std::string &name) override { return m_there(asked++) ? m_host.node(name) : nullptr; }
    int waits = 0, asked = 0;

private:
    std::function<bool(int)> m_there;
};

class LaunchUnknown : public testing::Test {
protected:
    LaunchUnknown() { host.catchUp(); }
    std::vector<Started> launched(const std::string &script)
    {
        Plan plan;
        plan.nodes.push_back(
            {.node = "n0",
             .launches = {{.id = id, .runDirectory = host.file("runs"), .argv = {"/bin/sh", "-c", script}}}});
        return launchAll(host, plan);
    }
    EngineHost host{{{0}}, "command"};
    // A unique launch id, as every action has. All processes with this id are ended, even those of a test that runs in
    // parallel.
    const std::string id = Journal::newActionId("submits");
};

// Regression: a missing answer counted as a yes of the engine.
TEST_F(LaunchUnknown, LaunchThatCouldNotBeCheckedIsNotAccepted)
{
    const std::string file = host.file("accepted");
    std::vector<Started> started =
        launched("while [ ! -e " + host.file("go") + " ]; do sleep 0.1; done; echo > " + file + "; exec sleep 60");
    ASSERT_TRUE(started.front().reply) << started.front().problem->message;
    Flickering console(host, [&](int asked) {
        if (asked == 6) host.write("go", "");
        return asked >= 6;
    });
    awaitAccepted(console, {{id, file}}, started);
    EXPECT_GT(console.asked, 6);
    EXPECT_TRUE(host.exists("accepted"));
    EXPECT_TRUE(stopStarted(host, started, {}).empty());
}

// Regression: started processes were not searched for, and the report claimed that nothing was started.
TEST_F(LaunchUnknown, WorkersThatCouldNotBeQueriedAreNotReportedAsGone)
{
    std::vector<Started> started = launched("exit 0");
    ASSERT_TRUE(started.front().reply) << started.front().problem->message;
    ASSERT_TRUE(host.waitFor([&] {
        askLaunched(host, started);
        return !started.front().reply->running;
    }));
    Flickering console(host, [](int asked) { return asked == 0; });
    EXPECT_THAT(stopStarted(console, started, {}), testing::ElementsAre(HasSubstr("cannot tell whether")));
    EXPECT_TRUE(stopStarted(host, started, {}).empty());
}

// Regression: a launch without an answer was queried only once. If it had not begun by then, it was undone while it
// started.
TEST_F(LaunchUnknown, UnansweredLaunchThatHasNotBegunNeverStarts)
{
    const LaunchRequest request{.id = id, .runDirectory = host.file("runs"), .argv = {"sleep", "60"}};
    std::vector<Started> started{{.node = "n0", .request = request, .problem = fail(ErrorKind::timeout, "")}};
    EXPECT_TRUE(stopStarted(host, started, {}).empty());
    EXPECT_TRUE(started.front().launched.isNo());
    EXPECT_FALSE(host.node("n0")->launch(request).get().has_value());
}

// Regression: once the process that represents the job of an engine was killed, that job counted as ended.
TEST_F(LaunchUnknown, JobWhoseRepresentingProcessWasKilledMayStillRun)
{
    std::vector<Started> started = launched("kill -9 $$");
    ASSERT_TRUE(started.front().reply) << started.front().problem->message;
    ASSERT_TRUE(host.waitFor([&] {
        askLaunched(host, started);
        return started.front().reply->exitCode.has_value();
    }));
    EXPECT_THAT(stopStarted(host, started, {.standsIn = true}),
                testing::ElementsAre(testing::AllOf(HasSubstr("cannot tell whether the job submitted by"))));
    EXPECT_TRUE(stopStarted(host, started, {}).empty());
}

ProcessInfo processOf(int pid, int parent, std::uint64_t start, bool readable, const std::string &comm = "python3")
{
    ProcessInfo process;
    process.id.pid = pid;
    process.id.startTicks = start;
    process.parent = parent;
    process.state = 'S';
    process.envReadable = readable;
    process.comm = comm;
    return process;
}

TEST(ClosedSince, ContainsOnlyProcessesThatMayDescendFromTheLaunch)
{
    const std::vector<ProcessInfo> all{
        processOf(1, 0, 1, false, "init"),     processOf(10, 1, 50, false, "dockerd"),
        processOf(11, 10, 200, false),          // child of a process that ran before
        processOf(12, 11, 201, false),          // and its child
        processOf(20, 1, 60, true, "systemd"),  // the user's systemd, which adopts orphans
        processOf(21, 20, 202, false),          // may be a descendant
        processOf(30, 1, 203, false),           // may be a descendant
        processOf(31, 30, 204, false),          // and its child
        processOf(40, 1, 90, false),            // began before the launch
        processOf(50, 1, 205, true),            // its details are readable
    };
    std::vector<int> pids;
    for (const ProcessInfo &process : closedSince(all, 100)) pids.push_back(process.id.pid);
    EXPECT_THAT(pids, testing::ElementsAre(21, 30, 31));
}

// Regression: processes that the login may not inspect were dropped from the list, so no worker was found.
TEST_F(LaunchUnknown, ProcessThatTheLoginCannotInspectMayBeAWorker)
{
    std::filesystem::permissions(host.directory(), std::filesystem::perms::all);
    host.putBehind("n0", {"setpriv", "--reuid=65534", "--clear-groups"});
    ASSERT_TRUE(host.waitFor([&] { return host.view().nodes[0].facts.uid == 65534; }));
    std::vector<Started> started = launched("exit 0");
    ASSERT_TRUE(started.front().reply) << started.front().problem->message;
    // Simulates a worker that runs as another user and whose launcher is gone.
    const std::string file = host.file("worker");
    ASSERT_EQ(std::system(
                  ("setsid sh -c 'sleep 300 & echo $! > " + file + ".new; mv " + file + ".new " + file + "'").c_str()),
              0);
    const int worker = std::stoi(host.read("worker"));
    ASSERT_TRUE(host.waitFor([&] {
        askLaunched(host, started);
        return !started.front().reply->running;
    }));
    const auto found = launchedProcesses(host, started);
    ::kill(worker, SIGKILL);
    ASSERT_FALSE(found.has_value());
    EXPECT_THAT(found.error().message, HasSubstr("this login cannot inspect"));
}

}  // namespace
}  // namespace rankdeck::lookback_unknown_test
