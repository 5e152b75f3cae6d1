// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in the layouts that frameworks document. One file of a save is lost, renamed, cut, or replaced by one of another
// save, another run or another rank. The save must not be VALID afterwards, unless the framework's own loader continues
// from the right state.
#include "core/base/text.h"
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/frameworks/layout_files.h"
#include "tests/testbed/races.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::layouts_corpus_test {
namespace {

using test::AllowedMutation;
using test::Corpus;
using test::Files;
using test::MutatedRun;
using test::summary;
using test::Training;

Training anotherRun()
{
    Training other;
    other.run = 7;
    other.peak = 0.3;
    other.batch = 16;
    return other;
}

struct LayoutCase {
    const char *name;
    Files (*write)(const Training &);
    const char *newest, *older;
    std::vector<AllowedMutation> allowed = {};
};

const std::vector<LayoutCase> layouts = {
    {"accelerate",
     &test::accelerateRun,
     "step_40",
     "step_30",
     {{"random_states_", "lost", "no_rng"},        // Accelerate warns and continues
      {"random_states_", "of another"},            // random numbers, and a count that is not used for anything else
      {"custom_checkpoint_", "of another run"}}},  // a count of the script, which depends on the batch size
    {"diffusers",
     &test::diffusersRun,
     "checkpoint-40",
     "checkpoint-30",
     {{"random_states_", "lost", "no_rng"}, {"random_states_", "of another"}}},
    {"split",
     &test::splitRun,
     "step_40",
     "step_30",
     {{"trainer.pt", "of another run"}}},  // a resume with a larger batch looks the same
    {"verl",
     &test::verlRun,
     "global_step_40",
     "global_step_30",
     {{"extra_state_", "of another rank"}}},  // the same scheduler, and random numbers
    {"colossalai",
     &test::colossalRun,
     "step40",
     "step30",
     {{"lr_scheduler", "lost", "no_scheduler"},
      {"running_states.json", "of another run"}}},  // the same point; a resume with a larger batch looks the same, too
    {"mindformers", &test::mindformersRun, "iteration_00000040", "iteration_00000030"},
    {"parts", &test::distributedPartsRun, "step_40", "step_30", {{".metadata", "of another"}}},
    {"torchtune", &test::torchtuneRun, "epoch_3", "epoch_2", {{"config.json", "lost"}}},  // read from the base model
    {"torchtitan", &test::distributedRun, "step-40", "step-30", {{".metadata", "of another"}}},
};

int tryBoth(const LayoutCase &each, const std::vector<std::size_t> &cuts,
            const std::function<std::int64_t(std::int64_t)> &clock)
{
    MutatedRun run{each.name, each.write({}), each.newest, each.older, each.write(anotherRun())};
    if (!everyVariant()) run.cuts = cuts;
    int tried = 0;
    for (const bool older : {false, true}) {
        run.isOlder = older;
        if (older) std::swap(run.newest, run.older);
        test::FileTimes times = timesOf(run);
        for (auto &[path, time] : times) time = clock(time);
        tried += tryAllMutations(run, times, each.allowed);
    }
    return tried;
}

TEST(Layouts, PropertySaveWithAForeignFileIsNeverValid)
{
    int tried = 0;
    for (const LayoutCase &each : layouts) tried += tryBoth(each, {1, 4, 7}, [](std::int64_t time) { return time; });
    EXPECT_GT(tried, 770);
}

// A copy may keep no times. The name of a cut file does not depend on them.
TEST(Layouts, PropertySaveWithAForeignFileIsNeverValidWithoutTimes)
{
    int tried = 0;
    for (const LayoutCase &each : layouts) tried += tryBoth(each, {}, [](std::int64_t) { return 1000; });
    EXPECT_GT(tried, 440);
}

Corpus treeOf(const Files &files)
{
    Corpus c;
    std::int64_t at = 1000;
    for (const auto &[path, bytes] : files) c.put(path, bytes, baseName(path) == ".metadata" ? at + 100 : at, 0644);
    return c;
}

// torchtune has only one recipe state, which is compared with the newest weights. Nothing else could reveal the recipe
// of another run with the same number of epochs.
TEST(Layouts, TorchtuneRecipeMustBeOfTheNewestEpoch)
{
    const std::string recipe = "recipe_state/recipe_state.pt";
    const Files files = test::torchtuneRun({});
    EXPECT_EQ(treeOf(files).judgeAll().sets.front().verdict, Verdict::valid) << summary(treeOf(files).judgeAll());
    Training shorter;
    shorter.steps = {10, 20, 30};
    Training longer;
    longer.steps = {10, 20, 30, 40, 50};
    const std::string &own = files.at(recipe);
    for (const std::string &bytes : {test::torchtuneRun(shorter).at(recipe), test::torchtuneRun(longer).at(recipe),
                                     own.substr(0, own.size() / 2), own.substr(0, 40), std::string()}) {
        Files changed = files;
        changed[recipe] = bytes;
        for (const CheckpointSet &set : treeOf(changed).judgeAll().sets)
            EXPECT_NE(set.verdict, Verdict::valid) << bytes.size() << ": " << summary(treeOf(changed).judgeAll());
    }
}

// PaddleNLP's pickles are not read, so no save is VALID, neither with unified checkpoints nor with PaddleNLP's own
// files.
TEST(Layouts, PropertyPaddleSavesAreAtMostUnproven)
{
    const Files files = test::paddleRun({});
    for (const CheckpointSet &set : treeOf(files).judgeAll().sets) {
        EXPECT_EQ(set.verdict, Verdict::validUnproven) << summary(treeOf(files).judgeAll());
        EXPECT_NE(summary(set).find("content_unproven"), std::string::npos) << summary(treeOf(files).judgeAll());
    }
    Corpus sharded = treeOf(files);
    for (const std::int64_t step : {10, 20, 30, 40}) {
        const std::string at = "checkpoint-" + std::to_string(step) + "/";
        sharded.put(at + "optimizer-00001-of-00001.safetensors", files.at(at + "optimizer.safetensors"), 1000, 0644);
        sharded.put(at + "optimizer.safetensors.index.json",
                    R"({"metadata": {"total_size": 1}, "weight_map": {"layer.weight/moment1_0": )"
                    R"("optimizer-00001-of-00001.safetensors", "layer.weight/moment2_0": )"
                    R"("optimizer-00001-of-00001.safetensors"}})",
                    1000, 0644);
        sharded.remove(at + "optimizer.safetensors");
    }
    const CheckpointReport unified = sharded.judgeAll();
    for (const CheckpointSet &set : unified.sets) {
        EXPECT_EQ(set.verdict, Verdict::validUnproven) << summary(unified);
        EXPECT_EQ(summary(set).find("weights_only"), std::string::npos) << summary(unified);
    }
    sharded.remove("checkpoint-40/optimizer-00001-of-00001.safetensors");
    EXPECT_EQ(sharded.judgeAll().sets.front().verdict, Verdict::incomplete) << summary(sharded.judgeAll());
    const Files others = test::paddleRun(anotherRun());
    for (const auto &[path, bytes] : files)
        for (const std::string &instead : {std::string(), bytes.substr(0, bytes.size() / 2), others.at(path)}) {
            Files changed = files;
            changed[path] = instead;
            for (const CheckpointSet &set : treeOf(changed).judgeAll().sets)
                EXPECT_NE(set.verdict, Verdict::valid) << path << ": " << summary(treeOf(changed).judgeAll());
        }
}

// A save under the number of another step. Scripts choose the numbers in Accelerate's names. The step is that of the
// optimizer, and the difference is reported.
TEST(Layouts, SaveUnderAnotherNumberIsNotTakenForThatStep)
{
    for (const LayoutCase &each : layouts) {
        const std::string newest = each.newest,
                          other = replaceAll(newest, newest.substr(newest.find_first_of("34"), 1), "7");
        Files renamed;
        for (const auto &[path, bytes] : each.write({})) renamed[replaceAll(path, newest, other)] = bytes;
        const CheckpointReport report = treeOf(renamed).judgeAll();
        for (const CheckpointSet &set : report.sets) {
            const bool isRenamed = set.members.front().path.find(other) != std::string::npos;
            EXPECT_TRUE(!isRenamed || set.verdict != Verdict::valid || set.globalStep == 40)
                << each.name << ": " << summary(report);
        }
    }
}

// Copies without times, and a run whose newest save has the oldest times.
TEST(Layouts, TimesOfHealthyRunsCauseNoDoubt)
{
    for (const LayoutCase &each : layouts)
        for (const auto &clock : std::vector<std::function<std::int64_t(std::int64_t)>>{
                 [](std::int64_t) { return std::int64_t(0); },
                 [](std::int64_t time) { return time / 100 * -100 + time % 100; },
                 [](std::int64_t time) { return time + 86'400; }}) {
            const Files files = each.write({});
            const test::FileTimes times = test::timesOf({each.name, files, each.newest, each.older});
            Corpus c;
            for (const auto &[path, bytes] : files) c.put(path, bytes, clock(times.at(path)), 0644);
            const CheckpointReport report = c.judgeAll();
            EXPECT_EQ(report.sets.front().verdict, Verdict::valid) << each.name << ": " << summary(report);
        }
}

}  // namespace
}  // namespace rankdeck::layouts_corpus_test
