// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace rankdeck::torch_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

void putAll(Corpus &c, const std::string &sample, const std::string &as, std::int64_t time)
{
    for (const auto &item : std::filesystem::directory_iterator(testData() + "/torch/" + sample)) {
        const std::string base = item.path().filename().string();
        c.put(as + "/" + base, test::readFile(item.path().string()), base == ".metadata" ? time + 1 : time);
    }
}

TEST(TorchCorpus, OneFilePerRankOfAScriptIsValid)
{
    Corpus c;
    for (const char *rank : {"rank_0", "rank_1"}) putAll(c, std::string("per_rank/") + rank, rank, 100);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 2u) << summary(report);
    for (const CheckpointSet &set : report.sets) EXPECT_EQ(set.verdict, Verdict::valid) << summary(set);
    EXPECT_EQ(report.sets.front().epoch, 3);
}

TEST(TorchCorpus, N01_RanksOfDifferentEpochsAreInconsistent)
{
    Corpus c;
    for (const char *rank : {"rank_0", "rank_1"}) putAll(c, std::string("per_rank/") + rank, rank, 100);
    c.remove("rank_0/model_best.pth.tar");
    c.remove("rank_1/model_best.pth.tar");
    c.put("rank_1/checkpoint.pth.tar", test::data("torch/per_rank/rank_1/model_best.pth.tar"), 100);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 1u);
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("epoch_mismatch"));
}

TEST(TorchCorpus, DistributedDirectoriesServeAllRanks)
{
    Corpus c;
    c.expected.worldSize = 2;
    putAll(c, "dcp/step-100", "step-100", 100);
    putAll(c, "dcp/step-200-async", "step-200", 200);
    putAll(c, "dcp/killed-first-save", "step-300", 300);
    const CheckpointReport report = c.judge();
    ASSERT_EQ(report.sets.size(), 3u) << summary(report);
    EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete);  // M01
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("commit_missing"));
    EXPECT_EQ(report.recommended, "0:200") << summary(report);
    EXPECT_EQ(report.sets[1].members.size(), 2u);
    EXPECT_EQ(report.sets[1].globalStep, 200);
}

// Keys in which trainers count: Ignite in trainer.iteration, nnU-Net in current_epoch.
TEST(TorchCorpus, CountersOfIgniteAndNnunetAreRead)
{
    Corpus c;
    for (const std::int64_t step : {5, 10}) {
        const std::string trainer = pkl::dict({{"iteration", pkl::integer(step)}, {"epoch_length", pkl::integer(5)}});
        c.put("training_checkpoint_" + std::to_string(step) + ".pt",
              test::torchZip(pkl::whole(pkl::dict({{"model", pkl::dict({{"w", pkl::floats("0", 2)}})},
                                                   {"optimizer", pkl::dict({{"state", pkl::dict({})}})},
                                                   {"trainer", trainer}})),
                             {{"0", test::floatBytes({float(step), 2})}}),
              step);
    }
    EXPECT_EQ(summary(c.judgeAll()), "0:10o VALID; 0:5o VALID");
    Corpus nnunet;
    nnunet.put("checkpoint_latest.pth",
               test::torchZip(pkl::whole(pkl::dict({{"network_weights", pkl::dict({{"w", pkl::floats("0", 2)}})},
                                                    {"optimizer_state", pkl::dict({{"state", pkl::dict({})}})},
                                                    {"current_epoch", pkl::integer(7)}})),
                              {{"0", test::floatBytes({1, 2})}}));
    const CheckpointReport report = nnunet.judgeAll();
    ASSERT_EQ(report.sets.size(), 1u) << summary(report);
    EXPECT_EQ(report.sets[0].epoch, 7) << summary(report);
    EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << summary(report);
}

// OLMo-core accepts no directory without its own mark.
TEST(TorchCorpus, ReportsAMissingMetadataFileThatAllOtherSavesHave)
{
    Corpus c;
    for (const std::int64_t step : {5, 10, 15}) {
        const std::string directory = "step" + std::to_string(step);
        c.copyTree("runs/a/titan/step-" + std::to_string(step), directory + "/model_and_optim", step * 100);
        c.put(directory + "/train/rank0.pt",
              test::torchZip(pkl::whole(pkl::dict({{"global_step", pkl::integer(step)}})), {}), step * 100);
        c.put(directory + "/.metadata.json", R"({"version": "2.0"})", step * 100);
    }
    EXPECT_EQ(summary(c.judgeAll()), "0:15 VALID; 0:10 VALID; 0:5 VALID");
    c.remove("step15/.metadata.json");
    EXPECT_EQ(summary(c.judgeAll()), "0:15 VALID-UNPROVEN part_missing; 0:10 VALID; 0:5 VALID");
}

TEST(TorchCorpus, C04_DirectoryNamedForAnotherStepIsInconsistent)
{
    Corpus c;
    c.expected.worldSize = 1;
    putAll(c, "dcp/step-100", "step-900", 100);
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::inconsistent);
}

}  // namespace
}  // namespace rankdeck::torch_corpus_test
