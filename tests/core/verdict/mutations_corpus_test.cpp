// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs that frameworks wrote. One file of the newest save is lost, cut, or replaced by one of another save,
// another rank or another run. The save must not be VALID afterwards, unless the framework's own loader continues from
// the right state.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/mutations.h"

#include <gtest/gtest.h>

namespace rankdeck::mutations_corpus_test {
namespace {

using test::Corpus;
using test::Files;
using test::filesOf;
using test::summary;

struct WrittenRun {
    const char *sample;          // below tests/data
    const char *newest, *older;  // differing parts of their paths
    const char *other = "";      // the same files of another run
    bool trained = true;         // if false, the weights of each save are unrelated to the one before
};
constexpr WrittenRun runs[] = {
    {"runs/a/accelerate", "step_15", "step_10", "runs/b/accelerate"},
    {"runs/a/dcp_parts", "step_15", "step_10", "runs/b/dcp_parts"},
    {"runs/a/titan", "step-15", "step-10", "runs/b/titan"},
    {"runs/a/rank_files", "step_15", "step_10", "runs/b/rank_files"},
    {"runs/a/lightning", "epoch=1-step=15", "epoch=0-step=10"},
    {"huggingface/trainer", "checkpoint-24", "checkpoint-16"},
    {"deepspeed/zero1-bf16", "global_step6", "global_step3"},
    {"deepspeed/zero3", "global_step6", "global_step3"},
    {"megatron/legacy-layout", "iter_0000200", "iter_0000100", "", false},
    {"tensorflow/saver-v2", "1300", "1200"},
    {"tensorflow/saver-v2-sharded", "1300", "1200"},
    {"tensorflow/saver-v1-sharded", "1300", "1200"},
    {"tensorflow/tf2-manager", "ckpt-2", "ckpt-1"},
    {"tensorflow/keras3-manager", "ckpt-30", "ckpt-20"},
    {"flax", "checkpoint_30", "checkpoint_20"},
    {"numpy", "step_200", "step_100", "", false},
};

// Changes that a loader tolerates or cannot notice.
const std::vector<test::AllowedMutation> allowed = {
    {"random_states_", "lost", "no_rng"},  // Accelerate warns and continues
    {"random_states_", "of another", ""},  // random numbers, and a count that is not used for anything else
    {"rng_state", "lost", "no_rng"},       // the Trainer warns and continues
    {"rng_state", "of another", ""},       //
    {"scheduler.pt", "lost", "no_scheduler"},
    {"config.json", "", ""},                  // only compared for its version
    {"training_args.bin", "", ""},            // never read by a resume
    {"optimizer.bin", "of another run", ""},  // second moments still change after 15 steps, and nothing else shows it
    {"/optim/", "of another run", ""},        //
    {".metadata", "of another", ""},          // places and sizes match the shards, or the change is detected
};

TEST(Mutations, PropertySaveWithAForeignFileIsNeverValid)
{
    int tried = 0;
    for (const WrittenRun &each : runs) {
        test::MutatedRun run{each.sample, filesOf(each.sample), each.newest, each.older, {}, false, each.trained};
        if (*each.other) run.others = filesOf(each.other);
        const auto times = timesOf(run);
        tried += tryAllMutations(run, times, allowed);
        std::swap(run.newest, run.older);  // an operator may also choose the older save
        run.isOlder = true;
        run.others = {};
        tried += tryAllMutations(run, times, allowed);
    }
    EXPECT_GT(tried, 800);
}

// Also if the folder, and not the file name, contains the step.
TEST(Mutations, DetectsARankFileOfAnotherRunInAnyLayout)
{
    Corpus c;
    for (const auto &[path, bytes] : filesOf("runs/a/rank_files")) {
        const std::size_t rank = path.find("_rank_");
        c.put(path.substr(0, rank) + "/" + path.substr(rank + 1), bytes, 100, 0644);
    }
    EXPECT_EQ(summary(c.judgeAll()).find("values_apart"), std::string::npos) << summary(c.judgeAll());
    c.put("step_15/rank_1.pt", filesOf("runs/b/rank_files").at("step_15_rank_1.pt"), 100, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_NE(summary(report.sets.front()).find("values_apart(1)"), std::string::npos) << summary(report);
    EXPECT_EQ(report.sets.front().verdict, Verdict::validUnproven) << summary(report);
}

// Separate networks in one directory are not mistaken for one network that changes.
TEST(Mutations, NetworksWithDifferentNamesAreNotCompared)
{
    Corpus c;
    const Files a = filesOf("runs/a/rank_files"), b = filesOf("runs/b/rank_files");
    for (const char *step : {"5", "10", "15"}) {
        const std::string end = std::string("_") + step + ".pt";
        c.put("critic" + end, a.at(std::string("step_") + step + "_rank_0.pt"), 100, 0644);
        c.put("actor" + end, b.at("step_15_rank_0.pt"), 100, 0644);
    }
    EXPECT_EQ(summary(c.judgeAll()).find("values_apart"), std::string::npos) << summary(c.judgeAll());
}

}  // namespace
}  // namespace rankdeck::mutations_corpus_test
