// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of ranks with names that no grammar knows: letters, ids, folders such as "3 of 4", steps after a letter.
#include "core/base/text.h"
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <array>

namespace rankdeck::namesakes_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

std::string n(std::int64_t number) { return std::to_string(number); }

// The complete save of one process: weights with constant signs that are specific to the process, an optimizer, and the
// step.
std::string state(int process, std::int64_t step)
{
    std::vector<float> values;
    for (int i = 0; i < 64; ++i) {
        const bool negative = ((unsigned(i) * 2654435761u + unsigned(process) * 40503u) >> 7 & 1u) != 0;
        values.push_back((negative ? -1.0f : 1.0f) * (1.0f + float(i) + 0.001f * float(step)));
    }
    const std::string moments =
        "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(step)}, {"exp_avg", pkl::floats("1", 64)}}) + "u";
    return test::torchZip(
        pkl::whole(pkl::dict({{"model", pkl::dict({{"layer.weight", pkl::floats("0", 64)}})},
                              {"optimizer", pkl::dict({{"state", moments}, {"param_groups", pkl::list({})}})},
                              {"step", pkl::integer(step)}})),
        {{"0", test::floatBytes(values)}, {"1", test::floatBytes(values)}});
}

const std::vector<std::int64_t> steps{100, 200, 300};

using NameOf = std::string (*)(std::int64_t step, int rank);

Corpus fourRanks(NameOf nameOf)
{
    Corpus c;
    for (const std::int64_t step : steps)
        for (int rank = 0; rank < 4; ++rank) c.put(nameOf(step, rank), state(rank, step), step, 0644);
    return c;
}

std::string byLetter(std::int64_t step, int rank) { return "step_" + n(step) + "/shard_" + "abcd"[rank] + ".pt"; }
std::string byId(std::int64_t step, int rank)
{
    static constexpr std::array ids{"9f3c", "1b7a", "c0de", "77aa"};
    return "step_" + n(step) + "/" + ids[std::size_t(rank)] + ".pt";
}
std::string byPlace(std::int64_t step, int rank)
{
    return "ckpt-" + n(step) + "/shard-" + n(rank + 1) + "-of-4/state.pt";
}
std::string byProcess(std::int64_t step, int rank) { return "s" + n(step) + "/proc00" + n(rank) + "/state.pt"; }

// The result does not depend on how many files of a save are left, down to one.
TEST(NamesakesCorpus, PropertyPartialSaveIsNeverValid)
{
    for (const NameOf nameOf : {&byLetter, &byId, &byPlace})
        for (int left = 1; left < 16; ++left) {
            Corpus c = fourRanks(nameOf);
            for (int rank = 0; rank < 4; ++rank)
                if ((left >> rank & 1) == 0) c.remove(nameOf(300, rank));

            for (const CheckpointSet &set : c.judgeAll().sets) EXPECT_NE(set.verdict, Verdict::valid) << set.id;
        }
}

TEST(NamesakesCorpus, BestFileCopyAndForeignSaveDoNotAffectOtherSaves)
{
    Corpus c;
    for (const std::int64_t step : steps) c.put("net_" + n(step) + ".pt", state(0, step), step, 0644);
    c.put("model_best.pt", state(0, 200), 200, 0644);
    c.put("copy.pt", state(0, 200), 200, 0644);
    for (const CheckpointSet &set : c.judgeAll().sets) EXPECT_EQ(set.verdict, Verdict::valid) << set.id;

    c.put("mine.pt", state(7, 200), 200, 0644);  // same step, but another run
    for (const CheckpointSet &set : c.judgeAll().sets) {
        const std::string &path = set.members.front().path;
        const bool isCopy = path.ends_with("model_best.pt") || path.ends_with("copy.pt");
        EXPECT_EQ(set.verdict == Verdict::valid, set.globalStep != 200 || isCopy) << path;
    }
}

// s100, s200: no framework uses "s", but the contents state the same numbers, so these folders belong to one run.
TEST(NamesakesCorpus, FoldersNumberedByTheStepsOfTheirContentAreOneRun)
{
    Corpus c = fourRanks(&byProcess);
    const CheckpointReport healthy = c.judgeAll();
    ASSERT_EQ(healthy.sets.size(), 3u);
    for (const CheckpointSet &set : healthy.sets) {
        EXPECT_EQ(set.verdict, Verdict::valid);
        for (const Reason &reason : set.reasons) EXPECT_NE(reason.code, ReasonCode("other_run")) << reason.text;
    }
    c.put(byProcess(300, 2), state(9, 300), 300, 0644);
    EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::validUnproven);
}

// Each folder has one save, with increasing steps: together they are one run, whose ranks continue from save to save.
TEST(NamesakesCorpus, FoldersWithOneSaveEachAreOneRun)
{
    for (const std::vector<std::string> &folders :
         {std::vector<std::string>{"v1", "v2", "v3"},
          {"best", "prev", "latest"},
          {"2026-11-21_10-00-00", "2026-11-21_11-00-00", "2026-11-21_12-00-00"}}) {
        Corpus c;
        for (std::size_t i = 0; i < steps.size(); ++i)
            for (int rank = 0; rank < 4; ++rank)
                c.put(folders[i] + "/rank_" + n(rank) + "/state.pt", state(rank, steps[i]), steps[i], 0644);
        for (const CheckpointSet &set : c.judgeAll().sets) {
            EXPECT_EQ(set.verdict, Verdict::valid) << set.members.front().path;
            for (const Reason &reason : set.reasons) EXPECT_NE(reason.code, ReasonCode("other_run")) << reason.text;
        }
        c.put(folders[2] + "/rank_2/state.pt", state(9, 300), 300, 0644);
        EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::validUnproven) << folders[2];
    }
}

// gpu0.pt and gpu1.pt are not successive saves of one process.
TEST(NamesakesCorpus, FilesOfOneSaveAreNotComparedAsSuccessiveSaves)
{
    Corpus c = fourRanks([](std::int64_t step, int rank) { return "step_" + n(step) + "/gpu" + n(rank) + ".pt"; });
    for (const CheckpointSet &set : c.judgeAll().sets)
        for (const Reason &reason : set.reasons) EXPECT_NE(reason.code, ReasonCode("values_apart")) << reason.text;
}

// Saves with a script's record of its world size.
std::string stateOf(int rank, std::int64_t step, int world)
{
    const std::string moments = "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(step)}}) + "u";
    return test::torchZip(pkl::whole(pkl::dict({{"model", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                                {"optimizer", pkl::dict({{"state", moments}})},
                                                {"step", pkl::integer(step)},
                                                {"rank", pkl::integer(rank)},
                                                {"world_size", pkl::integer(world)}})),
                          {{"0", test::floatBytes({1, 2, float(rank), float(step)})}});
}

Corpus worlds(const std::vector<int> &sizes)
{
    Corpus c;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        for (int rank = 0; rank < sizes[i]; ++rank) {
            const std::int64_t step = 100 * std::int64_t(i + 1);
            c.put("step_" + n(step) + "/rank_" + n(rank) + ".pt", stateOf(rank, step, sizes[i]), step, 0644);
        }
    return c;
}

TEST(WorldSizes, EachSaveHasTheNumberOfRanksThatItsFilesState)
{
    for (const std::vector<int> &sizes : {std::vector{4, 2, 4}, std::vector{4, 8}, std::vector{8, 4, 2}}) {
        const CheckpointReport report = worlds(sizes).judgeAll();
        ASSERT_EQ(report.sets.size(), sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const CheckpointSet &set = report.sets[sizes.size() - 1 - i];
            EXPECT_EQ(set.verdict, Verdict::valid) << set.id;
            EXPECT_EQ(set.members.size(), std::size_t(sizes[i])) << set.id;
        }
    }
}

TEST(WorldSizes, PropertyOneMissingRankMakesASaveIncomplete)
{
    for (int lost = 0; lost < 8; ++lost) {
        Corpus c = worlds({4, 8});
        c.remove("step_200/rank_" + n(lost) + ".pt");
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(summary(report.sets[0]), "0:200o INCOMPLETE rank_missing(" + n(lost) + ")");
        EXPECT_EQ(report.sets[1].verdict, Verdict::valid);
    }
}

TEST(WorldSizes, UnreadableFileDoesNotMakeRanksMissing)
{
    Corpus c = worlds({4, 2, 4});
    c.refuse("step_200/rank_1.pt", "Permission denied");
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 3u);
    EXPECT_EQ(report.sets[1].verdict, Verdict::unknown) << summary(report);
    EXPECT_EQ(report.sets[1].members.size(), 2u);
}

// Layout of a real script: train_parallel2/ckpt_2. The disk of rank 0 is lost.
TEST(WorldSizes, FoldersWithoutTheFirstRankAreNotSeparateRuns)
{
    for (const char *form : {"train_parallelN/ckpt_N/", "N/ckpt_N/"}) {
        Corpus c;
        for (const std::int64_t step : {100, 200})
            for (int rank = 1; rank < 4; ++rank)
                c.put(replaceAll(form, "N", n(rank)) + "step_" + n(step) + ".pt", state(rank, step), step, 0644);
        for (const CheckpointSet &set : c.judgeAll().sets) EXPECT_NE(set.verdict, Verdict::valid) << form << set.id;
    }
}

TEST(WorldSizes, FolderWithTwoNumbersIsAmbiguous)
{
    Corpus c;
    for (const std::int64_t step : {100, 200})
        for (const char *folder : {"dp0_mp0", "dp1_mp0", "dp1_mp1"})
            c.put(std::string(folder) + "/step_" + n(step) + ".pt", state(folder[2] + folder[6], step), step, 0644);
    for (const CheckpointSet &set : c.judgeAll().sets) EXPECT_NE(set.verdict, Verdict::valid) << set.id;
}

}  // namespace
}  // namespace rankdeck::namesakes_corpus_test
