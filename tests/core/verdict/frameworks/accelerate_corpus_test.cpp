// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoint-N of scripts without a Trainer: Accelerate, diffusers with a directory per model, Paddle's pickles. Their
// weights are those of a real run; only the optimizer states the step.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace rankdeck::accelerate_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

std::string n(std::int64_t number) { return std::to_string(number); }

std::string optimizer(std::int64_t step)
{
    const std::string state = "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(step)}}) + "u";
    return test::torchZip(pkl::whole(pkl::dict({{"state", state}, {"param_groups", pkl::list({pkl::dict({})})}})), {});
}

// Accelerate's counter counts batches and is never the step.
void putAccelerate(Corpus &c, const std::string &directory, std::int64_t step, int ranks = 2,
                   const std::string &weights = "model.safetensors")
{
    c.put(directory + "/" + weights, test::data("huggingface/trainer/checkpoint-24/model.safetensors"), step, 0644);
    c.put(directory + "/optimizer.bin", optimizer(step), step, 0644);
    c.put(directory + "/scheduler.bin", test::torchZip(pkl::whole(pkl::dict({{"last_epoch", pkl::integer(step)}})), {}),
          step, 0644);
    for (int rank = 0; rank < ranks; ++rank)
        c.put(directory + "/random_states_" + n(rank) + ".pkl",
              test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(7)}})), {}), step, 0644);
}

TEST(AccelerateCorpus, CheckpointNumberedWithoutATrainerIsWhole)
{
    Corpus c;
    putAccelerate(c, "checkpoint-500", 500);
    putAccelerate(c, "checkpoint-1000", 1000);
    EXPECT_EQ(summary(c.judgeAll()), "0:1000o VALID; 0:500o VALID");
}

// Hooks of a script save each model in a folder. The averaged model has the same parameter names.
TEST(AccelerateCorpus, ReportsAMissingModelThatAllOtherSavesHave)
{
    const std::string weights = "unet/diffusion_pytorch_model.safetensors";
    const std::string model = test::data("huggingface/trainer/checkpoint-24/model.safetensors");
    Corpus c;
    for (const std::int64_t step : {500, 1000}) {
        const std::string directory = "checkpoint-" + n(step);
        putAccelerate(c, directory, step, 1, weights);
        c.put(directory + "/unet_ema/diffusion_pytorch_model.safetensors", model, step, 0644);
        c.put(directory + "/custom_checkpoint_0.pkl",
              test::torchZip(pkl::whole(pkl::dict({{"seen", pkl::integer(step)}})), {}), step, 0644);
    }
    EXPECT_EQ(summary(c.judgeAll()), "0:1000o VALID; 0:500o VALID");
    Corpus cut = c;
    cut.edit("checkpoint-1000/custom_checkpoint_0.pkl", [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
    EXPECT_EQ(cut.judgeAll().recommended, "0:500o") << summary(cut.judgeAll());
    EXPECT_NE(summary(cut.judgeAll()).find("checkpoint-1000o CORRUPT torn"), std::string::npos);
    c.remove("checkpoint-1000/" + weights);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:500o") << summary(report);
    EXPECT_NE(summary(report).find("part_missing"), std::string::npos) << summary(report);
}

// step_30/{model.safetensors, optimizer.pt} of a custom script: it is recognised, and its step is the optimizer's. Real
// saves, with the state of an object that the script has registered.
Corpus withRegistered(const std::vector<std::pair<std::string, std::string>> &states)
{
    Corpus c;
    std::int64_t at = 600;
    for (const std::string step : {"5", "10", "15"}) {
        for (const char *file :
             {"model.safetensors", "optimizer.bin", "scheduler.bin", "random_states_0.pkl", "random_states_1.pkl"})
            c.put("step_" + step + "/" + file, test::data("runs/a/accelerate/step_" + step + "/" + file), at, 0644);
        for (const auto &[of, state] : states)
            if (of == step) c.put("step_" + step + "/custom_checkpoint_0.pkl", state, at, 0644);
        at += 600;
    }
    return c;
}

std::string registered(const std::string &key, std::int64_t value)
{
    return test::torchZip(pkl::whole(pkl::dict({{key, pkl::integer(value)}})), {});
}

TEST(AccelerateCorpus, N14_ReportsAScriptObjectWithTheCountOfAnotherSave)
{
    const std::string allValid = "0:15o VALID; 0:10o VALID; 0:5o VALID";
    const auto judged = [](const std::string &key, std::int64_t five, std::int64_t ten, std::int64_t fifteen) {
        return summary(
            withRegistered(
                {{"5", registered(key, five)}, {"10", registered(key, ten)}, {"15", registered(key, fifteen)}})
                .judgeAll());
    };
    EXPECT_EQ(judged("seen", 5, 10, 15), allValid);
    EXPECT_EQ(judged("seen", 5, 10, 10), "0:15o VALID-UNPROVEN step_unproven; 0:10o VALID; 0:5o VALID");
    EXPECT_EQ(judged("samples", 40, 40, 120), "0:15o VALID; 0:10o VALID-UNPROVEN step_unproven; 0:5o VALID");
    EXPECT_EQ(judged("next", 6, 11, 11), "0:15o VALID-UNPROVEN step_unproven; 0:10o VALID; 0:5o VALID");
    // Counters that count something else, began later, or do not change.
    EXPECT_EQ(judged("epoch", 1, 2, 2), allValid);
    EXPECT_EQ(judged("seen", 5, 10, 14), allValid);
    EXPECT_EQ(judged("best_step", 5, 10, 10), allValid);
    EXPECT_EQ(judged("patience", 5, 5, 5), allValid);
}

TEST(AccelerateCorpus, WeightsAndOptimizerOfAScriptAreASet)
{
    Corpus c;
    for (const std::int64_t step : {20, 30}) {
        const std::string directory = "step_" + n(step) + "/";
        c.put(directory + "model.safetensors", test::data("huggingface/trainer/checkpoint-24/model.safetensors"), step,
              0644);
        c.put(directory + "optimizer.pt", optimizer(step), step, 0644);
    }
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 2u) << summary(report);
    EXPECT_EQ(report.sets[0].globalStep, 30) << summary(report);
    EXPECT_EQ(report.sets[0].verdict, Verdict::validUnproven) << summary(report);
    c.edit("step_30/optimizer.pt", [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
    EXPECT_NE(summary(c.judgeAll()).find("0:step_30o CORRUPT torn"), std::string::npos) << summary(c.judgeAll());
}

// The newest save has only weights, which a Trainer also writes.
TEST(AccelerateCorpus, M05_InterruptedSaveDoesNotAffectItsNeighbours)
{
    for (const char *weights : {"model.safetensors", "unet/diffusion_pytorch_model.safetensors", "pytorch_model.bin"}) {
        Corpus c;
        putAccelerate(c, "checkpoint-500", 500);
        putAccelerate(c, "checkpoint-1000", 1000);
        c.put(std::string("checkpoint-1500/") + weights,
              test::data("huggingface/trainer/checkpoint-24/model.safetensors"), 1500, 0644);
        EXPECT_EQ(c.judgeAll().recommended, "0:1000o") << weights << ": " << summary(c.judgeAll());
    }
}

TEST(AccelerateCorpus, ExportDoesNotAffectTheSaves)
{
    Corpus c;
    putAccelerate(c, "save_500", 500);
    putAccelerate(c, "save_1000", 1000);
    c.put("step_1000/model.safetensors", test::data("huggingface/trainer/checkpoint-24/model.safetensors"), 1001);
    c.put("step_1000/config.json", "{}", 1001);
    EXPECT_EQ(c.judgeAll().recommended, "0:1000o") << summary(c.judgeAll());
}

TEST(AccelerateCorpus, ModelsInSeparateDirectoriesAreParts)
{
    Corpus c;
    putAccelerate(c, "checkpoint-500", 500, 2, "unet/diffusion_pytorch_model.safetensors");
    EXPECT_EQ(summary(c.judgeAll()), "0:500o VALID");
    c.edit("checkpoint-500/unet/diffusion_pytorch_model.safetensors",
           [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::corrupt) << summary(c.judgeAll());
    Corpus lora;
    putAccelerate(lora, "checkpoint-500", 500, 1, "pytorch_lora_weights.safetensors");
    EXPECT_EQ(summary(lora.judgeAll()), "0:500o VALID");
}

TEST(AccelerateCorpus, SaveThatLacksItsRandomStatesIsNotProven)
{
    Corpus c;
    putAccelerate(c, "checkpoint-500", 500, 0);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::validUnproven) << summary(c.judgeAll());
}

TEST(AccelerateCorpus, ReadsTheLargestNumberFirstAndRecommendsIt)
{
    Corpus c;
    for (const std::int64_t step : {100, 90, 1000}) putAccelerate(c, "step_" + n(step), step);
    const CheckpointReport unread = c.judgeUnread();
    EXPECT_EQ(unread.sets[0].members[0].path, "/job/ckpt/step_1000");
    EXPECT_EQ(unread.sets[2].members[0].path, "/job/ckpt/step_90");
    EXPECT_EQ(c.judge().recommended, "0:1000o");
}

TEST(AccelerateCorpus, ReadsTheStepFromANestedDeepspeedCheckpoint)
{
    Corpus c;
    c.copyTree("deepspeed/zero3/global_step6", "checkpoint-6/pytorch_model", 100);
    c.put("checkpoint-6/latest", "pytorch_model", 100, 0644);
    for (int rank = 0; rank < 2; ++rank)
        c.put("checkpoint-6/random_states_" + n(rank) + ".pkl",
              test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(7)}})), {}), 100, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:6o VALID");
    c.remove("checkpoint-6/pytorch_model/zero_pp_rank_1_mp_rank_00_optim_states.pt");
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::incomplete) << summary(c.judgeAll());
}

TEST(AccelerateCorpus, TrainerStateInTheRootIsNotACheckpoint)
{
    Corpus c;
    c.copyTree("huggingface/trainer/checkpoint-24", "checkpoint-24", 2400);
    c.touch("checkpoint-24/trainer_state.json", 2401);
    c.put("trainer_state.json", R"({"global_step": 24, "log_history": []})", 2500, 0644);
    c.put("all_results.json", "{}", 2500, 0644);
    EXPECT_EQ(summary(c.judgeAll()), "0:24 VALID");
}

}  // namespace
}  // namespace rankdeck::accelerate_corpus_test
