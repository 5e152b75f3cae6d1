// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/checkpoint/formats/megatron/megatron_names.h"
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::megatron_corpus_test {
namespace {

using test::Corpus;
using test::states;
using test::summary;
using testing::HasSubstr;
namespace pkl = test::pkl;

struct Degrees {
    int tp = 1, pp = 1, ep = 1, world = 1;
};

std::string modelPickle(int iteration, const Degrees &d, int optimizerStep)
{
    const std::string groups = pkl::list({pkl::dict({{"step", pkl::integer(optimizerStep)}})});
    return pkl::whole(pkl::dict({{"args", pkl::object("argparse", "Namespace",
                                                      {{"tensor_model_parallel_size", pkl::integer(d.tp)},
                                                       {"pipeline_model_parallel_size", pkl::integer(d.pp)},
                                                       {"expert_model_parallel_size", pkl::integer(d.ep)},
                                                       {"world_size", pkl::integer(d.world)},
                                                       {"num_layers", pkl::integer(8)},
                                                       {"consumed_train_samples", pkl::integer(iteration * 8L)}})},
                                 {"iteration", pkl::integer(iteration)},
                                 {"model", pkl::dict({{"w", pkl::floats("0", 2)}})},
                                 {"optimizer", pkl::dict({{"optimizer", pkl::dict({{"param_groups", groups}})}})},
                                 {"rng_state", pkl::list({pkl::integer(1)})}}));
}

std::string modelFile(int iteration, const Degrees &d, int optimizerStep)
{
    return test::torchZip(modelPickle(iteration, d, optimizerStep), {{"0", test::floatBytes({1, 2})}});
}

std::string optimFile()
{
    return test::torchZip(pkl::whole(pkl::dict({{"0", pkl::floats("0", 2)}})), {{"0", test::floatBytes({1, 2})}});
}

std::string iter(int iteration)
{
    char text[32];
    std::snprintf(text, sizeof text, "iter_%07d", iteration);
    return text;
}

void putIteration(Corpus &c, const std::string &as, int iteration, const Degrees &d, std::int64_t at,
                  bool optim = false)
{
    for (int pp = 0; pp < d.pp; ++pp)
        for (int ep = 0; ep < d.ep; ++ep)
            for (int tp = 0; tp < d.tp; ++tp) {
                const std::string folder = as + "/" + modelParallelFolder(tp, pp, ep, d.pp > 1, d.ep > 1) + "/";
                c.put(folder + "model_optim_rng.pt", modelFile(iteration, d, iteration), at);
                if (optim) c.put(folder + "distrib_optim.pt", optimFile(), at);
            }
}

void putDistributed(Corpus &c, const std::string &as, std::int64_t at)
{
    c.copyTree("megatron/torch_dist/iter_0000200", as, at);
    // The real sample has only weights; here one of them is treated as a part of the optimizer.
    c.edit(as + "/.metadata",
           [](std::string &bytes) { bytes = replaceAll(bytes, "output_layer.weight", "optimizer.exp_avg_x"); });
    c.touch(as + "/.metadata", at + 1);
    c.touch(as + "/metadata.json", at + 2);
}

TEST(MegatronCorpus, LegacyLayoutIsOneSetOfAllRanks)
{
    Corpus c;
    c.copyTree("megatron/legacy-layout", "run", 100);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:200 VALID; 0:100 VALID");
    EXPECT_EQ(report.worldSize, 4);
    EXPECT_EQ(report.worldSizeFrom, "metadata");
    EXPECT_EQ(states(report.sets[0]), "ok ok ok ok");
    EXPECT_EQ(report.sets[0].facts.at("tensor_model_parallel_size"), "2");
    EXPECT_EQ(report.sets[0].facts.at("reshardable"), "none");
}

TEST(MegatronCorpus, TorchDistIsOneSetOfAllRanks)
{
    Corpus c;
    putDistributed(c, "iter_0000200", 100);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:200 VALID");
    EXPECT_EQ(report.worldSize, 2);
    EXPECT_EQ(report.sets[0].globalStep, 200);
    EXPECT_EQ(report.sets[0].facts.at("tensor_model_parallel_size"), "2");  // R04: a plan can compare
    EXPECT_EQ(report.sets[0].facts.at("reshardable"), "data");
}

TEST(MegatronCorpus, R01_TorchDistWithoutAnOptimizerIsNotChosen)
{
    Corpus c;
    c.copyTree("megatron/torch_dist/iter_0000200", "iter_0000200", 100);
    EXPECT_EQ(summary(c.judge()), "0:200 VALID-UNPROVEN weights_only");
}

TEST(MegatronCorpus, C02_AcceptsOnlyIterationNamesOfMegatron)
{
    Corpus c;
    putIteration(c, "iter_0000100", 100, {2, 1, 1, 2}, 100);
    putIteration(c, "iter_150", 150, {2, 1, 1, 2}, 150);
    putIteration(c, "iter_0000200_tmp", 200, {2, 1, 1, 2}, 200);
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 220 * test::second);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:100") << summary(report);
    ASSERT_EQ(report.sets.size(), 3u);
    EXPECT_EQ(summary(report.sets[0]), "0:200 IN-PROGRESS temp_file");
    EXPECT_EQ(summary(report.sets[1]), "0:150o VALID-UNPROVEN unmatched_name");
    EXPECT_EQ(summary(report.sets[2]), "0:100 VALID");
}

TEST(MegatronCorpus, S01_ReportsOneMissingModelFileOf32)
{
    Corpus c;
    putIteration(c, "iter_0000100", 100, {8, 4, 1, 64}, 100);
    putIteration(c, "iter_0000200", 200, {8, 4, 1, 64}, 200);
    c.remove("iter_0000200/mp_rank_03_002/model_optim_rng.pt");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:200 INCOMPLETE shard_missing(35); 0:100 VALID");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("mp_rank_03_002"));
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("(tp 3, pp 2)"));
    EXPECT_EQ(report.sets[0].members[35].state, MemberState::missing);
    EXPECT_EQ(report.sets[0].members[34].state, MemberState::ok);
    EXPECT_EQ(report.recommended, "0:100");
}

TEST(MegatronCorpus, S02_ReportsOneMissingDistributedOptimizer)
{
    Corpus c;
    c.copyTree("megatron/legacy-layout", "run", 100);
    c.remove("run/iter_0000200/mp_rank_01/distrib_optim.pt");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:200 INCOMPLETE optim_missing(1)");
    EXPECT_EQ(report.recommended, "0:100");
}

TEST(MegatronCorpus, M03_DoubtsMetadataOlderThanItsShards)
{
    Corpus c;
    putDistributed(c, "iter_0000200", 100);
    c.touch("iter_0000200/__1_0.distcp", 150);
    // A copy looks the same, so times alone are a doubt and not a proof.
    EXPECT_EQ(summary(c.judge()), "0:200 VALID-UNPROVEN mark_older");
}

TEST(MegatronCorpus, M04_EmptyOrMissingFormatMetadataIsIncomplete)
{
    Corpus empty;
    putDistributed(empty, "iter_0000200", 100);
    empty.edit("iter_0000200/metadata.json", [](std::string &bytes) { bytes.clear(); });
    EXPECT_EQ(summary(empty.judge()), "0:200 INCOMPLETE commit_missing");

    Corpus missing;
    putDistributed(missing, "iter_0000200", 100);
    missing.remove("iter_0000200/metadata.json");
    const CheckpointReport report = missing.judge();
    EXPECT_EQ(summary(report), "0:200 INCOMPLETE commit_missing");
    EXPECT_EQ(missing.evidenceOf("iter_0000200").format, Format::megatron);  // and not torch_dcp
}

TEST(MegatronCorpus, M04_CommonStateInTheShardsStillNeedsFormatMetadata)
{
    Corpus c;
    putDistributed(c, "iter_0000200", 100);
    c.remove("iter_0000200/common.pt");
    c.remove("iter_0000200/metadata.json");
    EXPECT_NE(c.judge().sets[0].verdict, Verdict::incomplete);  // may be torch_dcp, which needs no mark
    c.edit("iter_0000200/.metadata",
           [](std::string &bytes) { bytes = replaceAll(bytes, "rng_state/shard_0_2", "common_state/shar_2"); });
    c.touch("iter_0000200/.metadata", 102);
    EXPECT_EQ(summary(c.judge()), "0:200 INCOMPLETE commit_missing");
}

TEST(MegatronCorpus, M01_ShardsWithoutTheirMetadataAreIncomplete)
{
    Corpus c;
    putDistributed(c, "iter_0000200", 100);
    c.remove("iter_0000200/.metadata");
    EXPECT_EQ(c.judge().sets[0].verdict, Verdict::incomplete);
}

TEST(MegatronCorpus, P02_RecognisesEverySignOfASaveInProgress)
{
    Corpus c;
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 130 * test::second);
    c.expected.worldSize = 2;
    putIteration(c, "a/iter_0000300_tmp", 300, {2, 1, 1, 2}, 100);
    putDistributed(c, "b/run-step=300-last", 100);
    c.put("b/run-step=300-last-unfinished", "", 100);
    c.copyTree("deepspeed/zero3/global_step6", "c/._dlrover_ckpt_stage/300", 100);
    c.copyTree("deepspeed/zero3/global_step6", "d/tmp-checkpoint-50", 100);
    for (const char *rank : {"0", "1"})
        c.put(std::string("e/") + rank + "/iter_0000300_" + rank + "_local.dirty.pt", optimFile(), 100);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets.size(), 5u) << summary(report);
    for (const CheckpointSet &set : report.sets) {
        EXPECT_EQ(set.verdict, Verdict::inProgress) << summary(set);
        EXPECT_EQ(set.reasons.front().code, ReasonCode("temp_file"));
    }
}

TEST(MegatronCorpus, P05_ReportsAStagedNextToAFinalDirectory)
{
    Corpus c;
    putIteration(c, "iter_0000008", 8, {2, 1, 1, 2}, 80);
    putIteration(c, "iter_0000009", 9, {2, 1, 1, 2}, 90);
    putIteration(c, "iter_0000009_tmp", 9, {2, 1, 1, 2}, 95);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:9 VALID-UNPROVEN temp_file; 0:8 VALID");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("iter_0000009_tmp"));
    EXPECT_EQ(report.recommended, "0:8");
}

TEST(MegatronCorpus, N01_ReportsOneFileOfAnotherIteration)
{
    Corpus c;
    putIteration(c, "iter_0000100", 100, {4, 2, 1, 8}, 100);
    putIteration(c, "iter_0000200", 200, {4, 2, 1, 8}, 200);
    c.put("iter_0000200/mp_rank_02_001/model_optim_rng.pt", modelFile(100, {4, 2, 1, 8}, 100), 200);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("step_mismatch"));
    EXPECT_EQ(report.sets[0].reasons.front().rank, 6);
    EXPECT_EQ(report.recommended, "0:100");
}

TEST(MegatronCorpus, N06_DoubtsASetOfWhichHalfWasSavedMuchLater)
{
    Corpus c;
    putIteration(c, "iter_0000100", 100, {4, 1, 1, 4}, 100);
    for (const char *tp : {"2", "3"}) c.touch(std::string("iter_0000100/mp_rank_0") + tp + "/model_optim_rng.pt", 9000);
    // The files do not show to which of the two saves they belong, so the set is not chosen automatically.
    EXPECT_EQ(summary(c.judge()), "0:100 VALID-UNPROVEN times_apart");
}

TEST(MegatronCorpus, N07_ReportsFilesOfOtherDegrees)
{
    Corpus c;
    putIteration(c, "iter_0000100", 100, {8, 1, 1, 8}, 100);
    c.put("iter_0000100/mp_rank_05/model_optim_rng.pt", modelFile(100, {4, 1, 1, 8}, 100), 100);
    EXPECT_EQ(summary(c.judge()), "0:100 INCONSISTENT degrees_mismatch(5)");
}

TEST(MegatronCorpus, N12_ReportsAnOptimizerOfALaterStepThanTheModel)
{
    Corpus c;
    putIteration(c, "iter_0000100", 100, {2, 1, 1, 2}, 100);
    c.put("iter_0000100/mp_rank_01/model_optim_rng.pt", modelFile(100, {2, 1, 1, 2}, 200), 100);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 INCONSISTENT step_mismatch(1)");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("counted 200 steps"));
}

TEST(MegatronCorpus, C04_ReportsADirectoryNamedForAnotherIteration)
{
    Corpus c;
    putIteration(c, "iter_0000300", 200, {2, 1, 1, 2}, 100);
    EXPECT_EQ(c.judge().sets[0].verdict, Verdict::inconsistent);
}

TEST(MegatronCorpus, F07_ReadsAMindioContainerInPlaceOfAZip)
{
    const Degrees d{2, 1, 1, 2};
    Corpus c;
    for (const int tp : {0, 1})
        c.put("iter_0000100/mp_rank_0" + std::to_string(tp) + "/model_optim_rng.pt",
              test::mindioFile(modelPickle(100, d, 100), {{"0", test::floatBytes({1, 2})}}), 100);
    EXPECT_EQ(summary(c.judge()), "0:100 VALID");
    c.edit("iter_0000100/mp_rank_01/model_optim_rng.pt", [](std::string &bytes) { bytes.resize(bytes.size() - 5); });
    EXPECT_EQ(summary(c.judge()), "0:100 CORRUPT torn(1)");
    c.put("iter_0000100/mp_rank_01/model_optim_rng.pt", test::mindioFile(modelPickle(100, d, 100), {}), 100);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 CORRUPT torn(1)");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("data/0 is missing"));
}

TEST(MegatronCorpus, R01_ReleasedWeightsAreNotChosen)
{
    Corpus c;
    putIteration(c, "iter_0000100", 100, {1, 1, 1, 1}, 100);
    putIteration(c, "release", 200, {1, 1, 1, 1}, 200);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:100") << summary(report);
}

std::string layerZeroFile(int rank, int iteration, int tp, int pp, int dp)
{
    return test::torchZip(
        pkl::whole(pkl::dict({{"iteration", pkl::integer(iteration)},
                              {"model", pkl::dict({{"w", pkl::floats("0", 2)}})},
                              {"optimizer", pkl::dict({{"state", pkl::dict({{"a", pkl::integer(1)}})}})},
                              {"parallel_state", pkl::dict({{"tp_degree", pkl::integer(tp)},
                                                            {"pp_degree", pkl::integer(pp)},
                                                            {"dp_degree", pkl::integer(dp)},
                                                            {"global_rank", pkl::integer(rank)}})}})),
        {{"0", test::floatBytes({1, 2})}});
}

TEST(MegatronCorpus, DesktopMetadataFilesChangeNothing)
{
    Corpus c;
    c.copyTree("megatron/legacy-layout", "run", 100);
    for (const char *folder : {"", "iter_0000200/", "iter_0000200/mp_rank_00/", "iter_0000200/mp_rank_01/"})
        c.put(std::string("run/") + folder + ".DS_Store", "litter", 100, 0644);
    EXPECT_EQ(summary(c.judgeAll()), "0:200 VALID; 0:100 VALID");
}

TEST(MegatronCorpus, LayerZeroHasAFilePerGlobalRank)
{
    Corpus c;
    for (int rank = 0; rank < 8; ++rank)
        c.put("iter_0000100/model_" + std::to_string(rank) + ".pt", layerZeroFile(rank, 100, 2, 2, 2), 100);
    CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 VALID");
    EXPECT_EQ(report.worldSize, 8);
    c.remove("iter_0000100/model_5.pt");
    EXPECT_EQ(summary(c.judge()), "0:100 INCOMPLETE shard_missing(5)");
    c.put("iter_0000100/model_5.pt", layerZeroFile(4, 100, 2, 2, 2), 100);
    EXPECT_EQ(summary(c.judge()), "0:100 INCONSISTENT rank_mismatch(5)");
}

TEST(MegatronCorpus, LocalCheckpointsAreOneFilePerRank)
{
    Corpus c;
    c.expected.worldSize = 2;
    for (const int iteration : {100, 200})
        for (const char *rank : {"0", "1"})
            c.put(std::string("session/") + rank + "/" + iter(iteration) + "_" + rank + "_local.pt",
                  modelFile(iteration, {2, 1, 1, 2}, iteration), iteration);
    c.remove("session/1/iter_0000200_1_local.pt");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:200 INCOMPLETE rank_missing(1) not_read; 0:100 VALID");
}

TEST(MegatronNames, ParsesFoldersAndFiles)
{
    EXPECT_EQ(parseModelParallelFolder("mp_rank_02"), std::vector<int>({2}));
    EXPECT_EQ(parseModelParallelFolder("mp_rank_02_001"), std::vector<int>({2, 1}));
    EXPECT_EQ(parseModelParallelFolder("mp_rank_102_001_003"), std::vector<int>({102, 1, 3}));
    for (const char *name : {"mp_rank_2", "mp_rank_02_01", "mp_rank_", "mp_rank_02_001_003_004", "rank_02"})
        EXPECT_FALSE(parseModelParallelFolder(name)) << name;
    EXPECT_EQ(modelParallelFolder(2, 1, 3, true, true), "mp_rank_02_001_003");
    EXPECT_EQ(modelParallelFolder(2, 1, 3, false, true), "mp_rank_02_003");
    for (const char *name : {"iter_0000100", "iter_0000100_tmp", "release", "iter_12345678"})
        EXPECT_TRUE(isIterationFolder(name)) << name;
    for (const char *name : {"iter_100", "iter_", "iter_000010x", "old_iter_0000100"})
        EXPECT_FALSE(isIterationFolder(name)) << name;
}

// metadata.json declares that the common state is a file of torch; without it, Megatron's load fails.
TEST(MegatronCorpus, S01_MissingCommonStateIsIncomplete)
{
    Corpus c;
    c.copyTree("megatron/torch_dist", "m");
    EXPECT_NE(c.judgeAll().sets[0].verdict, Verdict::incomplete);
    c.remove("m/iter_0000200/common.pt");
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete);
    EXPECT_THAT(summary(report), HasSubstr("shard_missing"));
}

}  // namespace
}  // namespace rankdeck::megatron_corpus_test
