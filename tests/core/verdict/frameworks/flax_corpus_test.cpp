// SPDX-License-Identifier: GPL-3.0-or-later
// Directories of flax's own checkpoints: one file for all ranks, which contains the step.
#include "tests/core/verdict/corpus.h"

#include <gtest/gtest.h>

namespace rankdeck::flax_corpus_test {
namespace {

using test::Corpus;
using test::summary;

void putAll(Corpus &c)
{
    for (const int step : {20, 30})
        c.put("checkpoint_" + std::to_string(step), test::data("flax/checkpoint_" + std::to_string(step)), step, 0644);
}

TEST(FlaxCorpus, HealthySetsAreValidForAnyWorldSize)
{
    for (const int world : {0, 1, 8}) {
        Corpus c;
        c.expected.worldSize = world;
        putAll(c);
        EXPECT_EQ(summary(c.judgeAll()), "0:30 VALID; 0:20 VALID") << world;
    }
}

TEST(FlaxCorpus, Z03_CutSaveIsCorruptAndThePreviousSaveIsChosen)
{
    for (const std::size_t kept : {0u, 1u, 100u, 900u}) {
        Corpus c;
        putAll(c);
        c.edit("checkpoint_30", [&](std::string &bytes) { bytes.resize(kept); });
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.sets.at(0).verdict, Verdict::corrupt) << kept << ": " << summary(report);
        EXPECT_EQ(report.recommended, "0:20") << kept << ": " << summary(report);
    }
}

TEST(FlaxCorpus, C04_OlderSaveUnderANewNameIsInconsistent)
{
    Corpus c;
    putAll(c);
    c.put("checkpoint_30", test::data("flax/checkpoint_20"), 30, 0644);
    const CheckpointReport report = c.judge();
    for (const CheckpointSet &set : report.sets) {
        if (set.verdict != Verdict::valid) continue;
        EXPECT_EQ(set.members[0].path, "/job/ckpt/checkpoint_20") << summary(report);
    }
    EXPECT_NE(summary(report).find("step_mismatch"), std::string::npos) << summary(report);
}

TEST(FlaxCorpus, NaNWeightsAreCorrupt)
{
    Corpus c;
    putAll(c);
    c.judgeAll();
    for (const TensorInfo &tensor : c.evidenceOf("checkpoint_30").tensors) {
        if (tensor.name != "params/Dense_0/kernel") continue;
        c.edit("checkpoint_30", [&](std::string &bytes) {
            for (std::size_t i = 0; i < 40; i += 4) bytes.replace(tensor.offset + i, 4, std::string("\0\0\xc0\x7f", 4));
        });
    }
    EXPECT_EQ(summary(c.judgeAll()), "0:30 CORRUPT nan_weights; 0:20 VALID");
}

}  // namespace
}  // namespace rankdeck::flax_corpus_test
