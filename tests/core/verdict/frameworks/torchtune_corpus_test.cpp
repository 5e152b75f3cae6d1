// SPDX-License-Identifier: GPL-3.0-or-later
// torchtune's output directory, as its documented writer makes it: weights per epoch, and one recipe state for the
// newest.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

namespace rankdeck::torchtune_corpus_test {
namespace {

using test::Corpus;
using test::summary;
namespace pkl = test::pkl;

std::string recipe(int epochsRun)
{
    return test::torchZip(pkl::whole(pkl::dict({{"optimizer", pkl::dict({{"exp_avg", pkl::floats("0", 32)}})},
                                                {"seed", pkl::integer(1)},
                                                {"epochs_run", pkl::integer(epochsRun)}})),
                          {{"0", test::floatBytes(std::vector<float>(32, 0.5f + float(epochsRun)))}}, "recipe_state");
}

void putEpoch(Corpus &c, int epoch)
{
    const std::string folder = "epoch_" + std::to_string(epoch) + "/";
    std::string weights = test::data("huggingface/trainer/checkpoint-24/model.safetensors");
    weights[weights.size() - 6] = char(epoch);
    c.put(folder + "model.safetensors", weights, std::int64_t(epoch) * 100, 0644);
    c.put(folder + "config.json", "{}", std::int64_t(epoch) * 100, 0644);
}

Corpus run(int epochs, int epochsRun)
{
    Corpus c;
    for (int epoch = 0; epoch < epochs; ++epoch) putEpoch(c, epoch);
    c.put("recipe_state/recipe_state.pt", recipe(epochsRun), std::int64_t(epochs) * 100, 0644);
    return c;
}

const CheckpointSet &newest(const CheckpointReport &report) { return report.sets.front(); }

TEST(TorchtuneCorpus, NewestEpochAndTheRecipeStateAreOneCheckpoint)
{
    Corpus c = run(3, 3);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 3u) << summary(report);
    EXPECT_EQ(newest(report).verdict, Verdict::valid) << summary(report);
    EXPECT_EQ(newest(report).epoch, 2);
    EXPECT_EQ(report.recommended, newest(report).id);
    for (std::size_t i = 1; i < 3; ++i) EXPECT_EQ(report.sets[i].verdict, Verdict::validUnproven) << summary(report);
}

TEST(TorchtuneCorpus, RecipeStateOfAnotherEpochIsNotPartOfTheNewest)
{
    Corpus older = run(3, 2);  // as a training leaves it at its end
    EXPECT_EQ(newest(older.judgeAll()).verdict, Verdict::validUnproven) << summary(older.judgeAll());
    Corpus later = run(3, 4);
    EXPECT_EQ(newest(later.judgeAll()).verdict, Verdict::inconsistent) << summary(later.judgeAll());
    Corpus cut = run(3, 3);
    cut.edit("epoch_2/model.safetensors", [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
    EXPECT_NE(newest(cut.judgeAll()).verdict, Verdict::valid) << summary(cut.judgeAll());
}

// The weights of earlier epochs are exports, and show the state of the run at that time.
TEST(TorchtuneCorpus, DetectsWeightsOfAnotherRunByEarlierEpochs)
{
    Corpus c = run(3, 3);
    c.edit("epoch_2/model.safetensors", [](std::string &bytes) {
        for (std::size_t at = 2560 + 3; at < bytes.size(); at += 8)
            bytes[at] = char(bytes[at] ^ 0x80);  // behind its header
    });
    EXPECT_EQ(newest(c.judgeAll()).verdict, Verdict::validUnproven) << summary(c.judgeAll());
    EXPECT_NE(summary(c.judgeAll()).find("values_apart"), std::string::npos) << summary(c.judgeAll());
}

}  // namespace
}  // namespace rankdeck::torchtune_corpus_test
