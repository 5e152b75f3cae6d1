// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts that save weights, optimizer and counters into separate files: the folder is one checkpoint, of one process
// or of one rank.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <functional>

namespace rankdeck::split_state_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

constexpr int world = 4;

std::string n(std::int64_t number) { return std::to_string(number); }

// Different values for each rank and each step, whose signs stay the same.
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

TEST(SplitStateCorpus, OneFolderPerRankIsOneCheckpoint)
{
    Corpus c = ofRanks();
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:300o VALID; 0:200o VALID; 0:100o VALID");
    EXPECT_EQ(report.worldSize, world);
}

TEST(SplitStateCorpus, OneFolderPerSaveIsOneCheckpoint)
{
    Corpus c = ofOne();
    EXPECT_EQ(summary(c.judgeAll()), "0:300o VALID; 0:200o VALID; 0:100o VALID");
}

// OLMo's unsharded checkpoints, and a folder that every save overwrites. Also Hugging Face's name for the folder, with
// other files.
TEST(SplitStateCorpus, FolderMayHaveAnyName)
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

// If a JSON file in the folder has a count, it is the step. Otherwise the step is that of the optimizer.
TEST(SplitStateCorpus, StepMayBeInTextOrInTheOptimizer)
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

TEST(SplitStateCorpus, PropertyMissingTornOrForeignFileIsDetected)
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
            // The counters of all ranks are equal, so those of another rank do no harm.
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

// Replicas that save separately: a replica with different values does not belong to their save.
TEST(SplitStateCorpus, ReplicaThatDiffersIsNotOfTheSameSave)
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

// The folders of the Trainer and Accelerate keep their own meaning.
TEST(SplitStateCorpus, HuggingFaceFoldersKeepTheirMeaning)
{
    Corpus c;
    c.put("checkpoint-300/model.safetensors", "x", 300, 0644);
    c.put("checkpoint-300/optimizer.pt", optimizer(0, 300), 300, 0644);
    const CheckpointReport report = c.judgeUnread();
    ASSERT_EQ(report.sets.size(), 1u);
    ASSERT_EQ(c.inventory.members.size(), 1u);
    EXPECT_EQ(c.inventory.members[0].name.globalStep, 300);
}

// The step is in the names: files with the same number are one save.
struct NumberedStyle {
    const char *what;
    std::function<std::string(std::int64_t step)> weightsName;              // name of rank 1, if each rank has one
    std::function<std::string(std::int64_t step, int rank)> optimizerName;  // likewise for the optimizer
    int models, optimizers;                                                 // numbers of ranks that have one
    bool counted;                                                           // whether meta_300.json has a count
};

const std::vector<NumberedStyle> &numberedStyles()
{
    const auto padded = [](std::int64_t step) { return std::string(6 - n(step).size(), '0') + n(step); };
    static const std::vector<NumberedStyle> all{
        {"one process", [](std::int64_t s) { return "model_" + n(s) + ".pt"; },
         [](std::int64_t s, int) { return "optim_" + n(s) + ".pt"; }, 1, 1, false},
        {"with words", [](std::int64_t s) { return "net_step_" + n(s) + ".pth"; },
         [](std::int64_t s, int) { return "opt_step" + n(s) + ".pth"; }, 1, 1, true},
        {"nanochat", [=](std::int64_t s) { return "d20/model_" + padded(s) + ".pt"; },
         [=](std::int64_t s, int r) { return "d20/optim_" + padded(s) + "_rank" + n(r) + ".pt"; }, 1, world, true},
        {"of each rank", [](std::int64_t s) { return "model_" + n(s) + "_rank1.pt"; },
         [](std::int64_t s, int r) { return "optim_" + n(s) + "_rank" + n(r) + ".pt"; }, world, world, false}};
    return all;
}

std::string ofRank(std::string name, int rank)
{
    const std::size_t at = name.find("rank1");
    return at == std::string::npos ? name : name.replace(at, 5, "rank" + n(rank));
}

Corpus numbered(const NumberedStyle &style)
{
    Corpus c;
    for (const std::int64_t step : {100, 200, 300}) {
        for (int rank = 0; rank < style.models; ++rank)
            c.put(ofRank(style.weightsName(step), rank), weights(rank, step), step, 0644);
        for (int rank = 0; rank < style.optimizers; ++rank)
            c.put(style.optimizerName(step, rank), optimizer(rank, step), step, 0644);
        const std::string folder = style.weightsName(step).starts_with("d20") ? "d20/" : "";
        if (style.counted) c.put(folder + "meta_" + n(step) + ".json", R"({"step": )" + n(step) + "}", step, 0644);
    }
    return c;
}

TEST(SplitStateCorpus, FilesWithTheSameNumberAreOneSave)
{
    for (const NumberedStyle &style : numberedStyles()) {
        Corpus c = numbered(style);
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(summary(report), "0:300 VALID; 0:200 VALID; 0:100 VALID") << style.what;
        EXPECT_EQ(report.worldSize, style.optimizers) << style.what;
        EXPECT_EQ(report.sets[0].members[0].path, "/job/ckpt/" + ofRank(style.weightsName(300), 0)) << style.what;
    }
}

TEST(SplitStateCorpus, PropertyMissingTornOrForeignNumberedFileIsDetected)
{
    for (const NumberedStyle &style : numberedStyles()) {
        const auto refuse = [&](const std::string &what, Corpus c) {
            const CheckpointReport report = c.judgeAll();
            EXPECT_NE(report.recommended, "0:300") << style.what << " " << what << ": " << summary(report);
            EXPECT_EQ(report.sets.size(), 3U) << style.what << " " << what << ": " << summary(report);
        };
        const auto with = [&](const std::string &at, const std::string &bytes) {
            Corpus c = numbered(style);
            c.put(at, bytes, 300, 0644);
            return c;
        };
        const Corpus whole = numbered(style);
        const auto bytes = [&](const std::string &at) { return Corpus(whole).bytes(at); };
        for (const bool ofWeights : {true, false})
            for (int rank = 0; rank < (ofWeights ? style.models : style.optimizers); ++rank) {
                const auto at = [&](std::int64_t step, int of) {
                    return ofWeights ? ofRank(style.weightsName(step), of) : style.optimizerName(step, of);
                };
                const std::string own = at(300, rank);
                Corpus lacking = numbered(style);
                lacking.remove(own);
                refuse("lacks " + own, std::move(lacking));
                refuse("torn " + own, with(own, bytes(own).substr(0, bytes(own).size() / 2)));
                refuse("older " + own, with(own, bytes(at(200, rank))));
                if ((ofWeights ? style.models : style.optimizers) > 1)
                    refuse("other rank " + own, with(own, bytes(at(300, (rank + 1) % world))));
            }
    }
}

// Numbered weights without any optimizer stay what they were: separate files.
TEST(SplitStateCorpus, NumberedWeightsWithoutAnOptimizerStaySeparateFiles)
{
    Corpus c;
    for (const std::int64_t step : {100, 200}) c.put("model_" + n(step) + ".pt", weights(0, step), step, 0644);
    c.put("optim_last.pt", optimizer(0, 200), 200, 0644);
    c.judgeUnread();
    for (const Member &member : c.inventory.members) EXPECT_TRUE(member.parts.empty()) << member.file.path;
}

}  // namespace
}  // namespace rankdeck::split_state_corpus_test
