// SPDX-License-Identifier: GPL-3.0-or-later
// Several models of one save in files of their own, with random names. A save that lacks one of them, or holds a torn one, is
// not VALID. The save before it is recommended.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/dcp_files.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace rankdeck::components_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

// The path of a component in a save.
using Naming = std::string (*)(const std::string &word, const std::string &number);
constexpr Naming namings[] = {
    [](const std::string &w, const std::string &n) { return w + "_" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return n + "_" + w + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "-step" + n + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "_epoch" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return "ckpt-" + n + "-" + w + ".pth"; },
    [](const std::string &w, const std::string &n) { return "net34_" + w + "_" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return "step_" + n + "/" + w + ".pt"; },
    [](const std::string &w, const std::string &n) { return n + "/" + w + ".pth"; },
    [](const std::string &w, const std::string &n) { return "checkpoint-" + n + "/" + w + ".pt"; },
    [](const std::string &w, const std::string &n) { return "save_" + n + "/" + w + "_" + n + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "/" + n + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "/step_" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return w + "." + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return "v1.5-" + w + "-" + n + ".pt"; },
    [](const std::string &w, const std::string &n) { return w + "_" + n + ".pyth"; },
    [](const std::string &w, const std::string &n) { return "run#3#" + w + "_" + n + ".pth"; },
    [](const std::string &w, const std::string &n) { return "step_" + n + "/" + w + "/model.pt"; },
    [](const std::string &w, const std::string &n) { return "checkpoint-" + n + "/" + w + "/" + w + ".pth"; },
    [](const std::string &w, const std::string &n) { return n + "/models/" + w + "/state.pt"; },
};

// A whole state: weights, optimizer and a counter. Each component has tensors of its own name, or all have the same.
std::string state(int component, std::int64_t step, bool alike)
{
    std::vector<float> values;
    for (int i = 0; i < 64; ++i) {
        const bool negative = ((i * 2654435761u + unsigned(component) * 40503u) >> 7 & 1) != 0;
        values.push_back((negative ? -1.0f : 1.0f) * (1.0f + float(i) + 0.001f * float(step % 997)));
    }
    const std::string layer = "layer" + (alike ? std::string() : std::to_string(component)) + ".weight";
    const std::string moments =
        "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(step)}, {"exp_avg", pkl::floats("1", 64)}}) + "u";
    return test::torchZip(
        pkl::whole(
            pkl::dict({{"model", pkl::dict({{layer, pkl::floats("0", 64)}})},
                       {"optimizer", pkl::dict({{"state", moments}, {"param_groups", pkl::list({pkl::dict({})})}})},
                       {"iteration", pkl::integer(step)}})),
        {{"0", test::floatBytes(values)}, {"1", test::floatBytes(values)}});
}

struct SavedRun {
    Corpus files;
    std::vector<std::vector<std::string>> saves;  // paths, by save and component
    std::string text;
};

SavedRun randomRun(std::mt19937 &random, Naming naming)
{
    const auto upTo = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
    std::vector<std::string> words;
    for (int i = upTo(2, 4); i > 0; --i) {
        std::string word(std::size_t(upTo(1, 9)), 'a');
        for (char &c : word) c = static_cast<char>('a' + upTo(0, 25));
        if (upTo(0, 3) == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
        words.push_back(word + std::string(1, static_cast<char>('a' + i)));  // no two are the same
    }
    if (upTo(0, 2) == 0) {
        static const std::vector<std::vector<std::string>> known{{"generator", "discriminator"},
                                                                 {"actor", "critic"},
                                                                 {"policy", "value"},
                                                                 {"student", "teacher"},
                                                                 {"netG", "netD"},
                                                                 {"model_a", "model_b"},
                                                                 {"encoder", "decoder"},
                                                                 {"\xe7\x94\x9f", "\xe5\x88\xa4"}};
        words = known[std::size_t(upTo(0, int(known.size()) - 1))];
    }
    const int first = upTo(0, 3), pace = std::vector<int>{1, 5, 500, 1000}[std::size_t(upTo(0, 3))];
    const bool padded = upTo(0, 1) == 1;
    SavedRun run;
    for (int save = 0; save < upTo(3, 4) || save < 3; ++save) {
        const std::int64_t step = (first + save + 1) * std::int64_t(pace);
        std::string number = std::to_string(step);
        if (padded && number.size() < 7) number.insert(0, 7 - number.size(), '0');
        run.saves.emplace_back();
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string path = naming(words[i], number);
            run.files.put(path, state(int(i), step, false), std::int64_t(save) * 3600 + std::int64_t(i) * 3, 0644);
            run.saves.back().push_back(path);
        }
    }
    for (const std::string &path : run.saves.back()) run.text += path + " ";
    return run;
}

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

void eachRun(const std::function<void(std::mt19937 &, Naming)> &check)
{
    for (std::size_t style = 0; style < std::size(namings); ++style)
        for (unsigned seed = 1; seed <= 12; ++seed) {
            SCOPED_TRACE("naming " + std::to_string(style) + ", seed " + std::to_string(seed));
            std::mt19937 random(seed * 100 + unsigned(style));
            check(random, namings[style]);
        }
}

TEST(Components, AWholeSaveIsOneSetOfAllItsComponents)
{
    eachRun([](std::mt19937 &random, Naming naming) {
        SavedRun run = randomRun(random, naming);
        EXPECT_EQ(recommended(run), asSet(run.saves.back())) << run.text << "\n" << summary(run.files.judgeAll());
    });
}

TEST(Components, ASaveWithoutAComponentIsNotOfferedButItsPredecessorIs)
{
    eachRun([](std::mt19937 &random, Naming naming) {
        SavedRun run = randomRun(random, naming);
        const std::vector<std::string> &newest = run.saves.back();
        run.files.remove(newest[random() % newest.size()]);
        EXPECT_EQ(recommended(run), asSet(run.saves[run.saves.size() - 2])) << run.text << "\n"
                                                                            << summary(run.files.judgeAll());
    });
}

// Whatever ended the one component, it ended it for good.
TEST(Components, TwoSavesThatLackTheSameComponentAreNotOffered)
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

TEST(Components, ATornComponentHidesNoOlderSave)
{
    eachRun([](std::mt19937 &random, Naming naming) {
        SavedRun run = randomRun(random, naming);
        const std::string path = run.saves.back()[random() % run.saves.back().size()];
        run.files.edit(path, [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
        EXPECT_EQ(recommended(run), asSet(run.saves[run.saves.size() - 2])) << run.text << "\n"
                                                                            << summary(run.files.judgeAll());
    });
}

// One architecture twice, as of a student and a teacher: it may be the parts of two ranks as well.
TEST(Components, TwoModelsOfOneArchitectureAreUnproven)
{
    Corpus c;
    for (std::int64_t save = 1; save <= 3; ++save)
        for (const int model : {0, 1})
            c.put(std::string(model == 0 ? "student" : "teacher") + "_" + std::to_string(save * 100) + ".pt",
                  state(model, save * 100, true), save * 3600, 0644);
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

// A second component in a folder of its own, below the folder that all ranks have saved together.
TEST(Components, AFolderThatEveryOtherSaveHasIsMissing)
{
    for (const char *path : {"orchestrator/state.pt", "qx/7b.pth", "inner/net/weights.pt"}) {
        Corpus c;
        for (const std::int64_t step : {100, 200, 300}) {
            putSharded(c, "step_" + std::to_string(step), step, step * 36);
            c.put("step_" + std::to_string(step) + "/" + path, state(1, step, false), step * 36, 0644);
        }
        EXPECT_EQ(c.judgeAll().recommended, "0:300") << path << ": " << summary(c.judgeAll());
        c.remove("step_300/" + std::string(path));
        EXPECT_EQ(c.judgeAll().recommended, "0:200") << path << ": " << summary(c.judgeAll());
    }
}

// The shards next to a script's own metadata.json are of torch.distributed, independent of its content.
TEST(Components, AnOwnMetadataFileChangesNoFormat)
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

TEST(Components, FoldersOfSavesAreOrderedByTheValueOfTheirNumber)
{
    Corpus c;
    for (const std::int64_t step : {80'000, 400'000, 800'000})
        c.put("0" + std::to_string(step) + "/state.pt", state(0, step, false), step / 100, 0644);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 3u) << summary(report);
    EXPECT_EQ(report.sets.front().globalStep, 800'000) << summary(report);
    EXPECT_EQ(report.sets.back().globalStep, 80'000) << summary(report);
}

// Separate files of weights and optimizer, in folders with any prefix or none: a torn newest save hides no older one.
TEST(Components, FoldersOfAnyNameAreSeparateSaves)
{
    for (const char *word : {"", "ckpt_", "checkpoint-", "save", "snapshot.", "model_ckpt_", "x-", "R2D2_"})
        for (const int first : {0, 1, 5}) {
            Corpus c;
            std::string newest;
            for (std::int64_t i = 0; i < 3; ++i) {
                newest = word + std::to_string(first + i);
                c.put(newest + "/model.pt", state(0, 100 * (i + 1), false), i * 7200, 0644);
                c.put(newest + "/optimizer_state.pt", state(1, 100 * (i + 1), false), i * 7200 + 2, 0644);
            }
            EXPECT_EQ(c.judgeAll().sets.size(), 3u) << newest << ": " << summary(c.judgeAll());
            c.edit(newest + "/optimizer_state.pt", [](std::string &bytes) { bytes.resize(bytes.size() / 3); });
            const CheckpointReport report = c.judgeAll();
            EXPECT_NE(report.recommended, std::nullopt) << newest << ": " << summary(report);
        }
}

// Two runs side by side save at different times.
TEST(Components, TwoAdjacentRunsAreNotJoined)
{
    Corpus c;
    for (std::int64_t save = 1; save <= 3; ++save)
        for (const std::int64_t run : {0, 1})
            c.put(std::string(run == 0 ? "alpha" : "beta") + "/" + std::to_string(save * 100) + ".pt",
                  state(int(run), save * 100, true), run * 40'000 + save * 3600, 0644);
    for (const CheckpointSet &set : c.judgeAll().sets)
        for (const MemberVerdict &member : set.members)
            EXPECT_TRUE(c.inventory.members.at(std::size_t(member.member)).parts.empty()) << set.id;
}

TEST(Components, ACopyUnderAnotherNameIsLeftOut)
{
    Corpus c;
    for (std::int64_t save = 1; save <= 3; ++save)
        c.put("model_" + std::to_string(save * 100) + ".pt", state(0, save * 100, true), save * 3600, 0644);
    c.put("model_best_200.pt", state(0, 200, true), 7200, 0644);
    const CheckpointReport report = c.judgeAll();
    ASSERT_TRUE(report.recommended);
    EXPECT_EQ(report.find(*report.recommended)->globalStep, 300);
}

}  // namespace
}  // namespace rankdeck::components_corpus_test
