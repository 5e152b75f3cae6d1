// SPDX-License-Identifier: GPL-3.0-or-later
// Files in the place of another file: renamed, swapped between ranks, moved from the previous save, or moved to a
// backup. None of them is damaged, and each states the right step. So only their own names, times and counts are
// evidence.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace rankdeck::moved_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

std::string n(std::int64_t number) { return std::to_string(number); }

std::string stem(const std::string &path)
{
    const std::size_t at = path.rfind('/') + 1;
    return path.substr(at, path.rfind('.') - at);
}

// A piece of a model that torch has saved under this path: the folder in the archive has the name of the file.
std::string piece(const std::string &path, std::int64_t step, float first)
{
    std::vector<float> values(32, first);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += float(i);
    return test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(step)},
                                                {"model", pkl::dict({{"w", pkl::floats("0", 32)}})},
                                                {"optimizer", pkl::dict({{"exp_avg", pkl::floats("1", 32)}})}})),
                          {{"0", test::floatBytes(values)}, {"1", test::floatBytes(values)}}, stem(path));
}

using Layout = std::function<std::string(int rank, std::int64_t step)>;
const std::vector<Layout> &layouts()
{
    static const std::vector<Layout> all{
        [](int r, std::int64_t s) { return "step_" + n(s) + "_rank_" + n(r) + ".pt"; },
        [](int r, std::int64_t s) { return "step_" + n(s) + "/rank_" + n(r) + ".pt"; },
        [](int r, std::int64_t s) { return "step_" + n(s) + "/rank_0" + n(r) + ".pt"; },
        [](int r, std::int64_t s) { return "ckpt_" + n(s) + "/model.rank" + n(r) + ".pt"; }};
    return all;
}

Corpus pieces(const Layout &layout, int world)
{
    Corpus c;
    for (const std::int64_t step : {100, 200})
        for (int rank = 0; rank < world; ++rank)
            c.put(layout(rank, step), piece(layout(rank, step), step, float(100 * rank + int(step))), step + rank,
                  0644);
    return c;
}

bool validAt(const CheckpointReport &report, std::int64_t step)
{
    return std::any_of(report.sets.begin(), report.sets.end(), [&](const CheckpointSet &set) {
        return set.verdict == Verdict::valid && set.globalStep == step;
    });
}

TEST(MovedCorpus, PropertyPieceInThePlaceOfAnotherRankIsNotProven)
{
    int tried = 0;
    for (const Layout &layout : layouts())
        for (const int world : {2, 3, 4}) {
            Corpus whole = pieces(layout, world);
            ASSERT_TRUE(validAt(whole.judgeAll(), 200)) << layout(0, 200) << ": " << summary(whole.judgeAll());
            for (int a = 0; a < world; ++a)
                for (int b = 0; b < world; ++b) {
                    if (a == b) continue;
                    Corpus swapped = pieces(layout, world);
                    const std::string one = swapped.bytes(layout(a, 200)), other = swapped.bytes(layout(b, 200));
                    swapped.put(layout(a, 200), other, 200 + a, 0644);
                    EXPECT_FALSE(validAt(swapped.judgeAll(), 200)) << summary(swapped.judgeAll());
                    swapped.put(layout(b, 200), one, 200 + b, 0644);
                    EXPECT_FALSE(validAt(swapped.judgeAll(), 200)) << summary(swapped.judgeAll());
                    ++tried;
                }
        }
    EXPECT_EQ(tried, int(layouts().size()) * (2 + 6 + 12));
}

TEST(MovedCorpus, FilesRenamedTogetherKeepTheirVerdict)
{
    Corpus c;  // saved as shard_R, renamed together
    for (int rank = 0; rank < 4; ++rank)
        c.put("step_200/rank_" + n(rank) + ".pt", piece("shard-" + n(rank + 7) + ".pt", 200, float(rank)), 200, 0644);
    EXPECT_TRUE(validAt(c.judgeAll(), 200)) << summary(c.judgeAll());
    Corpus padded;  // 7 and 007 are one number
    for (int rank = 0; rank < 4; ++rank)
        padded.put("step_200/rank_00" + n(rank) + ".pt", piece("rank_" + n(rank) + ".pt", 200, float(rank)), 200, 0644);
    EXPECT_TRUE(validAt(padded.judgeAll(), 200)) << summary(padded.judgeAll());
}

// The file of a replica is as good as the rank's own file: operators restore a lost rank like this by hand.
TEST(MovedCorpus, ReplicaFileInThePlaceOfALostFileIsValid)
{
    for (const Layout &layout : layouts()) {
        Corpus c;
        for (int rank = 0; rank < 4; ++rank)
            c.put(layout(rank, 200), piece(layout(rank == 2 ? 0 : rank, 200), 200, 5), 200, 0644);
        EXPECT_TRUE(validAt(c.judgeAll(), 200)) << layout(0, 200) << ": " << summary(c.judgeAll());
    }
}

std::string optimizer(std::int64_t step)
{
    constexpr std::int64_t moments = 2048;  // about the number of weights
    const std::string state = "}(" + pkl::integer(0) +
                              pkl::dict({{"step", pkl::integer(step)}, {"exp_avg", pkl::floats("0", moments)}}) + "u";
    return test::torchZip(pkl::whole(pkl::dict({{"state", state}, {"param_groups", pkl::list({pkl::dict({})})}})),
                          {{"0", test::floatBytes(std::vector<float>(std::size_t(moments), float(step)))}});
}

std::string scheduler(std::int64_t count)
{
    return test::torchZip(pkl::whole(pkl::dict({{"last_epoch", pkl::integer(count)}})), {});
}

struct Saves {
    std::function<std::int64_t(std::int64_t)> counts = [](std::int64_t step) { return step; };
    std::vector<std::int64_t> steps = {100, 200, 300};
};

// A save every quarter of an hour, with four files that are written within seconds.
Corpus accelerate(const Saves &saves)
{
    Corpus c;
    for (const std::int64_t step : saves.steps) {
        const std::string directory = "checkpoint-" + n(step) + "/";
        const std::int64_t at = step * 9;
        std::string weights = test::data("huggingface/trainer/checkpoint-24/model.safetensors");
        weights[weights.size() - 6] = char(step / 100);  // content that changes with each save
        c.put(directory + "model.safetensors", weights, at, 0644);
        c.put(directory + "optimizer.bin", optimizer(step), at + 1, 0644);
        c.put(directory + "scheduler.bin", scheduler(saves.counts(step)), at + 2, 0644);
        for (int rank = 0; rank < 2; ++rank)
            c.put(directory + "random_states_" + n(rank) + ".pkl",
                  test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(7)}})), {}), at + 3, 0644);
    }
    return c;
}

TEST(MovedCorpus, SchedulerOfAnotherSaveIsNotProven)
{
    for (const std::int64_t perStep : {1, 2, 8}) {
        Saves saves;
        saves.counts = [&](std::int64_t step) { return step * perStep; };
        EXPECT_TRUE(validAt(accelerate(saves).judgeAll(), 300));
        saves.counts = [&](std::int64_t step) { return (step == 300 ? 200 : step) * perStep; };
        Corpus c = accelerate(saves);
        const CheckpointReport report = c.judgeAll();
        EXPECT_FALSE(validAt(report, 300)) << summary(report);
        EXPECT_TRUE(validAt(report, 200)) << summary(report);
        EXPECT_NE(summary(report).find("step_unproven"), std::string::npos) << summary(report);
    }
}

// Schedulers that count epochs, count nothing, or were reset at a resume: their counts say nothing about the save.
TEST(MovedCorpus, SchedulersThatDoNotCountStepsAreValid)
{
    const std::vector<std::function<std::int64_t(std::int64_t)>> counts{
        [](std::int64_t step) { return step / 250; }, [](std::int64_t) { return std::int64_t(0); },
        [](std::int64_t step) { return step >= 200 ? step - 150 : step; }};
    for (const auto &count : counts) {
        Saves saves;
        saves.counts = count;
        Corpus c = accelerate(saves);
        EXPECT_TRUE(validAt(c.judgeAll(), 300)) << summary(c.judgeAll());
    }
}

TEST(MovedCorpus, WeightsThatWereMovedToABackupAreMissing)
{
    for (const std::string aside : {"old/", "backup/", "model.bak/"}) {
        Corpus c = accelerate({});
        c.put("checkpoint-300/" + aside + "model.safetensors", c.bytes("checkpoint-300/model.safetensors"), 2700, 0644);
        c.remove("checkpoint-300/model.safetensors");
        EXPECT_FALSE(validAt(c.judgeAll(), 300)) << aside << summary(c.judgeAll());
    }
}

TEST(MovedCorpus, ReportsAMissingRandomStateThatAllOtherSavesHave)
{
    Corpus c = accelerate({});
    c.remove("checkpoint-300/random_states_1.pkl");
    EXPECT_NE(summary(c.judgeAll()).find("no_rng"), std::string::npos) << summary(c.judgeAll());
}

TEST(MovedCorpus, SaveWithACutConfigurationIsNotValid)
{
    for (const std::string text : {"", "{", "\0\0\0\0"}) {
        Corpus c = accelerate({});
        c.put("checkpoint-300/config.json", text, 2700, 0644);
        EXPECT_FALSE(validAt(c.judgeAll(), 300)) << text << summary(c.judgeAll());
    }
    Corpus c = accelerate({});
    c.put("checkpoint-300/config.json", "{}", 2700, 0644);
    EXPECT_TRUE(validAt(c.judgeAll(), 300)) << summary(c.judgeAll());
}

TEST(MovedCorpus, ModelAsOldAsThePreviousSaveIsNotProven)
{
    Corpus c = accelerate({});
    c.put("checkpoint-300/model.safetensors", c.bytes("checkpoint-200/model.safetensors"), 1800, 0644);
    c.remove("checkpoint-200/model.safetensors");  // moved: no other save has the same values
    const CheckpointReport report = c.judgeAll();
    EXPECT_FALSE(validAt(report, 300)) << summary(report);
    EXPECT_NE(summary(report).find("times_apart"), std::string::npos) << summary(report);
}

// Copies have the times at which they were made, in any order: small files are finished before large ones.
TEST(MovedCorpus, PropertyTimesOfCopiesCauseNoDoubt)
{
    const std::vector<std::function<std::int64_t(std::int64_t step, int file)>> copies{
        [](std::int64_t, int) { return std::int64_t(0); },
        [](std::int64_t step, int file) { return step / 20 + file; },
        [](std::int64_t step, int file) { return -(step * 9 + file * 100L); },
        [](std::int64_t step, int file) { return (step / 100 * 7 + file * 13L) % 31; },
        [](std::int64_t step, int file) { return file * 400L + step / 100; },
        [](std::int64_t step, int file) { return step * 9 - (file > 1 ? 900 : 0); },
        [](std::int64_t step, int file) { return step * 9 + file * 240L; }};
    for (std::size_t i = 0; i < copies.size(); ++i) {
        Corpus c = accelerate({});
        const std::string names[] = {"model.safetensors", "optimizer.bin", "scheduler.bin", "random_states_0.pkl",
                                     "random_states_1.pkl"};
        for (const std::int64_t step : {100, 200, 300})
            for (int file = 0; file < 5; ++file)
                c.touch("checkpoint-" + n(step) + "/" + names[file], 100000 + copies[i](step, file));
        EXPECT_TRUE(validAt(c.judgeAll(), 300)) << "copy " << i << ": " << summary(c.judgeAll());
    }
}

}  // namespace
}  // namespace rankdeck::moved_corpus_test
