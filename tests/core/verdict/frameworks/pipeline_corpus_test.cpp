// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of a pipeline: the layers of each rank are different, and only all of them together are a model.
#include "core/checkpoint/read/layer_numbers.h"
#include "tests/core/verdict/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::pipeline_corpus_test {
namespace {

using test::Corpus;
using test::summary;
using testing::HasSubstr;

// One rank's file: the layers from first to last, with moments, without which it would be an export.
std::string stage(int first, int last, const std::string &word = "backbone.blocks.")
{
    std::string bytes;
    const std::string content(64, '\x11');
    for (const std::string start : {"", "moments."})
        for (int layer = first; layer <= last; ++layer)
            bytes += test::record(start + word + std::to_string(layer) + ".dense.weight", "Float32", {4, 4}, content);
    return bytes + test::int64Record("epoch_num", 1) + test::int64Record("step_num", 10);
}

void put(Corpus &c, const std::vector<std::pair<int, int>> &stages, const std::string &word = "backbone.blocks.")
{
    for (std::size_t rank = 0; rank < stages.size(); ++rank)
        c.put("rank_" + std::to_string(rank) + "/pangu-1_10.ckpt", stage(stages[rank].first, stages[rank].second, word),
              100);
}

TEST(PipelineCorpus, N10_DuplicatedStageAndAGapAreInconsistent)
{
    Corpus c;
    put(c, {{0, 7}, {8, 15}, {8, 15}, {24, 31}});
    const CheckpointReport report = c.judge();
    ASSERT_EQ(report.sets.size(), 1u);
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
    ASSERT_EQ(summary(report), "0:1-10 INCONSISTENT layers_mismatch");
    const std::string &text = report.sets[0].reasons.front().text;
    EXPECT_THAT(text, HasSubstr("no part has layers 16 to 23"));
    EXPECT_THAT(text, HasSubstr("2 parts have layers 8 to 15"));
    EXPECT_EQ(report.recommended, std::nullopt);
}

TEST(PipelineCorpus, N10_GapOrOverlapOfStagesIsInconsistent)
{
    for (const std::vector<std::pair<int, int>> &stages :
         {std::vector<std::pair<int, int>>{{0, 7}, {8, 15}, {24, 31}, {32, 39}},
          {{0, 7}, {7, 15}, {16, 23}, {24, 31}}}) {
        Corpus c;
        put(c, stages);
        EXPECT_EQ(summary(c.judge()), "0:1-10 INCONSISTENT layers_mismatch");
    }
}

TEST(PipelineCorpus, N10_StagesThatFormOneModelAreValid)
{
    Corpus c;
    put(c, {{0, 7}, {8, 15}, {16, 23}, {24, 31}});
    EXPECT_EQ(summary(c.judge()), "0:1-10 VALID");
    Corpus replicas;  // two data-parallel replicas of two stages
    put(replicas, {{0, 7}, {0, 7}, {8, 15}, {8, 15}});
    EXPECT_EQ(summary(replicas.judge()), "0:1-10 VALID");
    Corpus local;  // names that begin at 0 in every stage prove nothing
    put(local, {{0, 7}, {0, 5}});
    EXPECT_EQ(summary(local.judge()), "0:1-10 VALID-UNPROVEN structure_mismatch");
}

TEST(PipelineCorpus, ReadsLayerNumbersOfManyFrameworks)
{
    EXPECT_EQ(layerNumber("backbone.blocks.17.attention.weight"), 17);
    EXPECT_EQ(layerNumber("model.layers.0.mlp.down_proj.weight"), 0);
    EXPECT_EQ(layerNumber("transformer.h.3.attn.bias"), 3);
    EXPECT_EQ(layerNumber("bert.encoder.layer.11.output.dense.weight"), 11);
    for (const char *none : {"conv1.weight", "layers.weight", "layers.x.weight", "layer.5", "layers.999999999.w", ""})
        EXPECT_FALSE(layerNumber(none)) << none;
}

TEST(PipelineCorpus, AcceptsInterleavedStages)
{
    EXPECT_EQ(pipelineFault({{0, 1, 4, 5}, {2, 3, 6, 7}}), "");
    EXPECT_TRUE(isWholePipeline({{0, 1, 4, 5}, {2, 3, 6, 7}}));
    EXPECT_FALSE(isWholePipeline({{0, 1}, {2, 3}, {2, 3}}));
    EXPECT_EQ(pipelineFault({{0, 1}, {0, 1}}), "");
    EXPECT_EQ(pipelineFault({{}, {}}), "");
    EXPECT_THAT(pipelineFault({{0, 1}, {4, 5}}), HasSubstr("2, 3"));
}

}  // namespace
}  // namespace rankdeck::pipeline_corpus_test
