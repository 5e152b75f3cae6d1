// SPDX-License-Identifier: GPL-3.0-or-later
// A script that gets a directory (tests/sources/resnet50_mindspore) and loads the newest file of ckpt_0 into every
// rank; its wrapper starts it. Files of real MindSpore on real (local) nodes with separate directories.
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace rankdeck::first_folder_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

class FirstFolder : public testing::Test {
protected:
    void SetUp() override
    {
        fs::create_directories(host.file("job/ckpt"));
        for (const int rank : {0, 1}) {
            const std::string node = "job/n" + std::to_string(rank);
            fs::copy(sourceDirectory() + "/tests/sources/resnet50_mindspore", host.file(node),
                     fs::copy_options::recursive);
            for (const char *name : {"lenet-1_5.ckpt", "lenet-1_10.ckpt"}) save(rank, name);
            host.write("job/log/worker_" + std::to_string(rank) + ".log", "epoch: 1 step: 10, loss is 2.3\n");
        }
        host.job.checkpoints.path = host.file("job/{node}/output/checkpoint/ckpt_{rank}");
        host.job.launch.workdir = host.file("job/{node}");
        host.job.framework = Framework::mindspore;
        host.job.gracefulExit = {};
        host.job.launch.perNode = true;
        host.job.launch.command = {"bash", "scripts/train_start.sh"};
        host.endLongAgo();
    }
    std::string folder(int rank) const
    {
        return host.file("job/n" + std::to_string(rank) + "/output/checkpoint/ckpt_" + std::to_string(rank));
    }
    std::string ofNode1() const { return host.file("job/n1/output/checkpoint/ckpt_0"); }
    void save(int rank, const std::string &name)
    {
        fs::create_directories(folder(rank));
        const std::string to = folder(rank) + "/" + name;
        fs::copy_file(testData() + "/mindspore/dp4/2.7.0/resume/rank_" + std::to_string(rank) + "/" + name, to,
                      fs::copy_options::overwrite_existing);
        fs::last_write_time(to, fs::file_time_type::clock::now() - (name == "lenet-1_5.ckpt" ? 6min : 5min));
    }
    static std::vector<std::string> stepsOf(const Plan &plan)
    {
        std::vector<std::string> steps;
        for (const NodePlan &node : plan.nodes)
            for (const FileActionRequest &step : node.files)
                if (step.path.find("ckpt_0") != std::string::npos)
                    steps.push_back(std::string(step.action == FileAction::move       ? "move "
                                                : step.action == FileAction::copyFile ? "copy "
                                                                                      : "make ") +
                                    step.path + " on " + node.node);
        return steps;
    }
    EngineHost host{{{0}, {1}}, "command"};
};

TEST_F(FirstFolder, BacksUpNewerFilesAndCopiesTheSetToNodesWithoutIt)
{
    const ResumeReport report = planResume(host, {.set = "0:1-5"});
    EXPECT_EQ(report.outcome, "dry_run") << report.text;
    EXPECT_THAT(stepsOf(report.plan), testing::UnorderedElementsAre("move " + folder(0) + "/lenet-1_10.ckpt on n0",
                                                                    "make " + ofNode1() + " on n1",
                                                                    "copy " + ofNode1() + "/lenet-1_5.ckpt on n1"));
    const Finding *aside = find(report.preflight, "newer_checkpoints");
    ASSERT_NE(aside, nullptr);
    EXPECT_THAT(aside->text, HasSubstr("the newest checkpoint of " + folder(0) + " into every rank"));
    EXPECT_EQ(find(report.preflight, "starts_from_zero"), nullptr);
}

TEST_F(FirstFolder, BacksUpNothingForTheNewestSet)
{
    fs::create_directories(ofNode1());
    EXPECT_THAT(stepsOf(planResume(host, {.set = "0:1-10"}).plan),
                testing::ElementsAre("copy " + ofNode1() + "/lenet-1_10.ckpt on n1"));
    fs::copy_file(folder(0) + "/lenet-1_10.ckpt", ofNode1() + "/lenet-9_9.ckpt");  // left by another run
    EXPECT_THAT(stepsOf(planResume(host, {.set = "0:1-10"}).plan),
                testing::ElementsAre("move " + ofNode1() + "/lenet-9_9.ckpt on n1",
                                     "copy " + ofNode1() + "/lenet-1_10.ckpt on n1"));
}

// The wrapper ignores its arguments, so the checkpoint in launch.command never reaches the script, which must find one
// without it.
TEST_F(FirstFolder, RefusesAWrapperThatDropsArgumentsItsScriptNeeds)
{
    host.write("job/n0/train.py", "model.train(1, data)\nload_checkpoint(args.resume)\n");
    host.write("job/n1/train.py", "model.train(1, data)\nload_checkpoint(args.resume)\n");
    host.job.launch.command = {"bash", "scripts/train_start.sh", "--resume={checkpoint}"};
    const ResumeReport report = planResume(host, {.set = "0:1-10"});
    const Finding *zero = find(report.preflight, "starts_from_zero");
    ASSERT_NE(zero, nullptr) << report.text;
    EXPECT_EQ(zero->result, Finding::Result::refuse);
    EXPECT_THAT(zero->text, HasSubstr("scripts/train_start.sh uses no arguments"));
    EXPECT_EQ(planResume(host, {.set = "0:1-10", .fixes = {"starts_from_zero"}}).outcome, "dry_run");
    for (const char *node : {"n0", "n1"})
        host.write(std::string("job/") + node + "/scripts/train_start.sh", "python ../train.py \"$@\"\n");
    EXPECT_EQ(find(planResume(host, {.set = "0:1-10"}).preflight, "starts_from_zero"), nullptr);
}

// The script behind a wrapper, or behind flags of its interpreter, is read like a script that comes first.
TEST_F(FirstFolder, FindsAScriptThatNeverLoadsBehindWrappersAndFlags)
{
    for (const char *node : {"n0", "n1"})
        host.write(std::string("job/") + node + "/train.py", "model.train(1, data)\n");
    for (const std::vector<std::string> &command :
         {std::vector<std::string>{"bash", "-c", "cd scripts; ./train_start.sh"},
          {"env", "A=1", "python", "-u", "train.py"}}) {
        host.job.launch.perNode = command.front() == "bash";
        host.job.launch.command = command;
        const ResumeReport report = planResume(host, {.set = "0:1-10"});
        const Finding *zero = find(report.preflight, "starts_from_zero");
        ASSERT_NE(zero, nullptr) << command.back() << ": " << report.text;
        EXPECT_EQ(zero->result, Finding::Result::refuse) << command.back();
    }
}

}  // namespace
}  // namespace rankdeck::first_folder_test
