// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts that save weights, optimizer and counters into files of their own: the folder is one checkpoint, of one process
// or of one rank.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

namespace rankdeck {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

constexpr int world = 4;

std::string n(std::int64_t number) { return std::to_string(number); }

// Of each rank and each step other values, whose signs stay what they are.
std::vector<float> valuesOf(int rank, std::int64_t step)
{
    std::vector<float> values;
    for (int i = 0; i < 64; ++i) {
        const bool negative = ((i * 2654435761u + unsigned(rank) * 40503u) >> 7 & 1) != 0;
        values.push_back((negative ? -1.0f : 1.0f) * (1.0f + float(i) + 0.001f * float(step)));
    }
    return values;
}

std::string weights(int rank, std::int64_t step)
{
    return test::torchZip(pkl::whole(pkl::dict({{"layer.weight", pkl::floats("0", 64)}})),
                          {{"0", test::floatBytes(valuesOf(rank, step))}});
}

std::string optimizer(int rank, std::int64_t step)
{
    const std::string state =
        "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(step)}, {"exp_avg", pkl::floats("0", 64)}}) + "u";
    return test::torchZip(pkl::whole(pkl::dict({{"state", state}, {"param_groups", pkl::list({pkl::dict({})})}})),
                          {{"0", test::floatBytes(valuesOf(rank + 17, step))}});
}

std::string counters(std::int64_t step)
{
    return test::torchZip(pkl::whole(pkl::dict({{"global_step", pkl::integer(step)}})), {});
}

void put(Corpus &c, const std::string &folder, int rank, std::int64_t step)
{
    c.put(folder + "/model.bin", weights(rank, step), step, 0644);
    c.put(folder + "/opt.bin", optimizer(rank, step), step, 0644);
    c.put(folder + "/trainer.pt", counters(step), step, 0644);
}

std::string folderOf(std::int64_t step, int rank) { return "step_" + n(step) + "/rank_" + n(rank); }

Corpus ofRanks()
{
    Corpus c;
    for (const std::int64_t step : {100, 200, 300})
        for (int rank = 0; rank < world; ++rank) put(c, folderOf(step, rank), rank, step);
    return c;
}

Corpus ofOne()
{
    Corpus c;
    for (const std::int64_t step : {100, 200, 300}) put(c, "step_" + n(step), 0, step);
    return c;
}

Verdict newest(Corpus c) { return c.judgeAll().sets.front().verdict; }

TEST(SplitStateCorpus, AFolderPerRankIsOneCheckpoint)
{
    Corpus c = ofRanks();
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:300o VALID; 0:200o VALID; 0:100o VALID");
    EXPECT_EQ(report.worldSize, world);
}

TEST(SplitStateCorpus, AFolderPerSaveIsOneCheckpoint)
{
    Corpus c = ofOne();
    EXPECT_EQ(summary(c.judgeAll()), "0:300o VALID; 0:200o VALID; 0:100o VALID");
}

// OLMo's unsharded checkpoints; a folder that every save overwrites; Hugging Face's name for the folder and not the files.
TEST(SplitStateCorpus, TheFolderMayHaveAnyName)
{
    for (const std::string folder : {"step300-unsharded", "last", "checkpoint-300", "ckpt_300"}) {
        Corpus c;
        c.put(folder + "/model.pt", weights(0, 300), 300, 0644);
        c.put(folder + "/optim.pt", optimizer(0, 300), 300, 0644);
        c.put(folder + "/train.pt", counters(300), 300, 0644);
        const CheckpointReport report = c.judgeAll();
        ASSERT_EQ(report.sets.size(), 1u) << folder << ": " << summary(report);
        EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << folder << ": " << summary(report);
        EXPECT_EQ(report.sets[0].globalStep, 300) << folder;
    }
}

// What a JSON beside the others counts is the step; without any the optimizer knows it.
TEST(SplitStateCorpus, TheStepMayBeInTextOrInTheOptimizer)
{
    for (const std::string text : {"", R"({"step": 300})"}) {
        Corpus c;
        c.put("last/model.pt", weights(0, 300), 300, 0644);
        c.put("last/optimizer.pt", optimizer(0, 300), 300, 0644);
        if (!text.empty()) c.put("last/meta.json", text, 300, 0644);
        const CheckpointReport report = c.judgeAll();
        ASSERT_EQ(report.sets.size(), 1u);
        EXPECT_EQ(report.sets[0].globalStep, 300) << summary(report);
        EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << summary(report);
    }
    Corpus cut;
    cut.put("last/model.pt", weights(0, 300), 300, 0644);
    cut.put("last/optimizer.pt", optimizer(0, 300), 300, 0644);
    cut.put("last/meta.json", R"({"step": )", 300, 0644);
    EXPECT_EQ(newest(std::move(cut)), Verdict::corrupt);
}

TEST(SplitStateCorpus, PropertyNoFileMayLackBeTornOrBeOfAnotherStepOrRank)
{
    int tried = 0;
    for (const std::string name : {"model.bin", "opt.bin", "trainer.pt"})
        for (int rank = 0; rank < world; ++rank) {
            const std::string at = folderOf(300, rank) + "/" + name;
            std::vector<std::pair<std::string, Corpus>> cases;
            const auto add = [&](const std::string &what, const std::string &bytes) {
                Corpus c = ofRanks();
                c.put(at, bytes, 300, 0644);
                cases.emplace_back(what, std::move(c));
            };
            Corpus whole = ofRanks();
            Corpus lacking = ofRanks();
            lacking.remove(at);
            cases.emplace_back("lacks", std::move(lacking));
            add("torn", whole.bytes(at).substr(0, whole.bytes(at).size() / 2));
            add("older", whole.bytes(folderOf(200, rank) + "/" + name));
            // The counters of all ranks are the same: that of another does no harm.
            if (name != "trainer.pt") add("other rank", whole.bytes(folderOf(300, (rank + 1) % world) + "/" + name));
            for (auto &[what, c] : cases) {
                const CheckpointReport report = c.judgeAll();
                for (const CheckpointSet &set : report.sets) {
                    if (set.globalStep != 300) continue;
                    EXPECT_NE(set.verdict, Verdict::valid) << at << " " << what;
                }
                ++tried;
            }
        }
    EXPECT_EQ(tried, 4 * 2 * world + 3 * world);
}

TEST(SplitStateCorpus, PropertyOfOneProcessNoFileMayLackOrBeOfAnotherStep)
{
    for (const std::string name : {"model.bin", "opt.bin", "trainer.pt"}) {
        Corpus lacking = ofOne();
        lacking.remove("step_300/" + name);
        EXPECT_NE(newest(std::move(lacking)), Verdict::valid) << name << " lacks";
        Corpus older = ofOne();
        older.put("step_300/" + name, older.bytes("step_200/" + name), 300, 0644);
        const CheckpointReport report = older.judgeAll();
        for (const CheckpointSet &set : report.sets) {
            if (set.id.find("300") == std::string::npos) continue;
            EXPECT_NE(set.verdict, Verdict::valid) << name << " is older";
        }
    }
}

// Replicas that each save for themselves: one that differs is not of their save.
TEST(SplitStateCorpus, OfReplicasOneThatDiffersIsNotOfTheirSave)
{
    Corpus c;
    for (const std::int64_t step : {100, 200, 300})
        for (int rank = 0; rank < world; ++rank) put(c, folderOf(step, rank), 0, step);
    EXPECT_EQ(newest(c), Verdict::valid);
    Corpus other = c;
    other.put(folderOf(300, 2) + "/model.bin", weights(5, 300), 300, 0644);
    EXPECT_EQ(newest(std::move(other)), Verdict::inconsistent);
    c.put(folderOf(300, 2) + "/opt.bin", optimizer(5, 300), 300, 0644);
    EXPECT_EQ(newest(std::move(c)), Verdict::validUnproven);
}

// The Trainer's and Accelerate's own folders stay theirs.
TEST(SplitStateCorpus, WhatHuggingFaceNamesIsNotTaken)
{
    Corpus c;
    c.put("checkpoint-300/model.safetensors", "x", 300, 0644);
    c.put("checkpoint-300/optimizer.pt", optimizer(0, 300), 300, 0644);
    const CheckpointReport report = c.judgeUnread();
    ASSERT_EQ(report.sets.size(), 1u);
    ASSERT_EQ(c.inventory.members.size(), 1u);
    EXPECT_EQ(c.inventory.members[0].name.globalStep, 300);
}

}  // namespace
}  // namespace rankdeck
