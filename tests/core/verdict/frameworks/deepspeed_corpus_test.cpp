// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/deepspeed/deepspeed_names.h"
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::deepspeed_corpus_test {
namespace {

using test::Corpus;
using test::states;
using test::summary;
namespace pkl = test::pkl;

std::string modelFile(std::int64_t steps, std::int64_t dp, std::int64_t mp)
{
    return test::torchZip(pkl::whole(pkl::dict({{"module", pkl::dict({{"w", pkl::floats("0", 2)}})},
                                                {"optimizer", "N"},
                                                {"skipped_steps", pkl::integer(0)},
                                                {"global_steps", pkl::integer(steps)},
                                                {"dp_world_size", pkl::integer(dp)},
                                                {"mp_world_size", pkl::integer(mp)}})),
                          {{"0", test::floatBytes({1, 2})}});
}

std::string optimFile(std::int64_t steps, std::int64_t partitions)
{
    const std::string state = pkl::dict({{"0", pkl::dict({{"step", pkl::scalar("0")}})}});
    const std::string optimizer = pkl::dict({{"base_optimizer_state", pkl::dict({{"state", state}})},
                                             {"zero_stage", pkl::integer(1)},
                                             {"partition_count", pkl::list({pkl::integer(partitions)})}});
    return test::torchZip(pkl::whole(pkl::dict({{"optimizer_state_dict", optimizer}})),
                          {{"0", test::floatBytes({float(steps)})}});
}

std::string optimName(int dp, int mp) { return deepspeedName({DeepspeedName::What::optim, mp, dp}); }

void putTag(Corpus &c, std::int64_t steps, int dp, int mp, std::int64_t at)
{
    const std::string tag = "global_step" + std::to_string(steps) + "/";
    for (int m = 0; m < mp; ++m) {
        c.put(tag + deepspeedName({DeepspeedName::What::model, m}), modelFile(steps, dp, mp), at);
        for (int d = 0; d < dp; ++d) c.put(tag + optimName(d, m), optimFile(steps, dp), at);
    }
}

TEST(DeepspeedCorpus, RealTagsOfZero1AndZero3AreValidForAllRanks)
{
    for (const char *sample : {"deepspeed/zero1-bf16", "deepspeed/zero3"}) {
        Corpus c;
        c.copyTree(sample, "run", 100);
        const CheckpointReport report = c.judge();
        EXPECT_EQ(summary(report), "0:6 VALID; 0:3 VALID") << sample;
        EXPECT_EQ(report.recommended, "0:6");
        EXPECT_EQ(report.worldSize, 2);
        EXPECT_EQ(report.worldSizeFrom, "metadata");
        EXPECT_EQ(report.sets.front().globalStep, 6);
        EXPECT_EQ(states(report.sets.front()), "ok ok");
        EXPECT_EQ(summary(c.judgeAll()), "0:6 VALID; 0:3 VALID") << sample;
    }
}

TEST(DeepspeedCorpus, KeepsParallelDegreesForThePlan)  // R03
{
    Corpus c;
    c.copyTree("deepspeed/zero3", "run", 100);
    const CheckpointReport report = c.judgeAll();
    const auto &facts = report.sets.front().facts;
    EXPECT_EQ(facts.at("dp_world_size"), "2");
    EXPECT_EQ(facts.at("mp_world_size"), "1");
    EXPECT_EQ(facts.at("zero_stage"), "3");
    EXPECT_EQ(facts.at("reshardable"), "none");
}

TEST(DeepspeedCorpus, RoundTripsDoNotGrowWithTheNumberOfFiles)
{
    Corpus c;
    putTag(c, 6, 16, 4, 100);
    c.judge();
    const Evidence e = c.evidenceOf("global_step6");
    EXPECT_EQ(e.complete, true);
    EXPECT_LE(e.roundTrips, 5);
    EXPECT_LT(e.bytesRead, 1u << 20);
}

TEST(DeepspeedCorpus, S03_ReportsOneMissingPartitionOfSixteen)
{
    Corpus c;
    putTag(c, 100, 16, 1, 100);
    putTag(c, 200, 16, 1, 200);
    c.remove("global_step200/" + optimName(7, 0));
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:200 INCOMPLETE optim_missing(7); 0:100 VALID");
    EXPECT_EQ(report.recommended, "0:100");
    EXPECT_EQ(report.sets[0].members[7].state, MemberState::missing);
    EXPECT_EQ(report.sets[0].members[6].state, MemberState::ok);
}

TEST(DeepspeedCorpus, S04_ReportsRemovedModelParallelFiles)
{
    for (const bool both : {false, true}) {
        Corpus c;
        putTag(c, 100, 1, 4, 100);
        putTag(c, 200, 1, 4, 200);
        c.remove("global_step200/mp_rank_01_model_states.pt");
        if (both) c.remove("global_step200/mp_rank_03_model_states.pt");
        const CheckpointReport report = c.judge();
        EXPECT_EQ(summary(report.sets[0]),
                  both ? "0:200 INCOMPLETE shard_missing(1) shard_missing(3)" : "0:200 INCOMPLETE shard_missing(1)");
        EXPECT_EQ(report.recommended, "0:100");
    }
}

TEST(DeepspeedCorpus, P03_LatestNamesATagThatIsStillBeingSaved)
{
    Corpus c;
    putTag(c, 100, 4, 1, 100);
    putTag(c, 200, 4, 1, 200);
    c.put("latest", "global_step200", 200);
    c.remove("global_step200/" + optimName(3, 0));
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:200 INCOMPLETE optim_missing(3)");
    EXPECT_EQ(report.recommended, "0:100");
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 210 * test::second);
    EXPECT_EQ(summary(c.judge().sets[0]), "0:200 IN-PROGRESS optim_missing(3)");
}

TEST(DeepspeedCorpus, N12_ReportsAnOptimizerOfAnotherStep)
{
    Corpus c;
    c.copyTree("deepspeed/zero1-bf16", "run", 100);
    for (const char *rank : {"0", "1"}) {
        const std::string name = std::string("bf16_zero_pp_rank_") + rank + "_mp_rank_00_optim_states.pt";
        c.put("run/global_step3/" + name, test::data("deepspeed/zero1-bf16/global_step6/" + name), 100);
    }
    const CheckpointReport ahead = c.judgeAll();
    EXPECT_EQ(summary(ahead.sets[1]), "0:3 INCONSISTENT step_mismatch");

    Corpus one;
    one.copyTree("deepspeed/zero1-bf16", "run", 100);
    const std::string name = "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt";
    one.put("run/global_step6/" + name, test::data("deepspeed/zero1-bf16/global_step3/" + name), 100);
    const CheckpointReport report = one.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
    EXPECT_EQ(report.recommended, "0:3");
}

TEST(DeepspeedCorpus, N07_ReportsPartitionsOfAnotherWorldSize)
{
    Corpus c;
    putTag(c, 100, 4, 1, 100);
    c.put("global_step100/" + optimName(2, 0), optimFile(100, 8), 100);
    EXPECT_EQ(summary(c.judge()), "0:100 INCONSISTENT degrees_mismatch(2)");
}

// No file contains the number of layers of a pipeline, and layers without parameters have no file.
TEST(DeepspeedCorpus, S03_ReportsAMissingLayerThatAllOtherSavesHave)
{
    Corpus c;
    for (const std::int64_t step : {100, 200, 300}) {
        putTag(c, step, 1, 1, step * 10);
        for (const char *layer : {"00", "02", "03"}) {
            const std::string module = pkl::whole(pkl::dict({{"w", pkl::floats("0", 2)}}));
            c.put("global_step" + std::to_string(step) + "/layer_" + layer + "-model_00-model_states.pt",
                  test::torchZip(module, {{"0", test::floatBytes({float(step), layer[1] * 0.5f})}}), step * 10);
        }
    }
    EXPECT_EQ(summary(c.judgeAll()), "0:300 VALID; 0:200 VALID; 0:100 VALID");
    c.remove("global_step300/layer_02-model_00-model_states.pt");
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:300 VALID-UNPROVEN part_missing; 0:200 VALID; 0:100 VALID");
    EXPECT_EQ(report.recommended, "0:200");
}

TEST(DeepspeedCorpus, S05_ReportsFilesThatALargerRunLeftInTheTag)
{
    Corpus c;
    putTag(c, 100, 4, 1, 100);
    for (const int dp : {4, 5, 6, 7}) c.put("global_step100/" + optimName(dp, 0), optimFile(100, 8), 50);
    EXPECT_EQ(summary(c.judge()), "0:100 VALID leftover");
}

TEST(DeepspeedCorpus, C04_ReportsATagNamedForAnotherStep)
{
    Corpus c;
    c.copyTree("deepspeed/zero3/global_step3", "run/global_step9", 100);
    EXPECT_EQ(summary(c.judge()), "0:3 INCONSISTENT step_mismatch");
    Corpus any;  // any text can be a tag: its number is a step only after "step"
    any.copyTree("deepspeed/zero3/global_step3", "run/epoch9", 100);
    EXPECT_EQ(any.judge().sets.front().verdict, Verdict::valid);
    EXPECT_EQ(any.judge().sets.front().globalStep, 3);
}

TEST(DeepspeedCorpus, Z01_EmptyAndCutPartitionsAreCorrupt)
{
    Corpus c;
    putTag(c, 100, 2, 1, 100);
    putTag(c, 200, 2, 1, 200);
    putTag(c, 300, 2, 1, 300);
    c.put("global_step300/" + optimName(1, 0), "", 300);
    c.edit("global_step200/mp_rank_00_model_states.pt", [](std::string &bytes) { bytes.resize(bytes.size() - 100); });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt) << summary(report);
    EXPECT_EQ(report.sets[0].members[1].state, MemberState::torn);
    EXPECT_EQ(report.sets[0].members[0].state, MemberState::ok);
    EXPECT_EQ(report.sets[1].verdict, Verdict::corrupt);
    EXPECT_EQ(report.recommended, "0:100");
}

TEST(DeepspeedCorpus, U01_UnreadablePartitionIsUnknown)
{
    Corpus c;
    putTag(c, 100, 2, 1, 100);
    c.entry("global_step100/" + optimName(1, 0)).error = "Permission denied";
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::unknown) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("unreadable"));
}

TEST(DeepspeedCorpus, R01_WeightsWithoutAnOptimizerAreNotChosen)
{
    Corpus c;
    putTag(c, 100, 1, 1, 100);
    c.put("global_step200/mp_rank_00_model_states.pt", modelFile(200, 1, 1), 200);
    EXPECT_EQ(summary(c.judge()), "0:200 VALID-UNPROVEN weights_only; 0:100 VALID");
}

TEST(DeepspeedNames, RoundTripAllNamesThatTheEngineWrites)
{
    const auto same = [](const std::string &text) {
        const auto name = parseDeepspeedName(text);
        return name && deepspeedName(*name) == text;
    };
    for (const char *text :
         {"mp_rank_00_model_states.pt", "mp_rank_123_model_states.pt", "zero_pp_rank_3_mp_rank_01_model_states.pt",
          "bf16_zero_pp_rank_12_mp_rank_00_optim_states.pt", "fp16_zero_pp_rank_1_mp_rank_00_optim_states.pt",
          "zero_pp_rank_0_mp_rank_00optim_states.pt", "layer_03-model_00-model_states.pt",
          "layer_1_expert_7_mp_rank_00_model_states.pt", "expert_7_mp_rank_00_model_states.pt",
          "expp_rank_2_mp_rank_00_optim_states.pt"})
        EXPECT_TRUE(same(text)) << text;
    for (const char *text : {"model_states.pt", "mp_rank_x_model_states.pt", "zero_pp_rank_0_optim_states.pt",
                             "mp_rank_00_model_states.pth", "layer_-model_states.pt", "optim_states.pt"})
        EXPECT_FALSE(parseDeepspeedName(text)) << text;
}

TEST(DeepspeedCorpus, C07_SavesStayValidIfTheClockOfANodeIsThreeHoursBehind)
{
    const auto judged = [](std::initializer_list<std::int64_t> skewed) {
        Corpus c;
        for (const std::int64_t steps : {10, 20, 30}) {
            putTag(c, steps, 4, 1, 20'000 + 100 * steps);
            if (std::count(skewed.begin(), skewed.end(), steps) == 0) continue;
            for (const int rank : {2, 3})  // ranks of the second node
                c.touch("global_step" + std::to_string(steps) + "/" + optimName(rank, 0), 9200 + 100 * steps);
        }
        return summary(c.judgeAll());
    };
    EXPECT_EQ(judged({10, 20, 30}), "0:30 VALID times_apart; 0:20 VALID times_apart; 0:10 VALID times_apart");
    // If only one save has it, it may be a leftover of an earlier one.
    EXPECT_EQ(judged({30}), "0:30 VALID-UNPROVEN times_apart; 0:20 VALID; 0:10 VALID");
}

}  // namespace
}  // namespace rankdeck::deepspeed_corpus_test
