// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks in names of files, step_100/gpu_0.pt or ckpt.100.0.pt, as properties over generated names. The files of a save are
// one set, and a lost file is missed. Numbers of runs and epochs are not taken for ranks.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/frameworks/layout_files.h"
#include "tests/core/verdict/torch_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace rankdeck::file_ranks_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

std::string n(std::int64_t number) { return std::to_string(number); }

// With its own step; 0: a file that does not name it.
std::string stateFile(std::int64_t step, int rank)
{
    std::vector<std::pair<std::string, std::string>> entries{
        {"state_dict", pkl::dict({{"conv.weight", pkl::floats("0", 4)}})}, {"optimizer", pkl::dict({{"state", "}"}})}};
    if (step > 0) entries.insert(entries.begin(), {"step", pkl::integer(step)});
    return test::torchZip(pkl::whole(pkl::dict(entries)),
                          {{"0", test::floatBytes({float(rank) + 1, 2, 3, float(step)})}});
}

// How a script writes a rank's file. Only some extensions show that a file is a checkpoint.
struct FileKind {
    std::string extension;
    std::function<std::string(std::int64_t step, int rank)> content;
};

std::string tensorsFile(std::int64_t step, int rank)
{
    return test::safetensorsFile({{"conv.weight", {float(rank) + 1, 2, 3, float(step)}}}, step > 0 ? step : -1);
}

std::string arraysFile(std::int64_t step, int rank)
{
    return test::npzFile({{"conv.weight", {float(rank) + 1, 2, 3, float(step)}}},
                         step > 0 ? std::optional(step) : std::nullopt);
}

const std::vector<FileKind> fileKinds{
    {".pt", stateFile}, {".safetensors", tensorsFile}, {".npz", arraysFile}, {".state", stateFile}, {"", stateFile}};

// Makes the path of a rank's file. The rank is in its name, and the step is in the name or in a folder.
struct Naming {
    std::string before, between, after = {};
    bool stepFirst = true;
    int from = 0, digits = 1;
    std::string extension = {};

    [[nodiscard]] std::string path(int rank, std::int64_t step) const
    {
        std::string number = n(rank + from);
        number.insert(0, std::size_t(std::max(0, digits - int(number.size()))), '0');
        return (stepFirst ? before + n(step) + between + number : before + number + between + n(step)) + after +
               extension;
    }
};

std::string randomWord(std::mt19937 &random)
{
    const std::string letters = "bcdfghjkmpqtvwxz";  // "step" and "run" cannot come out
    std::string word;
    for (std::size_t i = 0; i < 2 + random() % 4; ++i) word += letters[random() % letters.size()];
    return word;
}

std::vector<Naming> namings(const std::string &extension)
{
    std::vector<Naming> all{{"step_", "/gpu_"},
                            {"", "/"},
                            {"checkpoint_", "/shard_", "", true, 0, 5},
                            {"ckpt.", "."},
                            {"ckpt_", "_", "of3"},
                            {"step-", "-mp-"},
                            {"r", "s", "", false},
                            {"", "/model/npu"},
                            {"local_rank", "-", "", false},
                            {"save", "/sub/p"}};
    std::mt19937 random(7);
    const std::vector<std::string> joints{"_", "-", ".", ""};
    for (int i = 0; i < 30; ++i) {
        const std::string joint = joints[random() % joints.size()];
        const bool folder = random() % 2 == 0;
        all.push_back({randomWord(random) + joint,
                       folder ? "/" + randomWord(random) + joint : "_" + randomWord(random) + joint, "",
                       folder || random() % 2 == 0, int(random() % 2), random() % 3 == 0 ? 3 : 1});
    }
    for (Naming &naming : all) naming.extension = extension;
    return all;
}

constexpr std::int64_t steps[] = {100, 200, 300};

Corpus tree(const Naming &naming, const FileKind &kind, int world, bool withSteps)
{
    Corpus c;
    for (const std::int64_t step : steps)
        for (int rank = 0; rank < world; ++rank)
            c.put(naming.path(rank, step), kind.content(withSteps ? step : 0, rank), step * 6 + rank, 0644);
    return c;
}

const CheckpointSet *setWith(const CheckpointReport &report, const std::string &path)
{
    for (const CheckpointSet &set : report.sets)
        for (const MemberVerdict &member : set.members)
            if (member.path.ends_with("/" + path)) return &set;
    return nullptr;
}

void expectOneSetForEachSave(const Naming &naming, const FileKind &kind, int world, bool withSteps)
{
    const CheckpointReport report = tree(naming, kind, world, withSteps).judgeAll();
    SCOPED_TRACE(naming.path(1, 300) + ": " + summary(report));
    ASSERT_EQ(report.sets.size(), 3u);
    for (const CheckpointSet &set : report.sets) {
        EXPECT_EQ(set.members.size(), std::size_t(world));
        EXPECT_TRUE(set.verdict == Verdict::valid || set.verdict == Verdict::validUnproven);
    }
    const CheckpointSet *newest = setWith(report, naming.path(0, 300));
    ASSERT_NE(newest, nullptr);
    for (int rank = 0; rank < world; ++rank) EXPECT_EQ(setWith(report, naming.path(rank, 300)), newest);
}

TEST(FileRanks, FilesOfASaveAreOneSet)
{
    for (const FileKind &kind : fileKinds)
        for (const Naming &naming : namings(kind.extension))
            for (const int world : {2, 3, 5})
                for (const bool withSteps : {true, false}) expectOneSetForEachSave(naming, kind, world, withSteps);
}

TEST(FileRanks, LostFileOfASaveIsMissedAndOlderSavesStay)
{
    for (const FileKind &kind : fileKinds)
        for (const Naming &naming : namings(kind.extension))
            for (const int lost : {0, 1, 3}) {
                Corpus c = tree(naming, kind, 4, true);
                c.remove(naming.path(lost, 300));
                const CheckpointReport report = c.judgeAll();
                SCOPED_TRACE(naming.path(lost, 300) + ": " + summary(report));
                const CheckpointSet *newest = setWith(report, naming.path(2, 300));
                const CheckpointSet *older = setWith(report, naming.path(2, 200));
                ASSERT_TRUE(newest != nullptr && older != nullptr);
                EXPECT_EQ(newest->verdict, Verdict::incomplete);
                EXPECT_TRUE(older->verdict == Verdict::valid || older->verdict == Verdict::validUnproven);
            }
}

TEST(FileRanks, TwoNumbersTogetherAreTheRank)
{
    Corpus c;
    for (const std::int64_t step : steps)
        for (int rank = 0; rank < 6; ++rank)
            c.put("step_" + n(step) + "/dp" + n(rank / 2) + "_tp" + n(rank % 2) + ".pt", stateFile(step, rank),
                  step * 6 + rank % 3, 0644);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 3u) << summary(report);
    EXPECT_EQ(report.worldSize, 6) << summary(report);
    EXPECT_TRUE(report.sets[0].members[5].path.ends_with("dp2_tp1.pt"));
}

// The path of a part: step {s}, epoch {e}, rank {r} and component {c}.
std::string partPath(std::string path, std::int64_t step, int rank, const std::string &component)
{
    for (const auto &[place, value] : std::initializer_list<std::pair<std::string, std::string>>{
             {"{s}", n(step)}, {"{e}", n(step / 100)}, {"{r}", n(rank)}, {"{c}", component}})
        if (const std::size_t at = path.find(place); at != std::string::npos) path.replace(at, place.size(), value);
    return path;
}

// In the newest save, these files of a rank are lost. Rank -1: none.
void expectPartsToBeOneSet(const std::string &path, const FileKind &kind, int lostRank, const std::string &lost)
{
    Corpus c;
    for (const std::int64_t step : steps)
        for (int rank = 0; rank < 3; ++rank)
            for (const std::string component : {"actor", "critic"})
                if (step != 300 || rank != lostRank || (lost != "both" && lost != component))
                    c.put(partPath(path, step, rank, component) + kind.extension, kind.content(step, rank),
                          step * 6 + rank, 0644);
    const CheckpointReport report = c.judgeAll();
    SCOPED_TRACE(path + kind.extension + " lost " + n(lostRank) + " " + lost + ": " + summary(report));
    if (lostRank < 0) { EXPECT_EQ(report.sets.size(), 3u); }
    int whole = 0;
    for (const CheckpointSet &set : report.sets) {
        EXPECT_EQ(set.members.size(), 3u);
        const bool valid = set.verdict == Verdict::valid || set.verdict == Verdict::validUnproven;
        EXPECT_EQ(valid, lostRank < 0 || set.position != 300);
        whole += valid ? 1 : 0;
    }
    EXPECT_EQ(whole, lostRank < 0 ? 3 : 2);
}

// step_100/2/actor.pt and step_100/actor_2.pt: each rank has several files, and only a number shows the rank.
TEST(FileRanks, SeveralFilesOfEachRankAreOneSet)
{
    const std::vector<std::string> paths{
        "step_{s}/{r}/{c}",    "{s}/w{r}/{c}", "{s}/node{r}/{c}", "epoch={e}-step={s}/rank_{r}/{c}",
        "step_{s}/{c}_gpu{r}", "{s}/{c}{r}",   "save{s}/{c}/{r}", "save-{s}/{c}-{r}/w",
        "{c}.{s}.{r}",         "c{s}_{c}_{r}", "{c}/{s}/{r}",     "out/{c}/step_{s}/gpu{r}",
        "{c}/rank{r}/{s}",     "{c}{r}/{s}",   "{c}_{r}/step{s}", "worker{r}/save/{c}-{s}"};
    for (const FileKind &kind : {fileKinds[0], fileKinds[1], fileKinds[2]})  // no others are joined
        for (const std::string &path : paths) {
            expectPartsToBeOneSet(path, kind, -1, "");
            for (const int rank : {0, 1, 2})
                for (const std::string lost : {"actor", "critic", "both"})
                    expectPartsToBeOneSet(path, kind, rank, lost);
        }
}

TEST(FileRanks, CopyWithoutTimesHasTheSameSets)
{
    for (const bool inOrder : {true, false}) {
        Corpus c;
        std::int64_t at = 5000;
        for (const std::int64_t step : steps)
            for (int rank = 0; rank < 4; ++rank)
                c.put("ck_" + n(step) + "_" + n(rank) + ".pt", stateFile(step, rank), inOrder ? at++ : at, 0644);
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(report.sets.size(), 3u) << summary(report);
        EXPECT_EQ(report.worldSize, 4) << summary(report);
    }
}

TEST(FileRanks, SavesOfFewerRanksAfterAChangeOfTheirNumberAreSets)
{
    Corpus c;
    for (const std::int64_t step : {100, 200, 300, 400})
        for (int rank = 0; rank < (step <= 200 ? 4 : 2); ++rank)
            c.put(n(step) + "/" + n(rank) + ".pt", stateFile(step, rank), step * 6 + rank, 0644);
    EXPECT_EQ(c.judgeAll().sets.size(), 4u) << summary(c.judgeAll());
}

// A job that keeps only its newest save. Without a second save, only times and content show what the number counts.
TEST(FileRanks, FilesOfASingleSaveAreOneSet)
{
    for (const FileKind &kind : fileKinds)
        for (const Naming &naming : namings(kind.extension))
            for (const int lost : {-1, 1, 2}) {
                Corpus c;
                for (int rank = 0; rank < 4; ++rank)
                    if (rank != lost) c.put(naming.path(rank, 300), kind.content(300, rank), 1800 + rank, 0644);
                const CheckpointReport report = c.judgeAll();
                SCOPED_TRACE(naming.path(0, 300) + " lost " + n(lost) + ": " + summary(report));
                ASSERT_EQ(report.sets.size(), 1u);
                EXPECT_EQ(report.sets[0].members.size(), 4u);
                EXPECT_EQ(report.sets[0].verdict == Verdict::incomplete, lost >= 0);
            }
}

// Quick saves of a run: nothing names a save that they could be parts of, or their content has different steps.
TEST(FileRanks, NumbersOfQuickSavesAreNotRanks)
{
    for (const FileKind &kind : fileKinds)
        for (const std::string path : {"model_", "run1/model_", "exp_7/m", "step_100/part"}) {
            Corpus c;
            const bool withSteps = path.starts_with("step");
            for (int save = 0; save < 4; ++save)
                c.put(path + n(save) + kind.extension, kind.content(withSteps ? 10 * save + 10 : 0, 0), save * 2, 0644);
            const CheckpointReport report = c.judgeAll();
            SCOPED_TRACE(path + kind.extension + ": " + summary(report));
            EXPECT_EQ(report.worldSize, 1);
            EXPECT_EQ(report.sets.size(), 4u);
        }
}

struct Other {
    const char *what;
    std::function<std::string(int, int)> path;  // of a run or an epoch, and of a save in it
    std::function<std::int64_t(int, int)> at;   // seconds
    bool withSteps = true;
};

class NumbersOfOtherThings : public testing::TestWithParam<Other> {};

TEST_P(NumbersOfOtherThings, AreNotRanks)
{
    const Other &other = GetParam();
    for (const FileKind &kind : fileKinds) {
        Corpus c;
        for (int outer = 0; outer < 3; ++outer)
            for (int inner = 0; inner < 4; ++inner)
                c.put(other.path(outer, inner) + kind.extension,
                      kind.content(other.withSteps ? outer * 400 + inner * 100 + 100 : 0, outer),
                      other.at(outer, inner), 0644);
        const CheckpointReport report = c.judgeAll();
        SCOPED_TRACE(other.path(1, 1) + kind.extension + ": " + summary(report));
        EXPECT_EQ(report.worldSize, 1);
        EXPECT_EQ(report.sets.size(), 12u);
        EXPECT_THAT(summary(report), testing::Not(testing::HasSubstr("INCO")));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Names, NumbersOfOtherThings,
    testing::Values(Other{"RunsDaysApart", [](int r, int e) { return "run" + n(r) + "/model_" + n(e); },
                          [](int r, int e) { return r * 100'000 + e * 3600; }, false},
                    Other{"FoldersOfShortRuns", [](int r, int e) { return n(r) + "/model_" + n(e); },
                          [](int r, int e) { return r * 100 + e * 5; }},
                    Other{"LearningRates", [](int r, int e) { return "lr0." + n(r + 1) + "/ckpt_" + n(e); },
                          [](int r, int e) { return r * 100 + e * 5; }},
                    Other{"EpochAndPartOfIt", [](int e, int i) { return "ckpt_" + n(e) + "_" + n(i); },
                          [](int e, int i) { return (e * 4 + i) * 60; }, false},
                    Other{"EpochAndPartOfItInSeconds", [](int e, int i) { return "ckpt_" + n(e) + "_" + n(i); },
                          [](int e, int i) { return e * 60 + i; }},
                    Other{"EpochsOfSeeds", [](int s, int e) { return "seed_" + n(s) + "/epoch_" + n(e); },
                          [](int s, int e) { return s * 1000 + e; }, false},
                    Other{"HoursOfDays", [](int d, int h) { return "2024-05-0" + n(d + 1) + "/" + n(h); },
                          [](int d, int h) { return d * 86'400 + h * 3600; }, false}),
    [](const auto &c) { return std::string(c.param.what); });

// The numbers of data files, which only look like ranks, do not change the number of ranks.
TEST(FileRanks, DataFilesHaveNone)
{
    for (const std::string data : {"cache_", "100/part_", "shards/gpu"}) {
        Corpus c;
        for (const std::int64_t step : steps)
            c.put("ckpt_" + n(step) + ".safetensors", tensorsFile(step, 0), step, 0644);
        for (const std::int64_t step : steps)
            for (int number = 0; number < 4; ++number)
                c.put("data/" + n(step) + "/" + data + n(number) + ".bin2", std::string(4096, 'x'), step * 6 + number,
                      0644);
        const CheckpointReport report = c.judgeAll();
        SCOPED_TRACE(data + ": " + summary(report));
        EXPECT_EQ(report.worldSize, 1);
        EXPECT_EQ(report.sets.size(), 3u);
        EXPECT_TRUE(!report.sets.empty() && report.sets[0].position == 300);
    }
}

}  // namespace
}  // namespace rankdeck::file_ranks_corpus_test
