// SPDX-License-Identifier: GPL-3.0-or-later
// The recipe mpirun: its files for two nodes, its refusals, and a resume by the real mpirun of Open MPI. Both
// nodes of the run are this machine, so mpirun starts no daemon over ssh.
#include "core/node/wait_for.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/recipe.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::recipe_mpirun_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Job twoNodes()
{
    Job job;
    job.name = "lenet";
    job.worldSize = 3;
    job.nodes = {{.name = "n0", .host = "me@a", .ranks = {0, 1}}, {.name = "n1", .host = "b", .ranks = {2}}};
    job.logs.path = "/job/log/worker_{rank}.log";
    job.checkpoints.path = "/job/ckpt/rank_{rank}";
    job.launch.recipe = "mpirun";
    job.launch.workdir = "/job";
    job.launch.command = {"python", "train.py", "{checkpoint}"};
    job.launch.options = {"--mca", "plm_rsh_agent", "/opt/agent"};
    return job;
}

LaunchPlan planOf(const Job &job)
{
    const JobState view{.job = job};
    const CheckpointSet set{.id = "0:3-10", .epoch = 3, .step = 10, .verdict = Verdict::valid};
    RecipeInput input{.view = view, .set = set, .id = "resume-1"};
    for (int rank = 0; rank < job.worldSize; ++rank)
        input.checkpoints[rank] = "/job/ckpt/rank_" + std::to_string(rank) + "/a.ckpt";
    return findRecipe("mpirun")->plan(input);
}

TEST(MpirunPlan, OneMpirunStartsTheRanksOfAllNodes)
{
    const LaunchPlan plan = planOf(twoNodes());
    EXPECT_TRUE(plan.findings.empty());
    ASSERT_EQ(plan.nodes.size(), 2u);
    EXPECT_THAT(plan.nodes[0].launches.at(0).argv,
                ElementsAre("mpirun", "--allow-run-as-root", "-np", "3", "--host", "a:2,b:1", "--map-by", "slot", "-x",
                            "RANKDECK_JOB", "-x", "RANKDECK_LAUNCH_ID", "--bind-to", "none", "--mca", "plm_rsh_agent",
                            "/opt/agent", "python3", "/job/.rankdeck/batch/resume-1/rank.py"));
    EXPECT_TRUE(plan.nodes[1].launches.empty());
    for (const NodePlan &node : plan.nodes) {
        ASSERT_EQ(node.edits.size(), 1u);
        EXPECT_EQ(node.edits[0].path, "/job/.rankdeck/batch/resume-1/rank.py");
    }
}

TEST(MpirunPlan, RanksGetTheirLogAndLocalRankButNoRole)
{
    const std::string program = planOf(twoNodes()).nodes.at(1).edits.at(0).after;
    EXPECT_THAT(program, HasSubstr("number = os.environ[\"OMPI_COMM_WORLD_RANK\"]\n"));
    EXPECT_THAT(program, HasSubstr(R"("2": {"log":"/job/log/worker_2.log")"));
    EXPECT_THAT(program, HasSubstr(R"("RANK_ID":"2")"));
    EXPECT_THAT(program, Not(HasSubstr("MS_ROLE")));
    EXPECT_THAT(program, Not(HasSubstr("MS_NODE_ID")));
    Job torch = twoNodes();
    torch.framework = Framework::pytorch;
    EXPECT_THAT(planOf(torch).nodes.at(0).edits.at(0).after, HasSubstr(R"("LOCAL_RANK":"0")"));
}

TEST(MpirunPlan, KeepsBindingOptionsAndSharedPathsOfTheJob)
{
    Job job = twoNodes();
    job.pathsShared = true;
    job.launch.options = {"--bind-to", "socket"};
    const LaunchPlan plan = planOf(job);
    EXPECT_TRUE(plan.nodes.at(1).edits.empty());
    const std::vector<std::string> &argv = plan.nodes[0].launches.at(0).argv;
    EXPECT_EQ(std::count(argv.begin(), argv.end(), "--bind-to"), 1);
}

TEST(MpirunPlan, RefusesAnotherRankOrderAndDifferentDirectories)
{
    Job job = twoNodes();
    job.nodes[0].ranks = {0, 2};
    job.nodes[1].ranks = {1};
    ASSERT_EQ(planOf(job).findings.size(), 1u);
    EXPECT_EQ(planOf(job).findings[0].code, "recipe_ranks");
    job = twoNodes();
    job.launch.workdir = "/job/{node}";
    ASSERT_EQ(planOf(job).findings.size(), 1u);
    EXPECT_EQ(planOf(job).findings[0].code, "recipe_paths");
    EXPECT_THAT(planOf(job).findings[0].text, HasSubstr("n1"));
}

TEST(MpirunRun, RealRanksUnderRealMpirunAreProven)
{
    EngineHost host({{0}, {1}}, "command");
    host.job.pathsShared = true;
    host.startFirst();
    host.job.launch.recipe = "mpirun";
    host.engine();  // must see the ranks before they end
    host.endAll();
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    EXPECT_EQ(report.outcome, "proven") << report.text;
    const ProcessSnapshot running = askProcesses(host, host.view(), inSeconds(20));
    EXPECT_EQ(running.ranksAlive(), (std::vector<int>{0, 1}));
    ASSERT_EQ(running.nodes.at("n0").others.size(), 1u) << "mpirun itself";
    EXPECT_EQ(running.nodes.at("n0").others[0].comm, "mpirun");
}

}  // namespace
}  // namespace rankdeck::recipe_mpirun_test
