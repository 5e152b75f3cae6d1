// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/launch/launch_words.h"
#include "core/discover/text_pattern.h"
#include "core/job/launcher_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck {
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

TEST(TextPattern, FollowsTheRank)
{
    EXPECT_EQ(textPattern(fourRanks({"/l/worker_0.log", "/l/worker_1.log", "/l/worker_2.log", "/l/worker_3.log"})),
              "/l/worker_{rank}.log");
}

TEST(TextPattern, FollowsTheLocalRankAndTheNode)
{
    EXPECT_EQ(textPattern(fourRanks({"/n0/d_0", "/n0/d_1", "/n1/d_0", "/n1/d_1"})), "/n{node_index}/d_{local_rank}");
    EXPECT_EQ(textPattern(fourRanks({"/gpu7/r0", "/gpu7/r1", "/gpu9/r2", "/gpu9/r3"})), "/{node}/r{rank}");
}

TEST(TextPattern, WhatIsTheSameStaysAsItIsWithItsBraces)
{
    EXPECT_EQ(textPattern(fourRanks({"/a{1}/x", "/a{1}/x", "/a{1}/x", "/a{1}/x"})), "/a{{1}}/x");
    EXPECT_EQ(textPattern(fourRanks({"", "", "", ""})), "");
}

TEST(TextPattern, OtherDifferencesHaveNone)
{
    EXPECT_FALSE(textPattern(fourRanks({"/a/0", "/b/1", "/c/2", "/d/3"})));
    EXPECT_FALSE(textPattern(fourRanks({"/l/5", "/l/1", "/l/2", "/l/3"})));
    EXPECT_FALSE(textPattern(fourRanks({"/l/00", "/l/01", "/l/02", "/l/03"})));
    EXPECT_FALSE(textPattern(fourRanks({"/l/0", "/l/1/1", "/l/2", "/l/3"})));
    EXPECT_FALSE(textPattern({}));
}

TEST(LauncherWords, TakesBothSpellingsOfAnOption)
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

TEST(ChooseEnvironment, LeavesOutTheShellsTheRanksAndSecrets)
{
    const std::map<std::string, std::string> login{{"PATH", "/usr/bin"}, {"LANG", "C"}};
    const ChosenEnvironment chosen = chooseEnvironment({{"PATH", "/venv/bin:/usr/bin"},
                                                        {"LANG", "C"},
                                                        {"MS_ENABLE_GRACEFUL_EXIT", "1"},
                                                        {"RANK_ID", "3"},
                                                        {"MS_SCHED_PORT", "8118"},
                                                        {"SSH_CONNECTION", "10.0.0.1 22"},
                                                        {"SHLVL", "2"},
                                                        {"WANDB_API_KEY", "0123"},
                                                        {"DB_PASSWORD", "x"}},
                                                       login, true);
    EXPECT_THAT(chosen.job,
                UnorderedElementsAre(Pair("PATH", "/venv/bin:/usr/bin"), Pair("MS_ENABLE_GRACEFUL_EXIT", "1")));
    EXPECT_THAT(chosen.secrets, UnorderedElementsAre("WANDB_API_KEY", "DB_PASSWORD"));
    EXPECT_EQ(chooseEnvironment({{"MS_SCHED_PORT", "8118"}, {"RANK_ID", "1"}}, {}, false).job.size(), 1u);
}

TEST(ResumeOption, IsAWordOfItsOwnThatTakesAValue)
{
    EXPECT_EQ(resumeOptionIn("p.add_argument('--resume', help='x')"), "--resume");
    EXPECT_EQ(resumeOptionIn("p.add_argument('--resume_training', default=1)"), "");
    EXPECT_EQ(resumeOptionIn("p.add_argument('--resume', action='store_true')\np.add_argument(\"--pre_trained\")"),
              "--pre_trained");
    EXPECT_EQ(resumeOptionIn("--resume_from_checkpoint"), "--resume_from_checkpoint");
    EXPECT_EQ(resumeOptionIn(""), "");
}

}  // namespace
}  // namespace rankdeck
