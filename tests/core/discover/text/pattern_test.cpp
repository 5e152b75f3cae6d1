// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/launch/launch_words.h"
#include "core/discover/text/text_pattern.h"
#include "core/job/launcher_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::pattern_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// Two nodes of two ranks each.
std::vector<RankText> fourRanks(const std::vector<std::string> &texts)
{
    std::vector<RankText> ranks;
    for (int rank = 0; rank < 4; ++rank)
        ranks.push_back({.rank = rank,
                         .localRank = rank % 2,
                         .nodeIndex = rank / 2,
                         .node = rank < 2 ? "gpu7" : "gpu9",
                         .text = texts[static_cast<std::size_t>(rank)]});
    return ranks;
}

TEST(TextPattern, ReplacesTheRankByAPlaceholder)
{
    EXPECT_EQ(textPattern(fourRanks({"/l/worker_0.log", "/l/worker_1.log", "/l/worker_2.log", "/l/worker_3.log"})),
              "/l/worker_{rank}.log");
}

TEST(TextPattern, ReplacesTheLocalRankAndTheNodeByPlaceholders)
{
    EXPECT_EQ(textPattern(fourRanks({"/n0/d_0", "/n0/d_1", "/n1/d_0", "/n1/d_1"})), "/n{node_index}/d_{local_rank}");
    EXPECT_EQ(textPattern(fourRanks({"/gpu7/r0", "/gpu7/r1", "/gpu9/r2", "/gpu9/r3"})), "/{node}/r{rank}");
}

TEST(TextPattern, KeepsEqualTextAndEscapesItsBraces)
{
    EXPECT_EQ(textPattern(fourRanks({"/a{1}/x", "/a{1}/x", "/a{1}/x", "/a{1}/x"})), "/a{{1}}/x");
    EXPECT_EQ(textPattern(fourRanks({"", "", "", ""})), "");
}

TEST(TextPattern, FindsNoPatternForOtherDifferences)
{
    EXPECT_FALSE(textPattern(fourRanks({"/a/0", "/b/1", "/c/2", "/d/3"})));
    EXPECT_FALSE(textPattern(fourRanks({"/l/5", "/l/1", "/l/2", "/l/3"})));
    EXPECT_FALSE(textPattern(fourRanks({"/l/00", "/l/01", "/l/02", "/l/03"})));
    EXPECT_FALSE(textPattern(fourRanks({"/l/0", "/l/1/1", "/l/2", "/l/3"})));
    EXPECT_FALSE(textPattern({}));
}

TEST(LauncherWords, AcceptsBothFormsOfAnOption)
{
    const auto words = launcherWords({"/venv/bin/python3", "/venv/bin/msrun", "--worker_num=4", "--log_dir", "job/log",
                                      "--join=True", "train.py", "--net", "tiny"});
    ASSERT_TRUE(words.has_value());
    EXPECT_EQ(words->program, "/venv/bin/msrun");
    EXPECT_EQ(words->kind, "msrun");
    EXPECT_THAT(words->options,
                UnorderedElementsAre(Pair("worker_num", "4"), Pair("log_dir", "job/log"), Pair("join", "True")));
    EXPECT_THAT(words->command, ElementsAre("train.py", "--net", "tiny"));
}

TEST(LauncherWords, SwitchesOfTorchrunTakeNoValue)
{
    const auto words = launcherWords({"torchrun", "--standalone", "--nproc-per-node", "2", "train.py"});
    ASSERT_TRUE(words.has_value());
    EXPECT_THAT(words->command, ElementsAre("train.py"));
    EXPECT_EQ(words->option("nproc-per-node"), "2");
    EXPECT_FALSE(launcherWords({"python", "train.py", "x", "msrun"}).has_value());
    EXPECT_TRUE(launcherWords({"msrun", "--log_dir"}).has_value());
}

std::string adopted(std::vector<std::string> command, const std::string &recipe = "command", int ranks = 4)
{
    LaunchSpec launch;
    launch.recipe = recipe;
    launch.command = std::move(command);
    adoptLauncher(launch, ranks);
    std::string text = launch.recipe + (launch.perNode ? " per node" : "") + ":";
    for (const auto &[name, value] : launch.env) text += " " + name + "=" + value;
    for (const std::string &word : launch.command) text += " " + word;
    return text;
}

// The pasted text has other programs before the launcher. The launcher is not started a second time, and no part of the
// text is lost.
TEST(LauncherWords, AreFoundAfterWrapperPrograms)
{
    const std::string trains = "torchrun: train.py --x";
    EXPECT_EQ(adopted({"torchrun", "--nproc_per_node=4", "train.py", "--x"}), trains);
    EXPECT_EQ(adopted({"nohup", "torchrun", "--nproc_per_node=4", "train.py", "--x"}), trains);
    EXPECT_EQ(adopted({"python", "-m", "torch.distributed.run", "--nproc_per_node=4", "train.py", "--x"}), trains);
    EXPECT_EQ(adopted({"python", "-u", "-m", "torch.distributed.run", "--nproc_per_node=4", "train.py", "--x"}),
              trains);
    EXPECT_EQ(adopted({"env", "A=1", "B=x y", "/opt/bin/torchrun", "--nproc_per_node=4", "train.py", "--x"}),
              "torchrun: A=1 B=x y train.py --x");
    EXPECT_EQ(adopted({"numactl", "-N", "0", "torchrun", "--nproc_per_node=4", "train.py"}),
              "torchrun: numactl -N 0 python train.py");
    EXPECT_EQ(adopted({"/venv/bin/python3", "/venv/bin/msrun", "--worker_num=4", "train.py"}), "msrun: train.py");
    EXPECT_EQ(adopted({"taskset", "-c", "0-3", "msrun", "--worker_num=4", "train.py"}, "msrun"), "msrun: train.py");
    EXPECT_EQ(adopted({"bash", "-c", "torchrun train.py"}), "command: bash -c torchrun train.py");
    EXPECT_EQ(adopted({"python", "train.py", "torchrun"}), "command: python train.py torchrun");
    EXPECT_EQ(adopted({"torchrun", "train.py"}, "command", 1), "command: torchrun train.py") << "one process only";
}

TEST(LauncherWords, RunsAWrapperThatStartsItsRanksOncePerNode)
{
    EXPECT_EQ(adopted({"bash", "scripts/run_distribute_train.sh", "8", "/t.json"}),
              "command per node: bash scripts/run_distribute_train.sh 8 /t.json");
    EXPECT_EQ(adopted({"bash", "scripts/msrun_launcher.sh", "run_mindformer.py --config a.yaml", "8"}),
              "command per node: bash scripts/msrun_launcher.sh run_mindformer.py --config a.yaml 8");
    EXPECT_EQ(adopted({"./train_start.sh"}), "command per node: ./train_start.sh");
    EXPECT_EQ(adopted({"accelerate", "launch", "--num_processes=4", "train.py"}),
              "command per node: accelerate launch --num_processes=4 train.py");
    EXPECT_EQ(adopted({"bash", "mine.sh"}), "command: bash mine.sh") << "it may be one rank's";
    EXPECT_EQ(adopted({"bash", "scripts/run_distribute_train.sh"}, "command", 1),
              "command: bash scripts/run_distribute_train.sh");
}

TEST(ChooseEnvironment, LeavesOutShellAndRankVariablesAndSecrets)
{
    const std::map<std::string, std::string> login{{"PATH", "/usr/bin"}, {"LANG", "C"}};
    const ChosenEnvironment chosen =
        chooseEnvironment({{"PATH", "/venv/bin:/usr/bin"},
                           {"LANG", "C"},
                           {"MS_ENABLE_GRACEFUL_EXIT", "1"},
                           {"RANK_ID", "3"},
                           {"MS_SCHED_PORT", "8118"},
                           {"SSH_CONNECTION", "10.0.0.1 22"},
                           {"SHLVL", "2"},
                           {"WANDB_API_KEY", "0123"},
                           {"DB_PASSWORD", "x"},
                           {"CI", "true"},
                           {"ROOT", "/a/part/of/a/name"},
                           {"TF_CLI_CONFIG_FILE", "/of/another/program"},
                           {"SSL_CERT_FILE", "/etc/ssl/own.pem"},
                           {"DATA_ROOT", "/data/imagenet"},
                           {"RUN_LABEL", "of-whom-nobody-knows"}},
                          login, true, "root = os.environ['DATA_ROOT']\nos.getenv('RUN_LABEL')\n");
    EXPECT_THAT(chosen.job,
                UnorderedElementsAre(Pair("PATH", "/venv/bin:/usr/bin"), Pair("MS_ENABLE_GRACEFUL_EXIT", "1"),
                                     Pair("DATA_ROOT", "/data/imagenet")));
    EXPECT_THAT(chosen.secrets, UnorderedElementsAre("WANDB_API_KEY", "DB_PASSWORD", "RUN_LABEL"));
    EXPECT_EQ(chooseEnvironment({{"MS_SCHED_PORT", "8118"}, {"RANK_ID", "1"}}, {}, false, "").job.size(), 1u);
}

TEST(ResumeOption, IsASeparateArgumentThatTakesAValue)
{
    EXPECT_EQ(resumeOptionIn("p.add_argument('--resume', help='x')"), "--resume");
    EXPECT_EQ(resumeOptionIn("p.add_argument('--resume_training', default=1)"), "");
    EXPECT_EQ(resumeOptionIn("p.add_argument('--resume', action='store_true')\np.add_argument(\"--pre_trained\")"),
              "--pre_trained");
    EXPECT_EQ(resumeOptionIn("--resume_from_checkpoint"), "--resume_from_checkpoint");
    EXPECT_EQ(resumeOptionIn(""), "");
}

}  // namespace
}  // namespace rankdeck::pattern_test
