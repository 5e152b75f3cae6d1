// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the checkpoint that a command names reaches the program that trains.
#include "core/recover/resume/evidence/command_reach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::command_reach_test {
namespace {

using ::testing::HasSubstr;

CommandReach reach(const std::vector<std::string> &command)
{
    return reachOf(command, {"checkpoint", "checkpoint_dir"});
}

TEST(CommandReach, ArgumentOfTheProgramReachesIt)
{
    for (const std::vector<std::string> &command : {
             std::vector<std::string>{"python", "train.py", "--resume={checkpoint}"},
             {"torchrun", "--nproc_per_node", "2", "train.py", "{checkpoint_dir}"},
             {"./train", "-l", "{checkpoint}"},
             {"bash", "run.sh", "{checkpoint}"},
             {"bash", "-c", "python train.py --resume {checkpoint}"},
             {"bash", "-c", "cd /job; exec python train.py \"$@\"", "x", "{checkpoint}"},
             {"sh", "-c", "CKPT={checkpoint}; python train.py --load $CKPT"},
             {"bash", "-lc", "source env.sh && ./anything {checkpoint}"},
         }) {
        const CommandReach found = reach(command);
        EXPECT_TRUE(found.isNamed && found.problem.empty() && found.variable.empty())
            << command.back() << found.problem;
    }
}

TEST(CommandReach, NamesTheOptionAndAProgramThatIsNotAScript)
{
    const struct {
        std::vector<std::string> command;
        std::string option, opaque;
    } rows[] = {{{"python", "train.py", "--resume={checkpoint}"}, "--resume", ""},
                {{"llamafactory-cli", "train", "--resume", "{checkpoint}"}, "--resume", "llamafactory-cli"},
                {{"make", "train", "CKPT={checkpoint}"}, "", "make"},
                {{"make", "-j", "2", "train", "CKPT={checkpoint}"}, "", "make"},
                {{"make", "SHELL=/bin/bash", "SCRIPT=train.py", "CKPT={checkpoint}"}, "", "make"},
                {{"npm", "run", "train", "--", "{checkpoint}"}, "--", "npm"},
                {{"env", "A=1", "just", "train", "{checkpoint}"}, "", "just"},
                {{"bash", "-c", "cd /job && make CKPT={checkpoint}"}, "", "make"},
                {{"bash", "-c", "./train --load {checkpoint}"}, "--load", "./train"}};
    for (const auto &row : rows) {
        const CommandReach found = reach(row.command);
        EXPECT_TRUE(found.isNamed) << row.command.back();
        EXPECT_EQ(found.option, row.option) << row.command.back();
        EXPECT_EQ(found.opaque, row.opaque) << row.command.back();
    }
}

TEST(CommandReach, ArgumentOfAnotherProgramDoesNotCount)
{
    EXPECT_FALSE(reach({"python", "train.py"}).isNamed);
    EXPECT_THAT(reach({"bash", "-c", "python train.py", "{checkpoint}"}).problem, HasSubstr("uses no arguments"));
    EXPECT_THAT(reach({"bash", "-c", "echo {checkpoint}; python train.py"}).problem, HasSubstr("echo"));
}

TEST(CommandReach, VariableIsNotAnArgument)
{
    EXPECT_EQ(reach({"env", "CKPT={checkpoint}", "python", "train.py"}).variable, "CKPT");
    EXPECT_EQ(reach({"bash", "-c", "FROM={checkpoint} python train.py"}).variable, "FROM");
    EXPECT_EQ(reach({"bash", "-c", "export FROM={checkpoint}; python train.py"}).variable, "FROM");
}

TEST(CommandOptions, AreReadInEveryForm)
{
    const auto options =
        optionsOf({"python", "t.py", "--load-path=/a", "--resume", "/b", "-v", "--flag", "model.x=/c", "bare"});
    std::string all;
    for (const CommandOption &one : options) all += one.name + "=" + one.value + " ";
    EXPECT_EQ(all, "=python =t.py load_path=/a resume=/b v= flag=model.x=/c =bare ");
}

}  // namespace
}  // namespace rankdeck::command_reach_test
