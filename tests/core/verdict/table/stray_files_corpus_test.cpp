// SPDX-License-Identifier: GPL-3.0-or-later
// Files with names that frameworks use, beside the checkpoints of a script. They change nothing, because a format is
// recognised by its content.
#include "core/base/text.h"
#include "tests/core/verdict/mutations.h"
#include "tests/core/verdict/table/random_runs.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::stray_files_corpus_test {
namespace {

using test::Corpus;
using test::summary;

constexpr const char *marks[] = {".metadata",
                                 "metadata.json",
                                 "common.json",
                                 "common.pt",
                                 "meta.json",
                                 "trainer_state.json",
                                 "config.json",
                                 "model.safetensors.index.json",
                                 "pytorch_model.bin.index.json",
                                 "checkpoint",
                                 "latest",
                                 "latest_checkpointed_iteration.txt",
                                 "zero_to_fp32.py",
                                 ".snapshot_metadata",
                                 "0.metadata",
                                 ".zarray",
                                 "zarr.json",
                                 "manifest.ocdbt",
                                 "_METADATA",
                                 "_CHECKPOINT_METADATA",
                                 "running_states.json",
                                 "training_args.bin",
                                 "scheduler.pt",
                                 "rng_state.pth",
                                 "random_states_0.pkl",
                                 "group_info.pb",
                                 "graph.pbtxt",
                                 "adapter_config.json",
                                 "model_index.json",
                                 "commit_success.txt",
                                 ".metadata.json",
                                 "__0_0.distcp",
                                 "health_ckpts.json",
                                 "notes.txt"};

constexpr const char *layouts[] = {"ckpt_#.pt", "step_#/model.pt", "it#/all.pt", "#/G.pth", "step_#/rank_0.pt"};

Corpus runOf(const std::string &layout)
{
    Corpus c;
    for (std::int64_t number = 100; number <= 300; number += 100)
        c.put(replaceAll(layout, "#", std::to_string(number)), test::componentState(0, number, false), number * 36,
              0644);
    return c;
}

std::ptrdiff_t validIn(const CheckpointReport &report)
{
    return std::count_if(report.sets.begin(), report.sets.end(),
                         [](const CheckpointSet &set) { return set.verdict == Verdict::valid; });
}

TEST(StrayFilesCorpus, PropertyForeignFilesDoNotChangeTheChoice)
{
    for (const char *layout : layouts) {
        const CheckpointReport whole = runOf(layout).judgeAll();
        for (const char *mark : marks)
            for (const char *content : {"{}", "", "[1, 2]"})
                for (const bool inEach : {false, true}) {
                    Corpus c = runOf(layout);
                    const std::string folder = dirName(layout);
                    if (inEach && folder == ".") continue;
                    if (!inEach) c.put(mark, content, 20'000, 0644);
                    for (std::int64_t number = 100; inEach && number <= 300; number += 100)
                        c.put(joinPath(replaceAll(folder, "#", std::to_string(number)), mark), content, number * 36 + 1,
                              0644);
                    const CheckpointReport report = c.judgeAll();
                    EXPECT_EQ(report.recommended, whole.recommended)
                        << layout << " with " << mark << " " << content << ": " << summary(report);
                    EXPECT_EQ(validIn(report), validIn(whole))
                        << layout << " with " << mark << " " << content << ": " << summary(report);
                }
    }
}

// A script's state file beside the shards of a save does not replace the shards.
TEST(StrayFilesCorpus, WholeFileOfAScriptHidesNoDamageOfTheShards)
{
    const test::Files files = test::filesOf("runs/a/titan");
    for (const std::string_view lost : {".metadata", ".distcp", "emptied"}) {
        Corpus c;
        for (const auto &[path, bytes] : files) {
            const bool newest = path.starts_with("step-15/"), shard = path.ends_with(".distcp");
            if (newest && path.ends_with(lost)) continue;
            c.put(path, newest && shard && lost == "emptied" ? std::string() : bytes, newest ? 1200 : 600, 0644);
        }
        // Larger than all shards together.
        constexpr std::int64_t values = 250'000;
        for (const int step : {5, 10, 15}) {
            const std::vector<float> weights(values, 0.5f + 0.01f * float(step));
            c.put("step-" + std::to_string(step) + "/extra.pt",
                  test::torchZip(test::pkl::whole(test::pkl::dict({{"ema", test::pkl::floats("0", values)}})),
                                 {{"0", test::floatBytes(weights)}}, "extra"),
                  step == 15 ? 1200 : 600, 0644);
        }
        EXPECT_NE(c.judgeAll().sets.front().verdict, Verdict::valid) << lost << ": " << summary(c.judgeAll());
    }
}

}  // namespace
}  // namespace rankdeck::stray_files_corpus_test
