// SPDX-License-Identifier: GPL-3.0-or-later
// A command that starts all ranks of its node, under a recipe that starts it once for each rank.
#include "core/recover/resume/checks/resume_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rankdeck::launched_twice_test {
namespace {

using testing::HasSubstr;

class LaunchedTwice : public testing::Test {
protected:
    LaunchedTwice()
    {
        facts.view.job.worldSize = 2;
        facts.view.job.nodes = {{.name = "n0", .host = "a", .ranks = {0, 1}}};
        facts.view.job.launch.recipe = "command";
    }
    Findings said(std::vector<std::string> command)
    {
        facts.view.job.launch.command = std::move(command);
        Findings into;
        checkLaunchedTwice(into, facts);
        return into;
    }
    ResumeFacts facts;
};

TEST_F(LaunchedTwice, IsRefusedWithTheNameOfTheLauncher)
{
    const struct {
        std::vector<std::string> command;
        const char *named;
    } cases[] = {{{"accelerate", "launch", "train.py", "{checkpoint}"}, "accelerate"},
                 {{"/opt/x/bin/deepspeed", "train.py", "{checkpoint}"}, "deepspeed"},
                 {{"nohup", "torchrun", "--nproc_per_node=2", "train.py", "{checkpoint}"}, "torchrun"},
                 {{"python3", "-m", "torch.distributed.run", "train.py", "{checkpoint}"}, "torch.distributed.run"},
                 {{"bash", "-c", "msrun --worker_num=2 train.py {checkpoint}"}, "msrun"},
                 {{"env", "A=1", "srun", "-n", "2", "train.py", "{checkpoint}"}, "srun"},
                 {{"mpiexec", "-n", "2", "train.py", "{checkpoint}"}, "mpiexec"}};
    for (const auto &[command, named] : cases) {
        const Findings found = said(command);
        ASSERT_EQ(found.size(), 1u) << named;
        EXPECT_EQ(found[0].code, FindingCode("job_file"));
        EXPECT_EQ(found[0].result, Finding::Result::refuse);
        EXPECT_THAT(found[0].text, testing::AllOf(HasSubstr(named), HasSubstr("each of the 2 ranks")));
        EXPECT_THAT(found[0].fix, HasSubstr("per_node"));
    }
}

TEST_F(LaunchedTwice, NamesThePathOfAScriptThatStartsAllRanks)
{
    facts.programs.wrappers["n0"].path = "/job/run_all.sh";
    facts.programs.wrappers["n0"].startsRanks = true;
    const Findings found = said({"bash", "run_all.sh", "{checkpoint}"});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_THAT(found[0].text, HasSubstr("/job/run_all.sh in launch.command starts all ranks"));
    facts.view.job.launch.recipe = "volcano";
    EXPECT_THAT(said({"bash", "run_all.sh", "{checkpoint}"})[0].fix, HasSubstr("per_pod"));
}

TEST_F(LaunchedTwice, DoesNotReportCommandsOfOneRankOrOfAWholeNode)
{
    EXPECT_TRUE(said({"python3", "train.py", "--launcher", "torchrun", "{checkpoint}"}).empty());
    EXPECT_TRUE(said({"python3", "srun_wrapper.py", "{checkpoint}"}).empty());
    facts.view.job.launch.perNode = true;
    EXPECT_TRUE(said({"accelerate", "launch", "train.py", "{checkpoint}"}).empty());
    facts.view.job.launch.perNode = false;
    facts.view.job.nodes[0].ranks = {0};
    facts.view.job.worldSize = 1;
    EXPECT_TRUE(said({"accelerate", "launch", "train.py", "{checkpoint}"}).empty()) << "one rank is started once";
}

}  // namespace
}  // namespace rankdeck::launched_twice_test
