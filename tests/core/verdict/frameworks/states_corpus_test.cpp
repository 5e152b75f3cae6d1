// SPDX-License-Identifier: GPL-3.0-or-later
// Schedulers, data loaders and optimizers beside the weights. If they belong to another step or run, that is reported.
// All ways in which healthy ones count are accepted.
#include "core/base/text.h"
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/frameworks/layout_files.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <functional>

namespace rankdeck::states_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::Files;
using test::summary;
using test::Training;

Corpus treeOf(const Files &files)
{
    Corpus c;
    std::int64_t at = 0;
    for (const auto &[path, bytes] : files)
        c.put(path, bytes, 1000 + (baseName(path) == ".metadata" ? 10 : at++ % 7), 0644);
    return c;
}

std::string stepIn(const std::string &path)
{
    const std::size_t at = path.find_first_of("0123456789");
    return path.substr(at, path.find('/') - at);
}

// A save of Accelerate: count and rate of its scheduler, and rate of the optimizer, as saved.
struct Scheduled {
    std::int64_t step = 0, counted = 0;
    double rate = 0, optimizers = 0;
};

std::string judged(const std::vector<Scheduled> &saves, const std::function<void(Files &)> &change = {})
{
    Training training;
    training.steps.clear();
    for (const Scheduled &save : saves) training.steps.push_back(save.step);
    Files files = test::accelerateRun(training);
    for (const Scheduled &save : saves) {
        const std::string at = "step_" + std::to_string(save.step) + "/";
        files[at + "scheduler.bin"] =
            test::torchZip(pkl::whole(test::schedulerState(save.counted, save.rate)), {}, "scheduler");
        const double own = save.optimizers != 0 ? save.optimizers : save.rate;
        files[at + "optimizer.bin"] = test::optimizerFile(training, save.step, 0, "optimizer", own);
    }
    if (change) change(files);
    const CheckpointReport report = treeOf(files).judgeAll();
    for (const CheckpointSet &set : report.sets)
        if (set.verdict != Verdict::valid) return summary(report);
    return "all VALID";
}

constexpr const char *allValid = "all VALID";

TEST(StatesCorpus, HealthySchedulersOfAllKindsAreValid)
{
    // Stepped with the optimizer, or once for each of two processes.
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.3}, {300, 300, 0.2}}), allValid);
    EXPECT_EQ(judged({{100, 200, 0.4}, {200, 400, 0.3}, {300, 600, 0.2}}), allValid);
    // Stepped after each epoch of 120 steps, with a save every 100 steps; the last save came before the count of its
    // epoch.
    EXPECT_EQ(judged({{100, 0, 0.4}, {200, 1, 0.4}, {300, 2, 0.3}, {400, 3, 0.3}}), allValid);
    EXPECT_EQ(judged({{120, 1, 0.4}, {240, 2, 0.3}, {360, 3, 0.2}, {480, 3, 0.2}}), allValid);
    EXPECT_EQ(judged({{500, 1, 0.4}, {1999, 3, 0.3}, {20000, 40, 0.2}}), allValid);
    // Stepped with the batches, four of which make a step. Some steps were skipped because the loss scale was too
    // large.
    EXPECT_EQ(judged({{100, 400, 0.4}, {200, 800, 0.3}, {300, 1200, 0.2}}), allValid);
    EXPECT_EQ(judged({{100, 101, 0.4}, {200, 201, 0.3}, {300, 305, 0.2}}), allValid);
    // OneCycle under Accelerate ends at its total number of steps; a plateau scheduler counts at each evaluation.
    EXPECT_EQ(judged({{100, 400, 0.4}, {200, 800, 0.3}, {300, 1000, 0.01}, {400, 1000, 0.01}}), allValid);
    EXPECT_EQ(judged({{100, 1, 0.4}, {200, 4, 0.4}, {300, 5, 0.04}, {400, 9, 0.04}}), allValid);
    // A constant rate, and a rate that begins a new cycle (warm restarts) while the count continues.
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.4}, {300, 300, 0.4}}), allValid);
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.1}, {300, 300, 0.4}, {400, 400, 0.1}}), allValid);
}

TEST(StatesCorpus, ResetSchedulerAndSchedulerOfAnotherWorldSizeAreValid)
{
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.3}, {300, 100, 0.45}}), allValid);
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.3}, {300, 100, 0.45}, {400, 200, 0.31}}), allValid);
    // Four processes from step 200 on, instead of two.
    const auto grown = [](Files &files) {
        for (const std::string step : {"300", "400"})
            for (const std::string rank : {"2", "3"})
                if (files.count("step_" + step + "/scheduler.bin") != 0)
                    files["step_" + step + "/random_states_" + rank + ".pkl"] =
                        test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(decimal(step).value_or(0))}})), {},
                                       "random_states_" + rank);
    };
    EXPECT_EQ(judged({{100, 200, 0.4}, {200, 400, 0.4}, {300, 800, 0.4}}, grown), allValid);
    EXPECT_EQ(judged({{100, 200, 0.4}, {200, 400, 0.4}, {300, 800, 0.4}, {400, 1200, 0.4}}, grown), allValid);
}

TEST(StatesCorpus, LearningRatesThatAScriptSetsDirectlyAreNotCompared)
{
    EXPECT_EQ(judged({{100, 100, 0.4, 0.1}, {200, 200, 0.3, 0.1}, {300, 300, 0.2, 0.1}}), allValid);
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.3, 0.1}, {300, 300, 0.2, 0.1}}), allValid);
}

TEST(StatesCorpus, ReportsASchedulerOfAnotherStepOrLearningRate)
{
    const std::string newest = "0:300o VALID-UNPROVEN step_unproven; 0:200o VALID; 0:100o VALID";
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.3}, {300, 200, 0.3, 0.2}}), newest);
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.4}, {300, 200, 0.4}}), newest);
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.3}, {300, 300, 0.1, 0.2}}), newest);
    EXPECT_EQ(judged({{100, 400, 0.4}, {200, 800, 0.4}, {300, 1000, 0.4}}), newest);
    // A scheduler that moves once per epoch, taken from the previous epoch.
    EXPECT_EQ(judged({{100, 1, 0.4}, {200, 2, 0.4}, {300, 2, 0.4}}), newest);
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 100, 0.4}}), "0:200o VALID-UNPROVEN step_unproven; 0:100o VALID");
}

// Number of batches that verl's loader had returned at each saved step, for epochs of this length.
std::string judgedData(const std::vector<std::int64_t> &steps, std::int64_t perEpoch,
                       const std::function<void(Files &)> &change = {})
{
    Training training;
    training.steps = steps;
    training.perEpoch = perEpoch;
    Files files = test::verlRun(training);
    if (change) change(files);
    const CheckpointReport report = treeOf(files).judgeAll();
    for (const CheckpointSet &set : report.sets)
        if (set.verdict != Verdict::valid) return summary(report);
    return allValid;
}

TEST(StatesCorpus, DataLoadersThatBeginNewEpochsAreValid)
{
    for (const std::int64_t perEpoch : {7, 10, 15, 25, 40, 1000})
        EXPECT_EQ(judgedData({10, 20, 30, 40}, perEpoch), allValid) << perEpoch;
    EXPECT_EQ(judgedData({10, 20}, 1000), allValid);
    // When the run was resumed in its second epoch, the order was drawn with another seed.
    EXPECT_EQ(judgedData({10, 20, 30, 40}, 25,
                         [](Files &files) {
                             Training reseeded;
                             reseeded.perEpoch = 25;
                             reseeded.run = 9;
                             for (const std::int64_t step : {30, 40})
                                 files["global_step_" + std::to_string(step) + "/data.pt"] =
                                     test::loaderFile(reseeded, step);
                         }),
              allValid);
}

TEST(StatesCorpus, ReportsADataLoaderOfAnotherStepOrRun)
{
    const auto with = [](std::int64_t perEpoch, std::int64_t at, const std::string &bytes) {
        return judgedData({10, 20, 30, 40}, perEpoch,
                          [&](Files &files) { files["global_step_" + std::to_string(at) + "/data.pt"] = bytes; });
    };
    Training own, other;
    other.run = 5;
    for (const std::int64_t step : {10, 20, 30, 33, 55})
        EXPECT_EQ(with(1000, 40, test::loaderFile(own, step)).find("0:40 VALID-UNPROVEN step_unproven"), 0U) << step;
    EXPECT_EQ(with(1000, 40, test::loaderFile(other, 40)).find("0:40 VALID-UNPROVEN run_mismatch"), 0U);
    EXPECT_NE(with(1000, 20, test::loaderFile(other, 20)).find("0:20 VALID-UNPROVEN run_mismatch"), std::string::npos);
    own.perEpoch = 25;
    EXPECT_EQ(with(25, 40, test::loaderFile(own, 30)).find("0:40 VALID-UNPROVEN step_unproven"), 0U);
}

// Changes that healthy runs make to the moments of an optimizer.
TEST(StatesCorpus, ResetOptimizersAndUnrelatedMomentsAreValid)
{
    // In all saves, the moments are unrelated to those of the previous save.
    const auto forgetful = [](Files &files) {
        Training other;
        for (auto &[path, bytes] : files) {
            if (path.find("optimizer.bin") == std::string::npos) continue;
            const std::int64_t step = decimal(stepIn(path)).value_or(0);
            other.run = unsigned(step);
            bytes = test::optimizerFile(other, step, 0, "optimizer", 0.4);
        }
    };
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.4}, {300, 300, 0.4}, {400, 400, 0.4}}, forgetful), allValid);
    // Reset at the third save, and immediately as large or small as they will stay.
    const auto anew = [](Files &files) {
        Training other;
        other.run = 3;
        for (const std::int64_t step : {300, 400})
            files["step_" + std::to_string(step) + "/optimizer.bin"] =
                test::optimizerFile(other, step, 0, "optimizer", 0.4);
    };
    EXPECT_EQ(judged({{100, 100, 0.4}, {200, 200, 0.4}, {300, 300, 0.4}, {400, 400, 0.4}}, anew), allValid);
}

// Also if the times prove nothing, in each layout, with a smaller world, and with the final weights of the run.
TEST(StatesCorpus, HealthyRunsOfEachLayoutAreValid)
{
    using Write = Files (*)(const Training &);
    for (const auto &[write, name] : {std::pair<Write, const char *>{&test::accelerateRun, "accelerate"},
                                      {&test::verlRun, "verl"},
                                      {&test::diffusersRun, "diffusers"},
                                      {&test::splitRun, "split"},
                                      {&test::colossalRun, "colossalai"},
                                      {&test::mindformersRun, "mindformers"},
                                      {&test::distributedRun, "torchtitan"},
                                      {&test::distributedPartsRun, "parts"}}) {
        Training training;
        Files files = write(training);
        Training shrunken = training;
        shrunken.world = 1;
        shrunken.steps = {50, 60};
        for (const bool shrinks : {false, true}) {
            if (shrinks) files.merge(write(shrunken));
            const CheckpointReport report = treeOf(files).judgeAll();
            EXPECT_EQ(report.sets.size(), shrinks ? 6U : 4U) << name << ": " << summary(report);
            for (const CheckpointSet &set : report.sets)
                EXPECT_EQ(set.verdict, Verdict::valid) << name << ": " << summary(report);
        }
    }
}

// Each case changes the files of Accelerate's four saves.
TEST(StatesCorpus, FrozenLayersLoraGroupsAndExportsAreValid)
{
    const std::vector<Scheduled> saves{{100, 100, 0.4}, {200, 200, 0.3}, {300, 300, 0.2}, {400, 400, 0.1}};
    const Training training;
    // One of two layers was frozen at step 250: its weights and its state no longer change.
    EXPECT_EQ(judged(saves,
                     [&](Files &files) {
                         for (const std::int64_t step : {100, 200, 300, 400}) {
                             const std::int64_t frozen = std::min<std::int64_t>(step, 250);
                             files["step_" + std::to_string(step) + "/model.safetensors"] =
                                 test::safetensorsFile({{"layer.weight", weightsAt(training, step, 0)},
                                                        {"frozen.weight", weightsAt(training, frozen, 1)}});
                         }
                     }),
              allValid);
    // An adapter alone, whose second half begins at zero.
    EXPECT_EQ(judged(saves,
                     [&](Files &files) {
                         for (const std::int64_t step : {100, 200, 300, 400}) {
                             const std::string at = "step_" + std::to_string(step) + "/";
                             files.erase(at + "model.safetensors");
                             files[at + "adapter_model.safetensors"] =
                                 test::safetensorsFile({{"q.lora_A.weight", weightsAt(training, step, 0)},
                                                        {"q.lora_B.weight", firstMoments(training, step, 1)}});
                         }
                     }),
              allValid);
    // Two groups with their own rates; the scheduler changes only the second.
    EXPECT_EQ(judged(saves,
                     [&](Files &files) {
                         for (const auto &save : saves) {
                             const auto rates = pkl::list({pkl::real(0.05), pkl::real(save.rate)});
                             const std::string state =
                                 pkl::dict({{"last_epoch", pkl::integer(save.counted)}, {"_last_lr", rates}});
                             files["step_" + std::to_string(save.step) + "/scheduler.bin"] =
                                 test::torchZip(pkl::whole(state), {}, "scheduler");
                             files["step_" + std::to_string(save.step) + "/optimizer.bin"] =
                                 test::optimizerFile(training, save.step, 0, "optimizer", 0.05);
                         }
                     }),
              allValid);
    // Weights alone at the end are an export, and do not affect the saves.
    Files files = test::accelerateRun(training);
    files["step_50/model.safetensors"] = test::safetensorsFile({{"layer.weight", weightsAt(training, 50, 0)}});
    files["step_50/config.json"] = "{}";
    EXPECT_EQ(treeOf(files).judgeAll().recommended, "0:40o") << summary(treeOf(files).judgeAll());
}

TEST(StatesCorpus, ReportsAnAverageOrASamplerOfAnotherSave)
{
    const auto with = [](const std::string &path, const std::string &bytes) {
        Files files = test::diffusersRun({});
        files.at("checkpoint-40/" + path) = bytes;
        return summary(treeOf(files).judgeAll().sets.front());
    };
    const auto average = [](int count) {
        return R"({"decay": 0.9999, "optimization_step": )" + std::to_string(count) + "}";
    };
    EXPECT_EQ(with("unet_ema/config.json", average(40)), "0:40o VALID");
    EXPECT_EQ(with("unet_ema/config.json", average(30)), "0:40o VALID-UNPROVEN step_unproven");
    Training other;
    other.run = 3;
    EXPECT_EQ(with("sampler.bin", test::diffusersRun(other).at("checkpoint-40/sampler.bin")),
              "0:40o VALID-UNPROVEN run_mismatch");
}

TEST(StatesCorpus, SampleCountMayGrowFasterAfterAResume)
{
    const auto with = [](std::int64_t samples) {
        Files files = test::splitRun({});
        files.at("step_40/trainer.pt") = test::torchZip(
            pkl::whole(pkl::dict({{"global_step", pkl::integer(40)}, {"samples_seen", pkl::integer(samples)}})), {},
            "trainer");
        return summary(treeOf(files).judgeAll().sets.front());
    };
    EXPECT_EQ(with(320), "0:40o VALID");
    EXPECT_EQ(with(30 * 8 + 10 * 16), "0:40o VALID");
    EXPECT_EQ(with(160), "0:40o VALID-UNPROVEN step_unproven");
}

TEST(StatesCorpus, MindformersBatchSizeMayChangeOnlyAtAResume)
{
    Training training;
    const auto verdicts = [&](const std::function<void(Files &)> &change) {
        Files files = test::mindformersRun(training);
        change(files);
        return summary(treeOf(files).judgeAll());
    };
    const auto info = [](std::int64_t epoch, std::int64_t step, std::int64_t counted, std::int64_t batch) {
        return R"({"epoch_num": )" + std::to_string(epoch) + R"(, "step_num": )" + std::to_string(step) +
               R"(, "global_step": )" + std::to_string(counted) + R"(, "loss_scale": 1.0, "global_batch_size": )" +
               std::to_string(batch) + "}";
    };
    const std::string valid = "0:40 VALID; 0:30 VALID; 0:20 VALID; 0:10 VALID";
    EXPECT_EQ(verdicts([](Files &) {}), valid);
    EXPECT_EQ(verdicts([&](Files &files) { files["iteration_00000040/common.json"] = info(1, 40, 40, 16); }),
              "0:40 VALID-UNPROVEN run_mismatch; 0:30 VALID; 0:20 VALID; 0:10 VALID");
    EXPECT_EQ(verdicts([&](Files &files) { files["iteration_00000020/common.json"] = info(4, 20, 20, 8); }),
              "0:40 VALID; 0:30 VALID; 0:20 VALID-UNPROVEN run_mismatch; 0:10 VALID");
    // Resumed at step 30 with twice the batch size: 15 steps of the new size, and then 5.
    training.steps = {10, 20, 30};
    EXPECT_EQ(verdicts([&](Files &files) {
                  Training larger;
                  larger.steps = {35};
                  Files resumed = test::mindformersRun(larger);
                  for (auto &[path, bytes] : resumed)
                      if (path.find("iteration_") == 0) files["iteration_00000015" + path.substr(18)] = bytes;
                  files["iteration_00000015/common.json"] = info(1, 15, 35, 16);
              }).find("UNPROVEN"),
              std::string::npos);
}

}  // namespace
}  // namespace rankdeck::states_corpus_test
