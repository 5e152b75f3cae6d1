// SPDX-License-Identifier: GPL-3.0-or-later
// MindFormers' own layout: iteration_N with a file of weights and a file of the optimizer for each rank. Also
// common.json and metadata.json, and a tracker with the name of Megatron's.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/frameworks/layout_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace rankdeck::mindformers_corpus_test {
namespace {

using test::Corpus;
using test::summary;

constexpr int ranks = 4;

std::string safetensors(const std::string &tensor, float first, std::int64_t step = -1)
{
    std::string data(16, '\0'), header = R"({")" + tensor + R"(":{"dtype":"F32","shape":[4],"data_offsets":[0,16]})";
    for (int i = 0; i < 4; ++i) {
        const float value = first + float(i);
        std::memcpy(data.data() + 4 * static_cast<std::size_t>(i), &value, 4);
    }
    if (step >= 0) {
        header += R"(,"global_step":{"dtype":"I32","shape":[1],"data_offsets":[16,20]})";
        for (int i = 0; i < 4; ++i) data += static_cast<char>(step >> (8 * i));
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string length;
    for (int i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i));
    return length + header + data;
}

std::string fileName(const std::string &what, int rank, int world = ranks)
{
    char numbers[40];
    std::snprintf(numbers, sizeof numbers, "-%07d-%07d.safetensors", rank, world);
    return "llama-" + what + numbers;
}

std::string folder(std::int64_t step)
{
    char name[40];
    std::snprintf(name, sizeof name, "iteration_%08d/", int(step));
    return name;
}

void put(Corpus &c, std::int64_t step)
{
    std::string storage;
    for (int rank = 0; rank < ranks; ++rank) {
        c.put(folder(step) + fileName("model", rank), safetensors("decoder.w" + std::to_string(rank), 1), step, 0644);
        c.put(folder(step) + fileName("opt", rank), safetensors("adam_m.decoder.w", 1, step), step, 0644);
        storage += (rank ? "," : "") + (R"("w)" + std::to_string(rank)) + R"(": [{"file_name": ")" +
                   fileName("model", rank) + R"(", "storage_rank": )" + std::to_string(rank) + "}]";
    }
    c.put(folder(step) + "common.json",
          R"({"epoch_num": 1, "step_num": )" + std::to_string(step) + R"(, "global_step": )" + std::to_string(step) +
              R"(, "loss_scale": 1.0, "global_batch_size": 8})",
          step + 1, 0644);
    c.put(folder(step) + "metadata.json", R"({"state_dict_metadata": {}, "storage_data": {)" + storage + "}}", step + 2,
          0644);
}

Corpus run()
{
    Corpus c;
    put(c, 100);
    put(c, 200);
    c.put("latest_checkpointed_iteration.txt", "200", 203, 0644);
    return c;
}

TEST(MindformersCorpus, IterationsAreSetsWithOneTracker)
{
    Corpus c = run();
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:200 VALID; 0:100 VALID");
    EXPECT_EQ(report.worldSize, ranks);
    EXPECT_EQ(report.framework, "mindformers");
    ASSERT_EQ(report.trackers.size(), 1u);
    EXPECT_EQ(report.trackers[0].target, "iteration_00000200");
    EXPECT_FALSE(report.trackers[0].code);
}

TEST(MindformersCorpus, RequiresAllRankFilesAndTheCommitFiles)
{
    const std::vector<std::pair<std::string, std::string>> losses{{fileName("model", 2), "shard_missing"},
                                                                  {fileName("opt", 3), "optim_missing"},
                                                                  {"common.json", "commit_missing"},
                                                                  {"metadata.json", "commit_missing"}};
    for (const auto &[file, code] : losses) {
        Corpus c = run();
        c.remove(folder(200) + file);
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete) << file << ": " << summary(report);
        EXPECT_EQ(report.sets[0].reasons.front().code, code) << file;
        EXPECT_EQ(report.recommended, "0:100") << file;
    }
    for (const std::string &file : {fileName("model", 2), std::string("common.json"), std::string("metadata.json")}) {
        Corpus c = run();
        c.edit(folder(200) + file, [](std::string &bytes) { bytes.resize(bytes.size() - 3); });
        EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::corrupt) << file << ": " << summary(c.judgeAll());
    }
}

TEST(MindformersCorpus, ReportsAFileOfAnotherStepOrName)
{
    Corpus c = run();
    c.put(folder(200) + fileName("opt", 1), safetensors("adam_m.decoder.w", 1, 100), 200, 0644);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::inconsistent) << summary(c.judgeAll());
    Corpus named = run();
    named.edit(folder(200) + "common.json", [](std::string &bytes) { bytes.replace(bytes.find("200"), 3, "150"); });
    EXPECT_EQ(named.judgeAll().sets[0].verdict, Verdict::inconsistent) << summary(named.judgeAll());
}

TEST(MindformersCorpus, ResumeRecordIsNotATracker)
{
    Corpus c = run();
    c.put("resume_record/latest_checkpointed_iteration.txt", "FOUND NO META.JSON", 300, 0644);
    EXPECT_EQ(c.judgeAll().trackers.size(), 1u);
}

// Records that MindFormers 1.0 keeps beside its checkpoints, with the bytes that its CheckpointMonitor writes.
class MindformersMarks : public testing::Test {
protected:
    MindformersMarks() : c("/job/output")
    {
        for (int rank = 0; rank < 2; ++rank)
            for (const int step : {2, 4, 6})
                c.put(name(rank, step), safetensors("adam_m.w", float(step), step), 100 + step, 0644);
        for (int rank = 0; rank < 2; ++rank) mark(rank, 6);
    }
    static std::string name(int rank, int step)
    {
        const std::string number = std::to_string(rank);
        return "checkpoint/rank_" + number + "/llama_rank_" + number + "-1_" + std::to_string(step) + ".safetensors";
    }
    void mark(int rank, int step)
    {
        c.put("checkpoint/rank_" + std::to_string(rank) + "/meta.json",
              R"({"last_epoch": 1, "last_step": )" + std::to_string(step) + R"(, "last_ckpt_file": ")" +
                  name(rank, step).substr(18) + "\"}",
              107, 0644);
    }
    void health(const std::vector<std::pair<int, int>> &records)
    {
        std::string text = "[";
        for (const auto &[step, bad] : records)
            text += std::string(text.size() > 1 ? "," : "") + "\n    {\n        \"is_health\": " + std::to_string(bad) +
                    ",\n        \"ckpt_name\": \"" + name(0, step).substr(18) + "\"\n    }";
        c.put("health_ckpts.json", text + "\n]", 106, 0644);
    }
    CheckpointSet set(int step)
    {
        const CheckpointReport report = c.judgeAll();
        for (const CheckpointSet &one : report.sets)
            if (one.step == step) return one;
        return {};
    }
    static bool has(const CheckpointSet &set, const std::string &code)
    {
        return std::any_of(set.reasons.begin(), set.reasons.end(), [&](const Reason &why) { return why.code == code; });
    }
    Corpus c;
};

TEST_F(MindformersMarks, DoNotDoubtAHealthyRun)
{
    health({{2, 0}, {4, 0}, {6, 0}});
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:1-6 VALID; 0:1-4 VALID; 0:1-2 VALID");
    EXPECT_TRUE(report.trackers.empty());
}

TEST_F(MindformersMarks, UnhealthySetIsNotRecommended)
{
    health({{2, 0}, {4, 0}, {6, 1}});
    EXPECT_EQ(c.judgeAll().recommended, "0:1-4");
    EXPECT_EQ(set(6).verdict, Verdict::validUnproven);
    EXPECT_TRUE(has(set(6), "unhealthy"));
    health({{6, 1}, {2, 0}, {4, 0}, {6, 0}});  // saved again
    EXPECT_EQ(c.judgeAll().recommended, "0:1-6");
}

TEST_F(MindformersMarks, SaveBeyondTheMarkOfARankDidNotFinish)
{
    mark(1, 4);
    EXPECT_EQ(c.judgeAll().recommended, "0:1-4");
    EXPECT_TRUE(has(set(6), "commit_unproven"));
    // A mark of another attempt, or no mark at all, adds nothing to the report.
    c.edit("checkpoint/rank_1/meta.json",
           [](std::string &bytes) { bytes.replace(bytes.find("llama_rank_1-"), 13, "llama_rank_1_1-"); });
    EXPECT_EQ(c.judgeAll().recommended, "0:1-6");
    c.edit("checkpoint/rank_1/meta.json", [](std::string &bytes) { bytes = R"({"name": "any other meta.json"})"; });
    EXPECT_EQ(c.judgeAll().recommended, "0:1-6");
}

TEST_F(MindformersMarks, HalfWrittenHealthRecordIsReportedAndNotUsed)
{
    health({{2, 0}, {4, 0}, {6, 1}});
    c.edit("health_ckpts.json", [](std::string &bytes) { bytes.resize(bytes.size() - 9); });
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:1-6");
    EXPECT_NE(std::find_if(report.notes.begin(), report.notes.end(),
                           [](const std::string &note) { return note.find("half written") != std::string::npos; }),
              report.notes.end());
}

TEST_F(MindformersMarks, HalfWrittenMarkOfARankIsReportedAndNotUsed)
{
    const auto said = [&] {
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(report.recommended, "0:1-6");
        return std::count_if(report.notes.begin(), report.notes.end(), [](const std::string &note) {
            return note.find("rank_1/meta.json on n0 is empty or half written") != std::string::npos;
        });
    };
    mark(1, 6);
    EXPECT_EQ(said(), 0);
    c.edit("checkpoint/rank_1/meta.json", [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
    EXPECT_EQ(said(), 1);
    c.edit("checkpoint/rank_1/meta.json", [](std::string &bytes) { bytes.clear(); });
    EXPECT_EQ(said(), 1);
    c.edit("checkpoint/rank_1/meta.json", [](std::string &bytes) { bytes = R"({"name": "another program's"})"; });
    EXPECT_EQ(said(), 0);
}

// The record is in the directory above the checkpoints, which is listed only for this record.
TEST(MindformersCorpus, FindsTheHealthRecordAboveTheCheckpoints)
{
    Corpus c;
    c.job.checkpoints.path = "/job/output/checkpoint/rank_{rank}";
    const auto roots = checkpointRoots(c.job, c.job.nodes[0]);
    ASSERT_EQ(roots.size(), 2u);
    EXPECT_EQ(roots[1].root, "/job/output");
    EXPECT_EQ(roots[1].depth, 1);
    Listing above;
    above.root = "/job/output";
    for (const char *name : {"health_ckpts.json", "llama_rank_0-1_2.ckpt", "meta.json"})
        above.entries.push_back({.path = std::string("/job/output/") + name, .stat = {.kind = 'f', .size = 10}});
    const Inventory inventory = buildInventory(c.job, {{"n0", above}});
    ASSERT_EQ(inventory.trackers.size(), 1u);
    EXPECT_EQ(inventory.trackers[0].kind, TrackerKind::healthRecord);
    EXPECT_TRUE(inventory.members.empty());
    c.job.checkpoints.path = "/job/ckpt/rank_{rank}";
    EXPECT_EQ(checkpointRoots(c.job, c.job.nodes[0]).size(), 1u);
    c.job.checkpoints.path = "/job/output";  // path that includes the record
    EXPECT_EQ(checkpointRoots(c.job, c.job.nodes[0]).size(), 1u);
}

TEST(MindformersCorpus, WeightsSavedWithoutAnOptimizerOnPurposeAreNotIncomplete)
{
    Corpus c;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string own = "/rank_" + std::to_string(rank) + "/llama_rank_" + std::to_string(rank);
        c.put("checkpoint" + own + "-1_10.safetensors", safetensors("adam_m.w", 1, 10), 10, 0644);
        c.put("checkpoint_network" + own + "-network.safetensors", safetensors("w", 1), 11, 0644);
    }
    const CheckpointReport report = c.judgeAll();
    for (const CheckpointSet &set : report.sets) {
        EXPECT_NE(set.verdict, Verdict::incomplete) << summary(report);
        const bool network = set.members.front().path.find("_network") != std::string::npos;
        EXPECT_TRUE(!network || set.verdict == Verdict::validUnproven) << summary(report);
    }
    EXPECT_EQ(report.sets.size(), 2u) << summary(report);
}

// With two saves, nothing shows which is the right one. With three saves, the two that agree are right.
TEST(MindformersCorpus, DetectsAnOptimizerOfAnotherRunByItsMoments)
{
    for (const bool three : {false, true}) {
        test::Training training, other;
        other.run = 5;
        training.steps = other.steps =
            three ? std::vector<std::int64_t>{10, 20, 30} : std::vector<std::int64_t>{20, 30};
        const test::Files files = mindformersRun(training), others = mindformersRun(other);
        Corpus c;
        for (const auto &[path, bytes] : files) c.put(path, bytes, 100, 0644);
        EXPECT_EQ(c.judgeAll().recommended, "0:30") << summary(c.judgeAll());
        const std::string file = folder(30) + fileName("opt", 1, 2);
        c.put(file, others.at(file), 100, 0644);
        EXPECT_EQ(c.judgeAll().recommended.value_or("none"), three ? "0:20" : "none") << summary(c.judgeAll());
    }
}

// The pieces of an optimizer are different in all ranks, or each piece has the same number of replicas.
TEST(MindformersCorpus, OptimizerFileOfAnotherRankIsACopy)
{
    const auto piece = [](float first, std::int64_t step) {
        std::string data, header = R"({"adam_m.w":{"dtype":"F32","shape":[32],"data_offsets":[0,128]})";
        for (int i = 0; i < 32; ++i) {
            const float value = first + float(i);
            data.append(reinterpret_cast<const char *>(&value), 4);
        }
        header += R"(,"global_step":{"dtype":"I32","shape":[1],"data_offsets":[128,132]}})";
        for (int i = 0; i < 4; ++i) data += static_cast<char>(step >> (8 * i));
        header.resize((header.size() + 7) / 8 * 8, ' ');
        std::string length;
        for (int i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i));
        return length + header + data;
    };
    const auto saved = [&](const std::vector<float> &firsts) {
        Corpus c = run();
        for (const std::int64_t step : {100, 200})
            for (int rank = 0; rank < ranks; ++rank)
                c.put(folder(step) + fileName("opt", rank), piece(firsts[std::size_t(rank)] + float(step), step), step,
                      0644);
        return summary(c.judgeAll().sets[0]);
    };
    EXPECT_EQ(saved({1, 2, 3, 4}), "0:200 VALID");
    EXPECT_EQ(saved({1, 2, 1, 2}), "0:200 VALID");
    EXPECT_EQ(saved({1, 1, 1, 1}), "0:200 VALID");
    EXPECT_EQ(saved({1, 2, 3, 3}), "0:200 VALID-UNPROVEN values_repeated(3)");
}

}  // namespace
}  // namespace rankdeck::mindformers_corpus_test
