// SPDX-License-Identifier: GPL-3.0-or-later
// The step of a checkpoint: among thousands of counts of single parameters, under the names of plain scripts, and in
// files beside the shards.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/dcp_files.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

namespace rankdeck::steps_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::DcpFiles;
using test::summary;

std::string n(std::int64_t number) { return std::to_string(number); }

// As torchtitan saves it: a count per parameter, and the step of the training as a tensor of one int32.
DcpFiles trainer(std::int64_t step, int parameters, int shards = 2)
{
    DcpFiles dcp;
    for (int i = 0; i < parameters; ++i) {
        const std::string file = "__" + n(i % shards) + "_0.distcp", layer = "layers." + n(i) + ".weight";
        dcp.addFloats("model." + layer, file, {1, 2, 3, float(i)});
        dcp.addFloats("optimizer.state." + layer + ".exp_avg", file, {4, 3, 2, 1});
        dcp.addFloat("optimizer.state." + layer + ".step", file, float(step));
    }
    dcp.addInt32("train_state.step", "__0_0.distcp", static_cast<std::int32_t>(step));
    return dcp;
}

void put(Corpus &c, const std::string &directory, const DcpFiles &dcp, std::int64_t at)
{
    for (const auto &[name, bytes] : dcp.files()) c.put(directory + "/" + name, bytes, at, 0644);
}

TEST(StepsCorpus, ReadsTheStepOfADistributedCheckpointOfRealSize)
{
    Corpus c;
    for (const std::int64_t step : {100, 200}) put(c, "step-" + n(step), trainer(step, 60), step);
    EXPECT_EQ(summary(c.judgeAll()), "0:200 VALID; 0:100 VALID");
    Corpus renamed;
    put(renamed, "step-300", trainer(200, 60), 300);
    EXPECT_EQ(summary(renamed.judgeAll()), "0:200 INCONSISTENT step_mismatch");
}

TEST(StepsCorpus, OptimizerCountMustMatchTheNameIfThereIsNoTrainerState)
{
    const auto plain = [](std::int64_t step) {
        DcpFiles dcp;
        for (int i = 0; i < 20; ++i) {
            dcp.addFloats("model.l" + n(i), "__0_0.distcp", {1, 2});
            dcp.addFloat("optim.state.l" + n(i) + ".step", "__0_0.distcp", float(step));
        }
        return dcp;
    };
    Corpus c;
    put(c, "step_200", plain(200), 200);
    EXPECT_EQ(summary(c.judgeAll()), "0:200 VALID");
    Corpus other;  // the name may count batches, or be wrong
    put(other, "step_200", plain(100), 200);
    EXPECT_EQ(summary(other.judgeAll()), "0:200 VALID-UNPROVEN step_unproven");
    Corpus unnamed;
    put(unnamed, "ckpt", plain(300), 200);
    EXPECT_EQ(summary(unnamed.judgeAll()), "0:300o VALID");
}

TEST(StepsCorpus, DistinguishesAShardOfAnotherSaveFromAFrozenLayer)
{
    DcpFiles stale = trainer(300, 40), frozen = trainer(300, 40);
    DcpFiles old = trainer(200, 40);
    stale.replaceShard("__1_0.distcp", old);
    for (int i = 0; i < 40; i += 3) frozen.addFloat("optimizer.state.layers." + n(i) + ".weight.step", "", 200);
    Corpus c;
    put(c, "step-300", stale, 300);
    EXPECT_EQ(summary(c.judgeAll()), "0:300 INCONSISTENT commit_stale");
    Corpus good;
    put(good, "step-300", frozen, 300);
    EXPECT_EQ(summary(good.judgeAll()), "0:300 VALID");
}

std::string lightningMeta(std::int64_t step)
{
    return test::torchZip(pkl::whole(pkl::dict({{"epoch", pkl::integer(3)},
                                                {"global_step", pkl::integer(step)},
                                                {"pytorch-lightning_version", pkl::text("2.6.0")}})),
                          {});
}

TEST(StepsCorpus, ReadsTheStepOfLightningNextToItsShards)
{
    const auto shards = [](float step) {
        DcpFiles dcp;
        dcp.addFloats("model.w", "__0_0.distcp", {1, 2});
        dcp.addFloats("optimizer_0.state.w.exp_avg", "__1_0.distcp", {1, 2});
        dcp.addFloat("optimizer_0.state.w.step", "__1_0.distcp", step);
        return dcp;
    };
    Corpus c;
    put(c, "epoch=3-step=400.ckpt", shards(400), 400);
    c.put("epoch=3-step=400.ckpt/meta.pt", lightningMeta(400), 401);
    EXPECT_EQ(summary(c.judgeAll()), "0:400o VALID");
    c.put("epoch=3-step=400.ckpt/meta.pt", lightningMeta(300), 401);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::inconsistent) << summary(c.judgeAll());
    c.put("epoch=3-step=400.ckpt/meta.pt", "", 401);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::corrupt) << summary(c.judgeAll());
    c.remove("epoch=3-step=400.ckpt/meta.pt");
    for (const std::int64_t step : {200, 300}) {
        put(c, "epoch=3-step=" + n(step) + ".ckpt", shards(float(step)), step);
        c.put("epoch=3-step=" + n(step) + ".ckpt/meta.pt", lightningMeta(step), step + 1);
    }
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::validUnproven) << "the others have their meta.pt";
}

// ByteCheckpoint, OLMo-core: each part has its own .metadata, and all parts together are the checkpoint.
TEST(StepsCorpus, SeveralDistributedPartsAreOneCheckpoint)
{
    const auto model = [] {
        DcpFiles dcp;
        dcp.addFloats("w", "__0_0.distcp", {1, 2});
        return dcp;
    }();
    const auto optimizer = [](float step) {
        DcpFiles dcp;
        dcp.addFloats("state.w.exp_avg", "__0_0.distcp", {1, 2});
        dcp.addFloat("optimizer.state.w.step", "__0_0.distcp", step);
        return dcp;
    };
    Corpus c;
    put(c, "global_step_200/model", model, 200);
    put(c, "global_step_200/optimizer", optimizer(200), 200);
    for (int rank = 0; rank < 3; ++rank)
        c.put("global_step_200/extra_state/extra_state_" + n(rank) + ".pt",
              test::torchZip(pkl::whole(pkl::dict({{"global_step", pkl::integer(200)}})), {}), 200);
    EXPECT_EQ(summary(c.judgeAll()), "0:200 VALID");
    c.remove("global_step_200/optimizer/.metadata");
    EXPECT_EQ(summary(c.judgeAll()), "0:200 INCOMPLETE commit_missing");
    put(c, "global_step_200/optimizer", optimizer(100), 200);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::inconsistent) << summary(c.judgeAll());
    put(c, "global_step_200/optimizer", optimizer(200), 200);
    c.remove("global_step_200/extra_state/extra_state_1.pt");
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::incomplete) << summary(c.judgeAll());
}

// The shards of model/ and optimizer/ have the same names. Each is compared only with the shards of the same part.
TEST(StepsCorpus, ReportsAShardOfAnotherSaveInOnePart)
{
    const auto part = [](const std::string &name, float step) {
        DcpFiles dcp;
        std::vector<float> values(64, 1.5f);
        values[0] = step;
        for (const char *rank : {"0", "1"}) dcp.addFloats(name + rank, "__" + std::string(rank) + "_0.distcp", values);
        return dcp;
    };
    Corpus c;
    for (const std::int64_t step : {100, 200, 300}) {
        put(c, "global_step_" + n(step) + "/model", part("w", float(step)), step);
        put(c, "global_step_" + n(step) + "/optimizer", part("exp_avg", float(step)), step);
        c.put("global_step_" + n(step) + "/extra_state/extra_state_0.pt",
              test::torchZip(pkl::whole(pkl::dict({{"global_step", pkl::integer(step)}})), {}), step);
    }
    EXPECT_EQ(summary(c.judgeAll()), "0:300 VALID; 0:200 VALID; 0:100 VALID");
    DcpFiles mixed = part("exp_avg", 300);
    mixed.replaceShard("__1_0.distcp", part("exp_avg", 200));
    put(c, "global_step_300/optimizer", mixed, 300);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets[0].verdict, Verdict::validUnproven) << summary(report);
    ASSERT_FALSE(report.sets[0].reasons.empty());
    EXPECT_EQ(report.sets[0].reasons[0].text.substr(0, 22), "optimizer/__1_0.distcp");
}

TEST(StepsCorpus, ReadsTheStepOfOpenMMLabFromItsMeta)
{
    Corpus c;
    c.put("epoch_3.pth",
          test::torchZip(
              pkl::whole(pkl::dict({{"meta", pkl::dict({{"epoch", pkl::integer(3)}, {"iter", pkl::integer(900)}})},
                                    {"state_dict", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                    {"optimizer", pkl::dict({{"exp_avg", pkl::floats("1", 4)}})}})),
              {{"0", test::floatBytes({1, 2, 3, 4})}, {"1", test::floatBytes({1, 2, 3, 4})}}),
          100, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << summary(report);
    EXPECT_EQ(report.sets[0].globalStep, 900);
}

TEST(StepsCorpus, StepCountOfAFrozenLayerIsIgnored)
{
    const auto parameter = [](std::int64_t step) { return pkl::dict({{"step", pkl::integer(step)}}); };
    const std::string state = "}(" + pkl::integer(0) + parameter(100) + pkl::integer(1) + parameter(300) +
                              pkl::integer(2) + parameter(100) + "u";
    const std::string bytes = test::torchZip(pkl::whole(pkl::dict({{"global_step", pkl::integer(300)},
                                                                   {"model", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                                                   {"optimizer", pkl::dict({{"state", state}})}})),
                                             {{"0", test::floatBytes({1, 2, 3, 4})}});
    EXPECT_EQ(test::readBytes(bytes, "step_300.pt").number("optimizer_step"), 300);
}

}  // namespace
}  // namespace rankdeck::steps_corpus_test
