// SPDX-License-Identifier: GPL-3.0-or-later
// The scripts that the commands in tests/sources start, directly or through shell scripts.
#include "core/recover/launch/command_script.h"

#include "core/recover/launch/first_folder.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace rankdeck::command_script_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string textOf(const std::string &path)
{
    std::ostringstream all;
    all << std::ifstream(sourceDirectory() + "/tests/sources/" + path, std::ios::binary).rdbuf();
    return all.str();
}

std::string said(const std::vector<std::string> &command)
{
    const CommandScript found = scriptOfCommand(command);
    return found.wrapper + "|" + found.script + (found.direct ? "!" : "");
}

TEST(CommandScript, IsFoundAmongTheArgumentsOfACommand)
{
    EXPECT_EQ(said({"train.py", "--x"}), "|train.py!");
    EXPECT_EQ(said({"python", "train.py", "--config=a.py"}), "|train.py!");
    EXPECT_EQ(said({"/venv/bin/python3.11", "-u", "-X", "faulthandler", "src/train.py"}), "|src/train.py!");
    EXPECT_EQ(said({"python", "-m", "pkg.train", "--x=1"}), "|pkg/train.py!");
    EXPECT_EQ(said({"env", "A=1", "python", "-u", "train.py"}), "|train.py!");
    EXPECT_EQ(said({"numactl", "--cpunodebind=0", "python", "train.py"}), "|train.py!");
    EXPECT_EQ(said({"deepspeed", "train.py"}), "|train.py!");
    EXPECT_EQ(said({"bash", "-c", "cd /job/code && python train.py --resume x"}), "|train.py");
    EXPECT_EQ(said({"python", "-c", "import x"}), "|");
    EXPECT_EQ(said({"./train", "--config", "x.yaml"}), "|");
    EXPECT_EQ(said({"launch", "--config", "config.py"}), "|");
}

// MindX DL's wrappers: the folder of the code and the training script are arguments of the wrapper, or are written in
// it.
TEST(CommandScript, WrappersAreRecognisedByTheirArguments)
{
    const CommandScript tf = scriptOfCommand(
        {"/bin/bash", "-c",
         "cd /job/code/tf/scripts;chmod +x train_start.sh;bash train_start.sh /job/code/tf/ /job/output/logs "
         "src/mains/res50.py --config_file=a.py"});
    EXPECT_EQ(tf.wrapper, "train_start.sh");
    EXPECT_EQ(tf.script, "src/mains/res50.py");
    EXPECT_FALSE(tf.direct);
    EXPECT_THAT(tf.places, ElementsAre("/job/code/tf/scripts", "/job/code/tf/", "/job/output/logs"));
    EXPECT_EQ(said({"bash", "scripts/run_distribute_train.sh", "8", "/job/hccl.json"}),
              "scripts/run_distribute_train.sh|");
    EXPECT_EQ(said({"./scripts/train_start.sh"}), "./scripts/train_start.sh|");
}

TEST(WrapperText, ShowsTheScriptsAWrapperStartsAndWhetherItPassesArguments)
{
    const WrapperText main = readWrapper(textOf("resnet50_mindspore/scripts/main.sh"));
    EXPECT_THAT(main.scripts, ElementsAre("train.py", "../train.py"));
    EXPECT_FALSE(main.handsOn);
    EXPECT_TRUE(main.startsRanks);
    const WrapperText start = readWrapper(textOf("resnet50_mindspore/scripts/train_start.sh"));
    EXPECT_THAT(start.wrappers, ElementsAre("main.sh"));
    EXPECT_THAT(start.scripts, IsEmpty());
    const WrapperText own = readWrapper(
        "#!/bin/bash\n# python other.py\n. utils.sh\nsource env.sh\nmsrun --worker_num=8 \\\n  ./train.py \"$@\"\n");
    EXPECT_THAT(own.scripts, ElementsAre("./train.py"));
    EXPECT_THAT(own.wrappers, IsEmpty());
    EXPECT_TRUE(own.handsOn);
    EXPECT_TRUE(own.startsRanks);
    EXPECT_FALSE(readWrapper("export RANK_ID=$OMPI_COMM_WORLD_RANK\npython train.py $@\n").startsRanks);
    EXPECT_THAT(readWrapper("boot=$3\npython ${boot}\npython $HOME/$x/a.py\n").scripts, ElementsAre("a.py"))
        << "as far as words tell";
    EXPECT_THAT(readWrapper(std::string(1000000, '"')).scripts, IsEmpty());
}

TEST(PlacesOfScript, AreTheWrapperDirectoryAndItsParent)
{
    EXPECT_THAT(placesOfScript("/a/b.py", {"/job"}), ElementsAre("/a/b.py"));
    EXPECT_THAT(placesOfScript("../train.py", {"/job", "/job/scripts"}),
                ElementsAre("/job/../train.py", "/job/scripts/../train.py", "/job/train.py", "/job/scripts/train.py"));
    EXPECT_THAT(placesOfScript("train.py", {"/job/scripts"}),
                ElementsAre("/job/scripts/train.py", "/job/scripts/../train.py"));
}

TEST(FirstFolderOf, IsFoundInTheTextOfTheScript)
{
    const std::string script = textOf("resnet50_mindspore/train.py");
    EXPECT_EQ(firstFolderOf(script), "ckpt_0");
    EXPECT_EQ(firstFolderOf("files = glob(os.path.join(out, f'ckpt_{rank}', "
                            "'*.ckpt'))\nfiles.sort(key=os.path.getmtime)\nload_checkpoint(files[0])"),
              "");
    EXPECT_EQ(firstFolderOf("# 'ckpt_0' glob( getmtime load_checkpoint("), "");
}

}  // namespace
}  // namespace rankdeck::command_script_test
