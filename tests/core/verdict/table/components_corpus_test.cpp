// SPDX-License-Identifier: GPL-3.0-or-later
// Several models of one save in separate files with random names. A save that lacks one of them, or has a torn one, is
// not VALID. The previous save is recommended.
#include "core/base/text.h"
#include "tests/core/verdict/dcp_files.h"
#include "tests/core/verdict/table/random_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace rankdeck::components_corpus_test {
namespace {

using test::Corpus;
using test::Naming;
using test::randomRun;
using test::SavedRun;
using test::summary;

// The paths of the set that is recommended.
std::set<std::string> recommended(SavedRun &run)
{
    const CheckpointReport report = run.files.judgeAll();
    std::set<std::string> paths;
    const CheckpointSet *set = report.recommended ? report.find(*report.recommended) : nullptr;
    if (set)
        for (const MemberVerdict &member : set->members) {
            const Member &own = run.files.inventory.members.at(std::size_t(member.member));
            for (const FileEntry &part : own.parts) paths.insert(part.path.substr(std::string("/job/ckpt/").size()));
            if (own.parts.empty()) paths.insert(own.file.path.substr(std::string("/job/ckpt/").size()));
        }
    return paths;
}

std::set<std::string> asSet(const std::vector<std::string> &paths) { return {paths.begin(), paths.end()}; }

void eachRun(const std::function<void(std::mt19937 &, Naming)> &check) { test::eachRun(12, check); }

TEST(Components, WholeSaveIsOneSetOfAllItsComponents)
{
    eachRun([](std::mt19937 &random, Naming naming) {
        SavedRun run = randomRun(random, naming);
        EXPECT_EQ(recommended(run), asSet(run.saves.back())) << run.text << "\n" << summary(run.files.judgeAll());
    });
}

TEST(Components, SaveWithoutAComponentFallsBackToThePreviousSave)
{
    eachRun([](std::mt19937 &random, Naming naming) {
        SavedRun run = randomRun(random, naming);
        const std::vector<std::string> &newest = run.saves.back();
        run.files.remove(newest[random() % newest.size()]);
        EXPECT_EQ(recommended(run), asSet(run.saves[run.saves.size() - 2])) << run.text << "\n"
                                                                            << summary(run.files.judgeAll());
    });
}

// Whatever ended the component, it has not been saved since.
TEST(Components, TwoSavesThatLackTheSameComponentAreNotRecommended)
{
    eachRun([](std::mt19937 &random, Naming naming) {
        SavedRun run = randomRun(random, naming);
        if (run.saves.size() < 4) return;
        const std::size_t lost = random() % run.saves.back().size();
        for (const std::size_t save : {run.saves.size() - 1, run.saves.size() - 2})
            run.files.remove(run.saves[save][lost]);
        EXPECT_EQ(recommended(run), asSet(run.saves[run.saves.size() - 3])) << run.text << "\n"
                                                                            << summary(run.files.judgeAll());
    });
}

TEST(Components, TornComponentHidesNoOlderSave)
{
    eachRun([](std::mt19937 &random, Naming naming) {
        SavedRun run = randomRun(random, naming);
        const std::string path = run.saves.back()[random() % run.saves.back().size()];
        run.files.edit(path, [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
        EXPECT_EQ(recommended(run), asSet(run.saves[run.saves.size() - 2])) << run.text << "\n"
                                                                            << summary(run.files.judgeAll());
    });
}

std::string pathOf(const char *form, int rank, const std::string &word, int number)
{
    return replaceAll(replaceAll(replaceAll(form, "{r}", std::to_string(rank)), "{w}", word), "{n}",
                      std::to_string(number));
}

TEST(Components, EachRankHasOneFileOfEachComponent)
{
    const std::vector<std::vector<std::string>> all{{"gen", "zork"}, {"actor", "critic"}, {"x", "yy", "zzz"}};
    for (const char *form : test::rankedForms())
        for (const std::vector<std::string> &words : all) {
            Corpus whole;
            for (int number = 100; number <= 300; number += 100)
                for (int rank = 0; rank < 2; ++rank)
                    for (std::size_t i = 0; i < words.size(); ++i)
                        whole.put(pathOf(form, rank, words[i], number),
                                  test::componentState(int(i) + 10 * rank, number, false), number * 36 + rank, 0644);
            const CheckpointReport report = whole.judgeAll();
            ASSERT_EQ(report.sets.size(), 3u) << form << ": " << summary(report);
            EXPECT_EQ(report.sets.front().members.size(), 2u) << form << ": " << summary(report);
            for (int rank = 0; rank < 2; ++rank)
                for (const std::string &word : words) {
                    Corpus lacking = whole;
                    lacking.remove(pathOf(form, rank, word, 300));
                    const CheckpointReport without = lacking.judgeAll();
                    EXPECT_NE(without.sets.front().verdict, Verdict::valid)
                        << form << ", rank " << rank << " lacks " << word << ": " << summary(without);
                    EXPECT_TRUE(without.recommended) << form << ": " << summary(without);
                }
        }
}

// Files that Rankdeck does not read: a mark of the end, a configuration, a state of an unknown kind.
TEST(Components, ReportsAnyMissingFileThatAllOtherSavesHave)
{
    const std::pair<const char *, const char *> forms[] = {{"ckpt_#.pt", "ckpt_#.done"},
                                                           {"ckpt_#.pt", "ckpt_#.pt.md5"},
                                                           {"step_#/model.pt", "step_#/config.yaml"},
                                                           {"#/state.pth", "#/replay/buffer.pkl"},
                                                           {"save-#/net.pt", "save-#/.complete"},
                                                           {"ckpt_#.pt", "args_#.json"}};
    for (const auto &[state, beside] : forms)
        for (const int lacking : {100, 200, 300, 400}) {
            Corpus c;
            for (int number = 100; number <= 400; number += 100) {
                const std::string text = std::to_string(number);
                c.put(replaceAll(state, "#", text), test::componentState(0, number, false), number * 36, 0644);
                if (number != lacking) c.put(replaceAll(beside, "#", text), "{}", number * 36 + 1, 0644);
            }
            const CheckpointReport report = c.judgeAll();
            for (const CheckpointSet &set : report.sets)
                EXPECT_EQ(set.verdict == Verdict::valid, set.globalStep != lacking)
                    << beside << " of " << lacking << ": " << summary(report);
        }
}

// Each evaluation is written after its save, and the evaluation of the newest save has not ended.
TEST(Components, FileWrittenLongAfterItsSaveIsNotAPartOfIt)
{
    Corpus c;
    for (int number = 100; number <= 400; number += 100) {
        c.put("ckpt_" + std::to_string(number) + ".pt", test::componentState(0, number, false), number * 36, 0644);
        if (number < 400) c.put("eval_" + std::to_string(number) + ".json", "{}", number * 36 + 600, 0644);
    }
    EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::valid) << summary(c.judgeAll());
}

// Such a file was added later, or is written only occasionally.
TEST(Components, FileThatSeveralSavesLackIsNotMissing)
{
    Corpus c;
    for (int number = 100; number <= 400; number += 100) {
        c.put("ckpt_" + std::to_string(number) + ".pt", test::componentState(0, number, false), number * 36, 0644);
        if (number < 300) c.put("eval_" + std::to_string(number) + ".json", "{}", number * 36 + 1, 0644);
    }
    for (const CheckpointSet &set : c.judgeAll().sets) EXPECT_EQ(set.verdict, Verdict::valid) << summary(set);
}

// The same architecture twice, such as a student and a teacher. The two files may also be the parts of two ranks.
TEST(Components, TwoModelsOfOneArchitectureAreUnproven)
{
    Corpus c;
    for (std::int64_t save = 1; save <= 3; ++save)
        for (const int model : {0, 1})
            c.put(std::string(model == 0 ? "student" : "teacher") + "_" + std::to_string(save * 100) + ".pt",
                  test::componentState(model, save * 100, true), save * 3600, 0644);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 3u) << summary(report);
    for (const CheckpointSet &set : report.sets) EXPECT_EQ(set.verdict, Verdict::validUnproven) << summary(set);
}

test::DcpFiles sharded(std::int64_t step)
{
    test::DcpFiles dcp;
    for (int i = 0; i < 2; ++i) {
        const std::string file = "__" + std::to_string(i) + "_0.distcp", layer = "l" + std::to_string(i);
        const std::vector<float> values(64, float(step + i));
        dcp.addFloats("model." + layer, file, values);
        dcp.addFloats("optim.state." + layer + ".exp_avg", file, values);
    }
    dcp.addInt32("train_state.step", "__0_0.distcp", static_cast<std::int32_t>(step));
    return dcp;
}

void putSharded(Corpus &c, const std::string &folder, std::int64_t step, std::int64_t at)
{
    for (const auto &[name, bytes] : sharded(step).files())
        c.put(folder + "/" + name, bytes, at + (name == ".metadata" ? 1 : 0), 0644);
}

// A second component has its own folder, below the folder into which all ranks save.
TEST(Components, ReportsAMissingFolderThatEveryOtherSaveHas)
{
    for (const char *path : {"orchestrator/state.pt", "qx/7b.pth", "inner/net/weights.pt"}) {
        Corpus c;
        for (const std::int64_t step : {100, 200, 300}) {
            putSharded(c, "step_" + std::to_string(step), step, step * 36);
            c.put("step_" + std::to_string(step) + "/" + path, test::componentState(1, step, false), step * 36, 0644);
        }
        EXPECT_EQ(c.judgeAll().recommended, "0:300") << path << ": " << summary(c.judgeAll());
        c.remove("step_300/" + std::string(path));
        EXPECT_EQ(c.judgeAll().recommended, "0:200") << path << ": " << summary(c.judgeAll());
    }
}

// Shards beside a script's own metadata.json belong to torch.distributed, whatever that file contains.
TEST(Components, MetadataFileOfAScriptChangesNoFormat)
{
    for (const char *text : {"{\"step\": 30, \"loss\": 0.5}", "{}", "[1, 2]", "no json", ""}) {
        Corpus c;
        for (const std::int64_t step : {10, 20, 30}) {
            putSharded(c, "step_" + std::to_string(step), step, step * 360);
            c.put("step_" + std::to_string(step) + "/metadata.json", text, step * 360, 0644);
        }
        EXPECT_EQ(c.judgeAll().recommended, "0:30") << text << ": " << summary(c.judgeAll());
        c.remove("step_30/.metadata");
        EXPECT_EQ(c.judgeAll().recommended, "0:20") << text << ": " << summary(c.judgeAll());
    }
}

TEST(Components, OrdersFoldersByTheValueOfTheirNumber)
{
    Corpus c;
    for (const std::int64_t step : {80'000, 400'000, 800'000})
        c.put("0" + std::to_string(step) + "/state.pt", test::componentState(0, step, false), step / 100, 0644);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 3u) << summary(report);
    EXPECT_EQ(report.sets.front().globalStep, 800'000) << summary(report);
    EXPECT_EQ(report.sets.back().globalStep, 80'000) << summary(report);
}

// Separate files of weights and optimizer, in folders with any prefix or none: a torn newest save does not hide an
// older one.
TEST(Components, FoldersOfAnyNameAreSeparateSaves)
{
    for (const char *word : {"", "ckpt_", "checkpoint-", "save", "snapshot.", "model_ckpt_", "x-", "R2D2_"})
        for (const int first : {0, 1, 5}) {
            Corpus c;
            std::string newest;
            for (std::int64_t i = 0; i < 3; ++i) {
                newest = word + std::to_string(first + i);
                c.put(newest + "/model.pt", test::componentState(0, 100 * (i + 1), false), i * 7200, 0644);
                c.put(newest + "/optimizer_state.pt", test::componentState(1, 100 * (i + 1), false), i * 7200 + 2,
                      0644);
            }
            EXPECT_EQ(c.judgeAll().sets.size(), 3u) << newest << ": " << summary(c.judgeAll());
            c.edit(newest + "/optimizer_state.pt", [](std::string &bytes) { bytes.resize(bytes.size() / 3); });
            const CheckpointReport report = c.judgeAll();
            EXPECT_NE(report.recommended, std::nullopt) << newest << ": " << summary(report);
        }
}

// True if the files of "alpha" and "beta" are one set. beta saves `apart` seconds after alpha.
bool areJoined(const std::function<std::string(const std::string &, std::int64_t)> &path, double pause, double apart)
{
    Corpus c;
    for (std::int64_t save = 1; save <= 4; ++save)
        for (const int own : {0, 1}) {
            const std::string file = path(own == 0 ? "alpha" : "beta", save * 100);
            c.put(file, test::componentState(own, save * 100, true), 0, 0644);
            c.entry(file).stat.mtimeNs += std::int64_t((double(save) * pause + own * apart) * 1e9);
        }
    return c.judgeAll().sets.size() == 4;
}

// The folders of one process have nearly the same times in each save. Two runs in sibling folders began at different
// times, and keep that distance.
TEST(Components, FoldersOfARunAreJoinedAndTwoRunsAreNot)
{
    const std::vector<std::function<std::string(const std::string &, std::int64_t)>> paths{
        [](const std::string &own, std::int64_t step) { return own + "/" + std::to_string(step) + ".pt"; },
        [](const std::string &own, std::int64_t step) { return own + "/ckpt/step_" + std::to_string(step) + ".pt"; },
        [](const std::string &own, std::int64_t step) { return "out/" + own + "/" + std::to_string(step) + "/m.pt"; }};
    for (const auto &path : paths)
        for (const double pause : {8.0, 60.0, 900.0, 7200.0}) {
            SCOPED_TRACE(path("alpha", 100) + " every " + std::to_string(pause) + " s");
            EXPECT_TRUE(areJoined(path, pause, pause / 100));
            for (const double part : {0.1, 0.3, 0.5, 0.9, 10.0})
                EXPECT_FALSE(areJoined(path, pause, part * pause)) << part;
        }
}

// In one folder, the components of a frequent save may be written slowly.
TEST(Components, SlowWritesIntoOneFolderAreJoined)
{
    const auto path = [](const std::string &own, std::int64_t step) {
        return own + "_" + std::to_string(step) + ".pt";
    };
    for (const double apart : {1.0, 20.0, 50.0}) EXPECT_TRUE(areJoined(path, 60, apart)) << apart;
    EXPECT_FALSE(areJoined(path, 7200, 3600));
}

TEST(Components, CopyUnderAnotherNameIsLeftOut)
{
    Corpus c;
    for (std::int64_t save = 1; save <= 3; ++save)
        c.put("model_" + std::to_string(save * 100) + ".pt", test::componentState(0, save * 100, true), save * 3600,
              0644);
    c.put("model_best_200.pt", test::componentState(0, 200, true), 7200, 0644);
    const CheckpointReport report = c.judgeAll();
    ASSERT_TRUE(report.recommended);
    EXPECT_EQ(report.find(*report.recommended)->globalStep, 300);
}

}  // namespace
}  // namespace rankdeck::components_corpus_test
