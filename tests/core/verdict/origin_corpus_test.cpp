// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence that every file belongs to this rank, this run and this point. A file is not VALID only because it exists or
// is the only one. Each kind of evidence is tested separately, and as a property over layouts, worlds and replacements.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace rankdeck::origin_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::states;
using test::summary;

struct State {
    std::int64_t step = 300;
    float weight = 1;
    std::string run = "alpha";
    std::int64_t optimizerStep = -1;  // -1: same as the step
};

std::string stateFile(const State &s)
{
    const std::int64_t counted = s.optimizerStep < 0 ? s.step : s.optimizerStep;
    const std::string optimizer = "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(counted)}}) + "u";
    return test::torchZip(
        pkl::whole(pkl::dict({{"global_step", pkl::integer(s.step)},
                              {"args", pkl::object("argparse", "Namespace", {{"run_id", pkl::text(s.run)}})},
                              {"state_dict", pkl::dict({{"conv.weight", pkl::floats("0", 4)}})},
                              {"optimizer", pkl::dict({{"state", optimizer}})}})),
        {{"0", test::floatBytes({s.weight, 2, 3, 4})}});
}

// A function that names the file of a rank at a step.
using Layout = std::function<std::string(int rank, std::int64_t step)>;

std::string n(std::int64_t number) { return std::to_string(number); }

const std::vector<std::pair<std::string, Layout>> &layouts()
{
    static const std::vector<std::pair<std::string, Layout>> all{
        {"rank_R/step_S", [](int r, std::int64_t s) { return "rank_" + n(r) + "/step_" + n(s) + ".pt"; }},
        {"rankR/step_S", [](int r, std::int64_t s) { return "rank" + n(r) + "/step_" + n(s) + ".pt"; }},
        {"device_R/step_S", [](int r, std::int64_t s) { return "device_" + n(r) + "/step_" + n(s) + ".pt"; }},
        {"worker_R/step_S", [](int r, std::int64_t s) { return "worker_" + n(r) + "/step_" + n(s) + ".pt"; }},
        {"R/step_S", [](int r, std::int64_t s) { return n(r) + "/step_" + n(s) + ".pt"; }},
        {"train_parallelR/ckpt_R",
         [](int r, std::int64_t s) { return "train_parallel" + n(r) + "/ckpt_" + n(r) + "/step_" + n(s) + ".pt"; }},
        {"step_S_rank_R", [](int r, std::int64_t s) { return "step_" + n(s) + "_rank_" + n(r) + ".pt"; }},
        {"epE-baS-rankR",
         [](int r, std::int64_t s) { return "ep" + n(s / 100) + "-ba" + n(s) + "-rank" + n(r) + ".pt"; }},
        {"epochS-rankR", [](int r, std::int64_t s) { return "iter" + n(s) + "-rank" + n(r) + ".pth"; }},
    };
    return all;
}

constexpr std::int64_t steps[] = {100, 200};

Corpus tree(const Layout &layout, int world)
{
    Corpus c;
    for (const std::int64_t step : steps)
        for (int rank = 0; rank < world; ++rank) c.put(layout(rank, step), stateFile({step}), step, 0644);
    return c;
}

TEST(Origin, WholeSaveIsValidInEveryRankLayout)
{
    for (const auto &[name, layout] : layouts()) {
        Corpus c = tree(layout, 4);
        const CheckpointReport report = c.judgeAll();
        ASSERT_EQ(report.worldSize, 4) << name << ": " << summary(report);
        ASSERT_EQ(report.sets.size(), 2u) << name << ": " << summary(report);
        EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << name << ": " << summary(report);
        EXPECT_EQ(report.sets[0].globalStep, 200) << name;
    }
}

// The save is never VALID if a file is missing, or belongs to another rank, run or point.
TEST(Origin, PropertySaveWithAReplacedOrMissingFileIsNeverValid)
{
    using Change = std::function<void(Corpus &, const std::string &path, std::int64_t step)>;
    const std::vector<std::pair<std::string, Change>> changes{
        {"dropped", [](Corpus &c, const std::string &path, std::int64_t) { c.remove(path); }},
        {"of another step",
         [](Corpus &c, const std::string &path, std::int64_t s) { c.put(path, stateFile({s == 100 ? 200 : 100}), s); }},
        {"of another run",
         [](Corpus &c, const std::string &path, std::int64_t s) {
             c.put(path, stateFile({s, 1, "beta"}), s);
         }},
        {"with an optimizer behind",
         [](Corpus &c, const std::string &path, std::int64_t s) {
             c.put(path, stateFile({s, 1, "alpha", s - 1}), s);
         }},
        {"with other weights, of a world where most are equal",
         [](Corpus &c, const std::string &path, std::int64_t s) {
             c.put(path, stateFile({s, 9}), s);
         }},
        {"torn",
         [](Corpus &c, const std::string &path, std::int64_t s) {
             const std::string whole = stateFile({s});
             c.put(path, whole.substr(0, whole.size() / 2), s);
         }},
        {"empty", [](Corpus &c, const std::string &path, std::int64_t s) { c.put(path, "", s); }},
        {"renamed", [](Corpus &c, const std::string &path, std::int64_t s) {
             c.put(path + ".bak", stateFile({s}), s);
             c.remove(path);
         }}};
    int tried = 0;
    for (const auto &[name, layout] : layouts())
        for (const int world : {3, 4, 5})
            for (const std::int64_t step : steps)
                for (int rank = 0; rank < world; ++rank)
                    for (const auto &[what, change] : changes) {
                        Corpus c = tree(layout, world);
                        change(c, layout(rank, step), step);
                        const CheckpointReport report = c.judgeAll();
                        for (const CheckpointSet &set : report.sets)
                            ASSERT_FALSE(set.verdict == Verdict::valid && set.globalStep == step)
                                << name << ", rank " << rank << " of " << world << " at " << step << " " << what << ": "
                                << summary(report);
                        ++tried;
                    }
    EXPECT_GT(tried, 1500);
}

TEST(Origin, CopyBelowARankFolderBelongsToAnotherRun)
{
    Corpus c;
    for (int rank = 0; rank < 4; ++rank) {
        if (rank != 2) c.put("rank_" + n(rank) + "/step_300.pt", stateFile({300}), 300);
        c.put("rank_" + n(rank) + "/old/step_300.pt", stateFile({300}), 10);
        c.put("rank_" + n(rank) + "/old/step_900.pt", stateFile({900}), 20);
    }
    const CheckpointReport report = c.judgeAll();
    const CheckpointSet &present = report.sets.front();
    EXPECT_EQ(present.globalStep, 300) << summary(report);
    EXPECT_EQ(states(present), "ok ok missing ok") << summary(report);
}

// The script writes averages of the weights after each save.
TEST(Origin, WeightsNextToASaveOfTheirRunAreNotAnotherRun)
{
    Corpus c;
    const std::string average =
        test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(300)}, {"w", pkl::floats("0", 4)}})),
                       {{"0", test::floatBytes({1, 2, 3, 4})}});
    c.put("step_300.pt", stateFile({300}), 5000);
    c.put("ema/step_300.pt", average, 5090);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 2u) << summary(report);
    for (const CheckpointSet &set : report.sets) {
        EXPECT_EQ(summary(report).find("other_run"), std::string::npos) << summary(report);
        EXPECT_EQ(set.verdict == Verdict::valid, report.recommended == set.id) << summary(report);
    }
}

TEST(Origin, RunThatSavedLastIsPreferredToTheRunWithMoreSteps)
{
    Corpus c;
    c.put("exp_a/step_900.pt", stateFile({900}), 100);
    c.put("exp_b/step_300.pt", stateFile({300}), 5000);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 2u) << summary(report);
    EXPECT_EQ(report.sets[0].globalStep, 300) << summary(report);
    ASSERT_TRUE(report.recommended);
    EXPECT_EQ(*report.recommended, report.sets[0].id);
    EXPECT_EQ(report.sets[1].reasons.back().code, ReasonCode("other_run"));
}

TEST(Origin, StepFolderInTheMiddleOfAPathIsNotASeparateRun)
{
    Corpus c;
    for (const std::int64_t step : {100, 200})
        for (int rank = 0; rank < 3; ++rank)
            c.put("global_step" + n(step) + "/worker_" + n(rank) + "/state.pt", stateFile({step}), step);
    EXPECT_EQ(summary(c.judgeAll()), "0:200o VALID; 0:100o VALID");
}

// Runs of the same minute: the intended one is unknown, and a run is not reported as another run beside itself.
TEST(Origin, RunIsNotReportedAsAnotherRunNextToItself)
{
    Corpus c;
    for (const char *day : {"20", "21", "22"})
        c.put(std::string("2026-11-") + day + "/last.pt", stateFile({300, float(day[1])}), 100);
    int told = 0;
    for (const CheckpointSet &set : c.judgeAll().sets)
        for (const Reason &reason : set.reasons) {
            if (reason.code != "other_run") continue;
            ++told;
            const std::size_t own = reason.text.find("2026-11-");
            EXPECT_EQ(reason.text.find(reason.text.substr(own, 10), own + 10), std::string::npos) << reason.text;
        }
    EXPECT_EQ(told, 3);
}

TEST(Origin, TwoSpellingsOfARankFolderAreTwoRuns)
{
    Corpus c;
    for (int rank = 0; rank < 3; ++rank) c.put("rank_" + n(rank) + "/step_300.pt", stateFile({300}), 300);
    c.put("rank1/step_300.pt", stateFile({300, 9}), 400);
    const CheckpointReport report = c.judgeAll();
    for (const CheckpointSet &set : report.sets)
        for (const MemberVerdict &member : set.members) {
            if (set.verdict != Verdict::valid) continue;
            EXPECT_EQ(member.path.find("/rank1/"), std::string::npos) << summary(report);
        }
}

TEST(Origin, RankFileOfLastWeekIsNotProven)
{
    Corpus c;
    c.expected.now = wallFromNs(test::epoch0 + 8L * 86400 * test::second);
    for (int rank = 0; rank < 4; ++rank)
        c.put("rank_" + n(rank) + "/model.pt", stateFile({300}), rank == 2 ? 1000 : 1000 + 7 * 86400 + rank);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:300o VALID-UNPROVEN times_apart(2)");
    Corpus skewed;  // the node's clock is wrong, by the same offset in all its files
    for (const std::int64_t step : {100, 200})
        for (int rank = 0; rank < 4; ++rank)
            skewed.put("rank_" + n(rank) + "/step_" + n(step) + ".pt", stateFile({step}),
                       step + (rank == 2 ? 0 : 7 * 86400));
    EXPECT_EQ(skewed.judgeAll().sets[0].verdict, Verdict::valid) << summary(skewed.judgeAll());
}

TEST(Origin, NumberedFoldersWithoutAKeywordAreNotProvenRanks)
{
    Corpus c;
    for (int rank = 0; rank < 3; ++rank) c.put(n(rank) + "/model.pt", stateFile({300}), 300);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:300o VALID-UNPROVEN rank_unproven");
    EXPECT_EQ(report.worldSize, 3);
}

// Layouts that no grammar knows: none of them may be VALID without further evidence, neither complete nor with a
// missing file.
TEST(Origin, PropertySiblingsThatDifferInANumberAreNotProven)
{
    const std::vector<Layout> unknown{
        [](int r, std::int64_t s) { return "step_" + n(s) + "_gpu" + n(r) + ".pt"; },
        [](int r, std::int64_t s) { return "step" + n(s) + "_r" + n(r) + ".pt"; },
        [](int r, std::int64_t s) { return "step_" + n(s) + "_" + n(r) + ".pt"; },
        [](int r, std::int64_t s) { return "model_step_" + n(s) + "_" + n(r) + "of4.pt"; },
        [](int r, std::int64_t s) { return "step_" + n(s) + "/" + n(r) + ".pt"; },
        [](int r, std::int64_t s) { return "checkpoint-" + n(s) + "/gpu" + n(r) + ".pt"; },
        [](int r, std::int64_t s) { return "node" + n(r / 2) + "/gpu" + n(r % 2) + "/step_" + n(s) + ".pt"; }};
    for (const Layout &layout : unknown)
        for (int lost = -1; lost < 4; ++lost) {
            Corpus c = tree(layout, 4);
            if (lost >= 0) c.remove(layout(lost, 200));
            const CheckpointReport report = c.judgeAll();
            for (const CheckpointSet &set : report.sets)
                ASSERT_NE(set.verdict, Verdict::valid)
                    << layout(0, 200) << " without " << lost << ": " << summary(report);
        }
}

// Folders of hosts or of parallel degrees, whose numbers do not count ranks: complete, with one folder lost, and with
// only one left.
TEST(Origin, PropertyFoldersNamedByHostsAreNotProven)
{
    const std::vector<std::string> hosts{"nid0412", "nid0977", "ip-10-0-3-71", "gpu-box-b"};
    const std::vector<Layout> unknown{
        [&](int r, std::int64_t s) { return hosts[std::size_t(r)] + "/step_" + n(s) + ".pt"; },
        [&](int r, std::int64_t s) { return hosts[std::size_t(r)] + "/latest/step_" + n(s) + ".pt"; },
        [](int r, std::int64_t s) { return n(r) + "-of-4/step=" + n(s) + ".pt"; },
        [](int r, std::int64_t s) { return "pp_rank_" + n(r / 2) + "/tp_rank_" + n(r % 2) + "/step" + n(s) + ".pt"; },
        [](int r, std::int64_t s) { return "step" + n(s) + "_tp_rank" + n(r / 2) + "_pp_rank" + n(r % 2) + ".pt"; },
        [](int r, std::int64_t s) { return "stage" + n(r / 2) + "_rank" + n(r % 2) + "_step" + n(s) + ".pt"; },
        [](int r, std::int64_t s) { return "node" + n(r / 2) + "_local_rank" + n(r % 2) + "_step" + n(s) + ".pt"; }};
    for (const Layout &layout : unknown)
        for (int lost = -1; lost < 5; ++lost) {
            Corpus c;
            for (const std::int64_t step : steps)
                for (int rank = 0; rank < 4; ++rank)
                    if (step != 200 || (lost != rank && (lost != 4 || rank == 1)))  // 4: only rank 1 is left
                        c.put(layout(rank, step), stateFile({step, float(rank)}), step + rank, 0644);
            const CheckpointReport report = c.judgeAll();
            for (const CheckpointSet &set : report.sets)
                ASSERT_NE(set.verdict, Verdict::valid)
                    << layout(0, 200) << " without " << lost << ": " << summary(report);
        }
}

TEST(Origin, CopyOfTheDirectoryDoesNotAffectItsVerdict)
{
    Corpus c;
    for (const std::string folder : {"run", "somewhere"}) c.put(folder + "/step_300.pt", stateFile({300}), 300);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::valid) << summary(c.judgeAll());
}

TEST(Origin, TwoFolderNumbersTogetherIdentifyTheRank)
{
    const std::vector<Layout> grids{
        [](int r, std::int64_t s) { return "host-" + n(r / 2) + "/gpu-" + n(r % 2) + "/step_" + n(s) + ".pt"; },
        [](int r, std::int64_t s) { return "dp" + n(r / 2) + "_mp" + n(r % 2) + "/step_" + n(s) + ".pt"; },
        [](int r, std::int64_t s) { return "pp_0" + n(r / 2) + ".tp_0" + n(r % 2) + "/step_" + n(s) + ".pt"; }};
    for (const Layout &path : grids) {
        Corpus c = tree(path, 6);
        CheckpointReport report = c.judgeAll();
        EXPECT_EQ(report.worldSize, 6) << path(0, 200) << ": " << summary(report);
        EXPECT_EQ(summary(report.sets.at(0)), "0:200o VALID-UNPROVEN rank_unproven");
        c.remove(path(3, 200));
        report = c.judgeAll();
        EXPECT_EQ(states(report.sets.at(0)), "ok ok ok missing ok ok") << summary(report);
        for (const std::int64_t step : {100, 200}) c.remove(path(3, step));
        EXPECT_EQ(c.judgeAll().sets.at(0).verdict, Verdict::incomplete) << summary(c.judgeAll());
    }
}

// The numbers count from 1, or the first folder is gone. This is unknown, so the set is neither VALID nor incomplete.
TEST(Origin, FoldersNumberedFromOneAreNotProven)
{
    for (const std::string word : {"worker_", "worker", "gpu_", "device_", "npu-"}) {
        const auto path = [&](int rank, std::int64_t step) { return word + n(rank + 1) + "/step_" + n(step) + ".pt"; };
        for (const int world : {2, 4, 12}) {
            Corpus c = tree(path, world);
            const CheckpointReport report = c.judgeAll();
            EXPECT_EQ(report.worldSize, world) << word << ": " << summary(report);
            EXPECT_EQ(summary(report.sets.at(0)), "0:200o VALID-UNPROVEN rank_unproven") << word << world;
            c.remove(path(world - 1, 200));
            EXPECT_NE(c.judgeAll().sets[0].verdict, Verdict::valid) << word << world;
        }
    }
    Corpus ranks;  // "rank" counts from 0
    for (int rank = 1; rank < 4; ++rank) ranks.put("rank_" + n(rank) + "/step_200.pt", stateFile({200}), 200);
    EXPECT_EQ(ranks.judgeAll().sets[0].verdict, Verdict::incomplete) << summary(ranks.judgeAll());
}

// The path is one level too deep, so the sibling folders of other ranks were not searched.
TEST(Origin, FolderOfOneRankIsNotACheckpointOfAllRanks)
{
    for (const std::string folder : {"rank_1", "rank3", "worker_2", "gpu_3"}) {
        Corpus c("/job/" + folder);
        c.put("step_200.pt", stateFile({200}), 200);
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(summary(report.sets.at(0)), "0:200o VALID-UNPROVEN rank_unproven") << folder;
        ASSERT_FALSE(report.notes.empty()) << folder;
        EXPECT_NE(report.notes[0].find("Use /job,"), std::string::npos) << report.notes[0];
        c.expected.worldSize = 1;  // the job file declares a single process
        EXPECT_EQ(summary(c.judgeAll().sets.at(0)), "0:200o VALID") << folder;
    }
    Corpus first("/job/rank_0");  // a training with one process, or the first of several
    first.put("step_200.pt", stateFile({200}), 200);
    EXPECT_EQ(summary(first.judgeAll().sets.at(0)), "0:200o VALID");
    EXPECT_NE(first.judgeAll().notes.at(0).find("Use /job,"), std::string::npos);
    for (const std::string folder : {"run_1", "checkpoints", "exp_rank", "step_3"}) {
        Corpus c("/job/" + folder);
        c.put("step_200.pt", stateFile({200}), 200);
        EXPECT_EQ(c.judgeAll().sets.at(0).verdict, Verdict::valid) << folder;
    }
}

TEST(Origin, EmptyRankFolderIsARankWithoutItsFile)
{
    Corpus c;
    c.put("gpu_0/latest.pt", stateFile({300}), 300);
    for (const std::string folder : {"gpu_1", "gpu_2"}) c.makeDirectory(folder);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.worldSize, 3) << summary(report);
    EXPECT_EQ(report.sets.at(0).verdict, Verdict::incomplete) << summary(report);
}

// Pieces of a model: each must have the same number of replicas, otherwise the file of one rank was copied over
// another.
TEST(Origin, DuplicatedPieceIsNotProven)
{
    const auto judged = [](const std::vector<float> &values) {
        Corpus c;
        for (std::size_t rank = 0; rank < values.size(); ++rank)
            c.put("rank_" + n(std::int64_t(rank)) + "/step_300.pt", stateFile({300, values[rank]}), 300);
        return summary(c.judgeAll());
    };
    EXPECT_EQ(judged({1, 2, 2, 4}), "0:300o VALID-UNPROVEN values_repeated(2)");
    EXPECT_EQ(judged({1, 2, 3, 4, 5, 3}), "0:300o VALID-UNPROVEN values_repeated(5)");
    EXPECT_EQ(judged({1, 2, 1, 2}), "0:300o VALID");
    EXPECT_EQ(judged({1, 2, 3, 4}), "0:300o VALID");
}

TEST(Origin, FoldersOfStepsAreNotRanks)
{
    Corpus c;
    for (const std::int64_t step : {1, 2, 3}) c.put("epoch_" + n(step) + "/model.pt", stateFile({step * 100}), step);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.worldSize, 1) << summary(report);
    EXPECT_EQ(report.sets.size(), 3u);
    EXPECT_EQ(report.sets.front().globalStep, 300) << summary(report);
}

TEST(Origin, StrategyFileProvesARankWithoutAFolder)
{
    Corpus c;
    for (int rank = 0; rank < 3; ++rank) c.put("rank_" + n(rank) + "/step_300.pt", stateFile({300}), 300);
    c.put("strategy/ckpt_strategy_rank_3.ckpt", "x", 1);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.worldSize, 4);
    EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete) << summary(report);
}

TEST(Origin, ReportsAWorldSizeDerivedOnlyByCounting)
{
    Corpus c = tree(layouts().front().second, 4);
    EXPECT_EQ(c.judgeAll().sets[0].reasons.back().code, ReasonCode("world_counted"));
    c.expected.worldSize = 4;
    EXPECT_TRUE(c.judgeAll().sets[0].reasons.empty());
}

// There is one process, or rank 0 saves for all, or the disk of the other ranks was not searched.
TEST(Origin, FilesOfOnlyTheFirstRankAreNotProven)
{
    for (const Layout &path :
         {Layout([](int r, std::int64_t s) { return "step_" + n(s) + "/rank_" + n(r) + ".pt"; }),
          Layout([](int r, std::int64_t s) { return "rank_" + n(r) + "/step_" + n(s) + ".pt"; })}) {
        Corpus c = tree(path, 1);
        EXPECT_EQ(summary(c.judgeAll()), "0:200o VALID-UNPROVEN rank_unproven; 0:100o VALID-UNPROVEN rank_unproven")
            << path(0, 200);
        c.expected.worldSize = 1;
        EXPECT_EQ(summary(c.judgeAll()), "0:200o VALID; 0:100o VALID") << path(0, 200);
    }
    Corpus one =
        tree([](int, std::int64_t s) { return "step_" + n(s) + ".pt"; }, 1);  // a file without a rank in its name
    EXPECT_EQ(summary(one.judgeAll()), "0:200o VALID; 0:100o VALID");
}

TEST(Origin, ReadsTheWorldSizeFromFileNames)
{
    Corpus c;
    for (int rank = 0; rank < 3; ++rank) c.put("model_world_size_4_rank_" + n(rank) + ".pt", stateFile({300}), 300);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.worldSize, 4);
    EXPECT_EQ(report.worldSizeFrom, "metadata");
    EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete) << summary(report);
}

TEST(Origin, EachSaveHasTheWorldSizeInItsOwnNames)
{
    using Named = std::string (*)(int rank, int world, std::int64_t step);
    for (const Named &path :
         {Named([](int r, int w, std::int64_t s) {
              return "step_" + n(s) + "/model_world_size_" + n(w) + "_rank_" + n(r) + ".pt";
          }),
          Named([](int r, int w, std::int64_t s) { return "ckpt-" + n(s) + "/shard_" + n(r) + "_of_" + n(w) + ".pt"; }),
          Named(
              [](int r, int w, std::int64_t s) { return "step_" + n(s) + "_rank_" + n(r) + "_of_" + n(w) + ".pt"; })}) {
        Corpus c;
        for (const auto &[step, world] : {std::pair<std::int64_t, int>{100, 4}, {200, 2}})
            for (int rank = 0; rank < world; ++rank) c.put(path(rank, world, step), stateFile({step}), step, 0644);
        EXPECT_EQ(summary(c.judgeAll()), "0:200o VALID; 0:100o VALID") << path(0, 2, 200);
        c.remove(path(1, 2, 200));
        EXPECT_EQ(summary(c.judgeAll()), "0:200o INCOMPLETE rank_missing(1); 0:100o VALID") << path(0, 2, 200);
    }
}

TEST(Origin, ReadsStepsFromTheKeysOfPlainScripts)
{
    for (const std::string key : {"step", "iter_num", "iteration", "global_step"}) {
        Corpus c;
        c.put("ckpt.pt",
              test::torchZip(pkl::whole(pkl::dict({{key, pkl::integer(700)},
                                                   {"model", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                                   {"optimizer", pkl::dict({{"exp_avg", pkl::floats("1", 4)}})}})),
                             {{"0", test::floatBytes({1, 2, 3, 4})}, {"1", test::floatBytes({1, 2, 3, 4})}}),
              100);
        EXPECT_EQ(summary(c.judgeAll()), "0:700o VALID") << key;
    }
}

}  // namespace
}  // namespace rankdeck::origin_corpus_test
