// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/formats/mindspore/mindspore_names.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/checkpoint/inventory/rank_locator.h"

#include <gtest/gtest.h>

namespace rankdeck::names_test {
namespace {

ParsedName parsed(const std::string &name, const std::string &prefix = {})
{
    const auto found = parseCheckpointName(name, prefix);
    if (!found) ADD_FAILURE() << name << " is not taken for a checkpoint";
    return found.value_or(ParsedName{});
}

TEST(Names, ParsesPeriodicNames)
{
    const ParsedName name = parsed("lenet-2_1875.ckpt");
    EXPECT_EQ(name.kind, CheckpointKind::periodic);
    EXPECT_EQ(name.prefix, "lenet");
    EXPECT_EQ(name.epoch, 2);
    EXPECT_EQ(name.step, 1875);
    EXPECT_EQ(name.rerun, 0);
    EXPECT_FALSE(name.temporary);
    EXPECT_EQ(parsed("resnet-50-3_10.ckpt").prefix, "resnet-50");
    EXPECT_EQ(parsed("lenet-2_1875.safetensors").extension, "safetensors");
}

TEST(Names, ParsesRerunNumbersOnlyIfThePrefixIsKnown)
{
    EXPECT_EQ(parsed("lenet_2-7_1875.ckpt", "lenet").rerun, 2);
    EXPECT_EQ(parsed("lenet_2-7_1875.ckpt", "lenet").prefix, "lenet");
    EXPECT_EQ(parsed("lenet_2-7_1875.ckpt").rerun, 0);
    EXPECT_EQ(parsed("lenet_2-7_1875.ckpt").prefix, "lenet_2");
    EXPECT_EQ(parsed("lenet_2-7_1875.ckpt", "lenet_2").rerun, 0);
}

TEST(Names, ParsesTheDashFormOfTheTutorialAsARerun)
{
    const ParsedName name = parsed("lenet-1-7_1875.ckpt", "lenet");
    EXPECT_EQ(name.rerun, 1);
    EXPECT_EQ(name.prefix, "lenet");
    EXPECT_EQ(name.epoch, 7);
}

TEST(Names, RankInAMindFormersNameIsNotARerunNumber)
{
    const ParsedName name = parsed("llama2_7b_rank_0-10_2.ckpt");
    EXPECT_EQ(name.rank, 0);
    EXPECT_EQ(name.prefix, "llama2_7b");
    EXPECT_EQ(name.rerun, 0);
    const ParsedName again = parsed("llama2_7b_rank_13_1-10_2.safetensors", "llama2_7b");
    EXPECT_EQ(again.rank, 13);
    EXPECT_EQ(again.rerun, 1);
    EXPECT_EQ(again.step, 2);
}

TEST(Names, ParsesBreakpointNames)
{
    const ParsedName name = parsed("lenet_1-2_3_breakpoint.ckpt", "lenet");
    EXPECT_EQ(name.kind, CheckpointKind::breakpoint);
    EXPECT_EQ(name.epoch, 2);
    EXPECT_EQ(name.step, 3);
    EXPECT_EQ(name.rerun, 1);
}

TEST(Names, ParsesGracefulExitSavesAndTheirEvaluationFiles)
{
    EXPECT_EQ(parsed("LeNet5_train.ckpt").kind, CheckpointKind::graceful);
    EXPECT_EQ(parsed("LeNet5_train.ckpt").prefix, "LeNet5");
    EXPECT_FALSE(parsed("LeNet5_train.ckpt").step);
    EXPECT_TRUE(parsed("LeNet5_eval.ckpt").weightsOnly);
}

TEST(Names, RecognisesTemporaryFiles)
{
    EXPECT_TRUE(parsed("lenet-1_10.tmp").temporary);
    EXPECT_EQ(parsed("lenet-1_10.tmp").step, 10);
    EXPECT_TRUE(parsed("LeNet5_train.tmp").temporary);
    EXPECT_FALSE(parseCheckpointName("something.tmp", ""));
}

TEST(Names, TreatsCustomNamesAsKindOther)
{
    const ParsedName name = parsed("my_best_model.ckpt");
    EXPECT_EQ(name.kind, CheckpointKind::other);
    EXPECT_FALSE(name.epoch);
}

TEST(Names, ParsesTtpNames)
{
    const ParsedName name = parsed("ttp_rank_5-2_3.ckpt");
    EXPECT_EQ(name.kind, CheckpointKind::ttp);
    EXPECT_EQ(name.rank, 5);
    EXPECT_EQ(parseTtpFolder("tft_saved_checkpoints-step_13")->step, 13);
    EXPECT_EQ(parseTtpFolder("ttp_saved_checkpoints-step_13_tmp")->temporary, true);
    EXPECT_FALSE(parseTtpFolder("tpt_saved_checkpoints-step_13"));
    EXPECT_FALSE(parseTtpFolder("ttp_saved_checkpoints-step_"));
}

TEST(Names, RejectsNonCheckpointFiles)
{
    for (const char *name :
         {"lenet-graph.meta", "ckpt_strategy_rank_0.ckpt", "merged_ckpt_strategy.ckpt", "LeNet5_train.mindir",
          "worker_0.log", "checkpoint", "", ".ckpt", "lenet-1_10.ckpt.bak", "x.safetensors"})
        EXPECT_FALSE(parseCheckpointName(name, "")) << name;
    EXPECT_FALSE(parseCheckpointName(std::string(300, 'a') + "-1_1.ckpt", ""));
}

TEST(Names, RejectsOutOfRangeNumbers)
{
    EXPECT_FALSE(parsed("lenet-99999999999999999999_1.ckpt").epoch);
    EXPECT_EQ(parsed("llama_rank_99999999999-1_1.ckpt").rank, std::nullopt);
    EXPECT_EQ(parsed("a\nb-1_2.ckpt").prefix, "a\nb");
    EXPECT_EQ(parseRankFolder("rank_7"), 7);
    EXPECT_FALSE(parseRankFolder("rank_-7"));
    EXPECT_FALSE(parseRankFolder("rank_7x"));
}

TEST(Names, ReadsTheRankFromFileNamesOfAnyFormat)
{
    EXPECT_EQ(parsed("model_rank03.safetensors").rank, 3);
    EXPECT_EQ(parsed("dp_rank=2.ckpt").rank, 2);
    EXPECT_EQ(parsed("step_100_rank_7.pt").rank, 7);
    EXPECT_EQ(parseCheckpointName("model.safetensors", {}), std::nullopt);
    for (const char *name : {"step_100_local_rank1.pt", "tp_rank0_pp_rank1.ckpt", "local_rank1.pt"})
        EXPECT_EQ(parsed(name).rank, std::nullopt) << name;  // does not identify the rank alone
}

}  // namespace
}  // namespace rankdeck::names_test
