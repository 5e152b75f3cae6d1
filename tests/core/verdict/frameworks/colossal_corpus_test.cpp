// SPDX-License-Identifier: GPL-3.0-or-later
// ColossalAI's directories, as its documented writer makes them: two indexes, their shards, the point.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

namespace rankdeck::colossal_corpus_test {
namespace {

using test::Corpus;
using test::summary;
namespace pkl = test::pkl;

std::string shard(float value)
{
    return test::torchZip(pkl::whole(pkl::dict({{"w", pkl::floats("0", 32)}})),
                          {{"0", test::floatBytes(std::vector<float>(32, value))}});
}

std::string directory(int step) { return "epoch0-step" + std::to_string(step) + "/"; }

double rateAt(int step) { return 0.5 / (1.0 + step); }

std::string scheduler(int step)
{
    return test::torchZip(pkl::whole(test::schedulerState(step, rateAt(step))), {}, "lr_scheduler");
}

std::string group(int step)
{
    const std::string own = pkl::dict({{"lr", pkl::real(rateAt(step))}, {"params", pkl::list({pkl::integer(0)})}});
    return test::torchZip(pkl::whole(pkl::list({own})), {}, "pytorch_optim_group");
}

void putSave(Corpus &c, int step, int said = -1)
{
    const std::string at = directory(step), point = std::to_string(said < 0 ? step : said);
    for (const char *half : {"model", "optim"}) {
        const std::string folder = at + (std::string(half) == "model" ? "modeling/" : "optimizer/"),
                          base = std::string("pytorch_") + half;
        const std::string groups =
            std::string(half) == "optim" ? R"(, "param_groups": "pytorch_optim_group.bin")" : std::string();
        for (const char *number : {"1", "2"})
            c.put(folder + base + "-0000" + number + ".bin",
                  shard(float(step) + (number[0] == '1' ? 0.25f : 0.5f) + (std::string(half) == "model" ? 0.f : 0.1f)),
                  step, 0644);
        c.put(folder + base + ".bin.index.json",
              R"({"metadata": {"total_size": 256)" + groups + R"(}, "weight_map": {"0": ")" + base +
                  R"(-00001.bin", "1": ")" + base + R"(-00002.bin"}})",
              step, 0644);
    }
    c.put(at + "optimizer/pytorch_optim_group.bin", group(step), step, 0644);
    c.put(at + "lr_scheduler", scheduler(step), step, 0644);
    c.put(at + "running_states.json", R"({"epoch": 0, "step": )" + point + R"(, "sample_start_index": 4})", step, 0644);
}

Corpus run()
{
    Corpus c;
    for (const int step : {10, 20}) putSave(c, step);
    return c;
}

TEST(ColossalCorpus, WholeSavesAreValid)
{
    Corpus c = run();
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:0-20 VALID; 0:0-10 VALID");
    EXPECT_EQ(report.recommended, "0:0-20");
}

TEST(ColossalCorpus, ReportsMissingTornAndForeignFiles)
{
    const auto verdictOf = [](Corpus &c) { return c.judgeAll().sets[0].verdict; };
    for (const char *file : {"modeling/pytorch_model-00002.bin", "optimizer/pytorch_optim-00001.bin",
                             "optimizer/pytorch_optim_group.bin", "modeling/pytorch_model.bin.index.json"}) {
        Corpus c = run();
        c.remove(directory(20) + file);
        EXPECT_EQ(verdictOf(c), Verdict::incomplete) << file << ": " << summary(c.judgeAll());
    }
    for (const char *file : {"modeling/pytorch_model-00002.bin", "running_states.json"}) {
        Corpus c = run();
        c.edit(directory(20) + file, [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
        EXPECT_EQ(verdictOf(c), Verdict::corrupt) << file << ": " << summary(c.judgeAll());
    }
    for (const char *file : {"modeling/pytorch_model-00002.bin", "optimizer/pytorch_optim-00001.bin"}) {
        Corpus c = run();
        c.put(directory(20) + file, c.bytes(directory(10) + file), 20, 0644);
        EXPECT_EQ(verdictOf(c), Verdict::validUnproven) << file << ": " << summary(c.judgeAll());
        EXPECT_EQ(c.judgeAll().recommended, "0:0-10");
    }
    Corpus other = run();
    putSave(other, 20, 30);
    EXPECT_EQ(verdictOf(other), Verdict::inconsistent) << summary(other.judgeAll());
    Corpus away = run();
    away.edit(directory(20) + "modeling/pytorch_model.bin.index.json",
              [](std::string &bytes) { bytes = R"({"weight_map": {"0": "../../x"}})"; });
    EXPECT_EQ(verdictOf(away), Verdict::corrupt) << summary(away.judgeAll());
}

// Files from another step, or from a run with another learning rate.
TEST(ColossalCorpus, ReportsASchedulerOrGroupsOfAnotherSave)
{
    for (const auto &[file, bytes] : std::vector<std::pair<std::string, std::string>>{
             {"lr_scheduler", scheduler(10)},
             {"lr_scheduler", scheduler(40)},
             {"lr_scheduler", test::torchZip(pkl::whole(test::schedulerState(20, 0.1)), {}, "lr_scheduler")},
             {"optimizer/pytorch_optim_group.bin", group(10)}}) {
        Corpus c = run();
        c.put(directory(20) + file, bytes, 20, 0644);
        EXPECT_EQ(summary(c.judgeAll()), "0:0-20 VALID-UNPROVEN step_unproven; 0:0-10 VALID") << file;
    }
}

// Weights whose signs stay the same from save to save, and differ in another run.
std::string mixedShard(unsigned run, int step)
{
    std::vector<float> values;
    for (unsigned i = 0; i < 64; ++i) {
        const bool negative = ((i * 2654435761u + run * 40503u) >> 7 & 1) != 0;
        values.push_back((negative ? -1.0f : 1.0f) * (1.0f + float(i) + 0.001f * float(step)));
    }
    return test::torchZip(pkl::whole(pkl::dict({{"w", pkl::floats("0", 64)}})), {{"0", test::floatBytes(values)}});
}

// All saves are in epoch 0, so their steps within the epoch order them.
TEST(ColossalCorpus, ReportsAShardOfAnotherRunWithinAnEpoch)
{
    Corpus c;
    for (const int step : {10, 20, 30}) {
        putSave(c, step);
        for (const unsigned half : {1U, 2U})
            c.put(directory(step) + "modeling/pytorch_model-0000" + std::to_string(half) + ".bin",
                  mixedShard(half, step), step, 0644);
    }
    EXPECT_EQ(summary(c.judgeAll()), "0:0-30 VALID; 0:0-20 VALID; 0:0-10 VALID");
    c.put(directory(30) + "modeling/pytorch_model-00002.bin", mixedShard(17, 30), 30, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:0-30 VALID-UNPROVEN values_apart; 0:0-20 VALID; 0:0-10 VALID");
    EXPECT_NE(report.sets[0].reasons[0].text.find("epoch 0, step 20"), std::string::npos);
}

}  // namespace
}  // namespace rankdeck::colossal_corpus_test
