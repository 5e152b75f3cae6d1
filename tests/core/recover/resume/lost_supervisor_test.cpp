// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs whose supervisor was killed, and jobs of an engine, whose nodes have no claim.
#include "core/node/wait_for.h"
#include "core/recover/launch/recipe.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace rankdeck::lost_supervisor_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

int parentOf(int pid)
{
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string line, state;
    std::getline(stat, line);
    int parent = -1;
    if (const std::size_t end = line.rfind(')'); end != std::string::npos)
        std::istringstream(line.substr(end + 1)) >> state >> parent;
    return parent;
}

// kill -9 of the process that has the lock, while the ranks live. The ranks keep the job reserved for every console
// until they end.
TEST(LostSupervisor, LivingRanksKeepTheJobReserved)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    const ResumeReport first = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(first.outcome, "proven") << first.text;
    for (const int rank : host.rankPids()) {
        const int supervisor = parentOf(rank);
        ASSERT_GT(supervisor, 1);
        ASSERT_EQ(::kill(supervisor, SIGKILL), 0);
        ASSERT_TRUE(host.waitFor([&] { return parentOf(rank) != supervisor; }));
    }
    host.closeEngine();  // from here on, a console that knows only what it sees
    host.catchUp();
    for (const RankState &rank : host.view().ranks) EXPECT_TRUE(rank.alive.isYes());
    ASSERT_TRUE(host.waitFor([&] {  // newer saves of the attempt need not be read
        const JobState view = host.view();
        const CheckpointSet *set = view.checkpoints.find(first.set);
        return set && set->verdict == Verdict::valid;
    }));
    const ResumeReport second = runResume(host, {.set = first.set, .waitSeconds = 5, .fixes = {"all"}}, {});
    EXPECT_TRUE(refusedWith(second, "attempt_running"));
    EXPECT_THAT(second.text, HasSubstr(first.journal));
    EXPECT_EQ(host.rankPids().size(), 2u);
    EXPECT_THAT(host.rankPids(), Not(Contains(-1)));
    for (const NodeSpec &node : host.job.nodes) {  // the node also refuses, whichever console asks
        const JobClaim other = jobClaim(host.view(), &node, "resume-other");
        const Status reserved = host.node(node.name)->reserveJob(other, runDirectory(host.view().job, &node)).get();
        ASSERT_FALSE(reserved.has_value());
        EXPECT_EQ(reserved.error().detail, jobHeldDetail) << reserved.error().message;
    }
    host.endAll();
    for (const NodeSpec &node : host.job.nodes) {
        const JobClaim other = jobClaim(host.view(), &node, "resume-other");
        const Status free = host.node(node.name)->reserveJob(other, runDirectory(host.view().job, &node)).get();
        EXPECT_TRUE(free.has_value()) << free.error().message;
    }
}

// Regression: when one node submits for all, the ranks' logs and checkpoints were free as soon as the engine had the
// job. A job file with another name was not refused.
TEST(SubmittingNode, ReservesThePathsOfAllRanksUntilItsLaunchEnds)
{
    EngineHost host({{0}, {1}}, "command");
    host.job.launch.recipe = "slurm";
    host.job.launch.submitOn = "n0";
    host.catchUp();
    const JobState view = host.view();
    const NodeSpec &submits = view.job.nodes[0], &other = view.job.nodes[1];
    const JobClaim claim = jobClaim(view, &submits, "resume-1");
    EXPECT_THAT(claim.places,
                AllOf(Contains(host.file("job/log/worker_0.log")), Contains(host.file("job/log/worker_1.log"))));
    EXPECT_THAT(jobClaim(view, &other, "resume-1").places, Not(Contains(host.file("job/log/worker_0.log"))));
    const std::string runs = runDirectory(view.job, &submits);
    const LaunchRequest launch{.id = "resume-1.submit",
                               .runDirectory = runs,
                               .argv = {"sleep", "300"},
                               .env = {{"FAKE_JOB", host.directory()}},
                               .job = claim};
    const auto started = host.node("n0")->launch(launch).get();
    ASSERT_TRUE(started.has_value()) << started.error().message;
    JobState another = view;
    another.job.name = "another";
    std::filesystem::create_directories(host.file("elsewhere"));
    const auto holder = host.node("n0")->jobHolder(jobClaim(another, &other, "resume-2"), host.file("elsewhere")).get();
    ASSERT_TRUE(holder.has_value()) << holder.error().message;
    EXPECT_TRUE(holder->held.isYes()) << holder->reason;
    EXPECT_THAT(holder->text, HasSubstr("whatever its job is called"));
    ASSERT_TRUE(host.node("n0")->signal({.process = started->process, .signal = Signal::kill}).get().has_value());
    ASSERT_TRUE(host.waitFor([&] {
        const auto now =
            host.node("n0")->jobHolder(jobClaim(another, &other, "resume-2"), host.file("elsewhere")).get();
        return now.has_value() && now->held.isNo();
    }));
}

}  // namespace
}  // namespace rankdeck::lost_supervisor_test
