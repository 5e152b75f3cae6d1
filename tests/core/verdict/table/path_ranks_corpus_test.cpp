// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks whose numbers are anywhere in a path, in one place or in two, as properties over generated paths. Other numbers
// of the path may be equal to a rank. The files of a save are one set, and a lost file is missed. Runs and stages that
// save at other times are not joined.
#include "core/base/text.h"
#include "tests/core/verdict/table/random_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

namespace rankdeck::path_ranks_corpus_test {
namespace {

using test::Corpus;
using test::summary;

constexpr int saves = 3;
constexpr std::int64_t paces[] = {1, 100, 500};
constexpr std::int64_t pause = 600;  // seconds from save to save

// The step is {s}. One of four ranks is {r}, or {t} and {p} together. Random words are {w} and {v}, and {n} is a
// number that is the same in all files.
constexpr const char *forms[] = {"{s}/{w}/{r}/state.pt",
                                 "{w}{n}/{s}/{r}/state.pt",
                                 "{w}{n}/{v}{n}/{s}/{w}{r}/x.pt",
                                 "exp{n}/{r}/step_{s}.pt",
                                 "{w}{n}/gpu{r}/step_{s}.pt",
                                 "stage{r}/step_{s}.pt",
                                 "step_{s}/stage{r}/model.pt",
                                 "{s}/part{r}/model.pt",
                                 "model_{r}/{s}/x.pt",
                                 "worker-{r}/{w}/{s}.tar",
                                 "20{n}4-11-30T{s}-r{r}.pt",
                                 "step{s}/{w}_{t}/{v}_{p}.pt",
                                 "{w}{t}/step{s}-{v}{p}.pt",
                                 "{s}/{w}{t}/{v}{p}/m.pt",
                                 "{w}{t}/{s}/{v}{p}/m.pt",
                                 "node{t}/rank{p}-step_{s}.pt",
                                 "node{t}/gpu{p}-step_{s}.pt",
                                 "{w}{t}/step_{s}/rank_{p}.pt",
                                 "node{t}/step_{s}/rank_{p}/m.pt",
                                 "node{t}/rank_{p}/step_{s}.pt",
                                 "step_{s}/node{t}/rank{p}.pt",
                                 "node{t}_rank{p}_step_{s}.pt",
                                 "{w}{t}-{v}{p}/{s}.pt",
                                 "{t}/{p}_{s}.pt",
                                 "{w}{n}/{t}/{s}_{p}.pt",
                                 "step_{s}_{w}{r}/m.pt",
                                 "{w}{r}-{s}/{v}{n}.pt",
                                 "r{r}-checkpoint-{s}/{w}/m.pt",
                                 "it-{s}-worker-{r}/{w}/x.bin",
                                 "part{r}/{w}/{v}-it-{s}.tar",
                                 "{w}{p}.step_{s}/rank{t}.pth",
                                 "{w}{n}/{p}.global_step{s}/tp{t}/run1.pth",
                                 "{w}{t}-step{s}-r{p}/out{n}/m.pt"};

struct Ranked {
    Corpus files;
    std::vector<std::vector<std::string>> paths = {};  // by save and rank
};

std::string randomWord(std::mt19937 &random)
{
    const std::string letters = "bcdfghjkmpqtvwxz";  // "step" and "run" cannot come out
    std::string word;
    for (std::size_t i = 0; i < 2 + random() % 4; ++i) word += letters[random() % letters.size()];
    return word;
}

std::string filled(std::string form, const std::vector<std::pair<std::string, std::string>> &values)
{
    for (const auto &[name, value] : values) form = replaceAll(form, "{" + name + "}", value);
    return form;
}

Ranked runOf(const std::string &form, std::mt19937 &random)
{
    const std::string word = randomWord(random), other = randomWord(random) + "z",
                      number = std::to_string(random() % 10);
    const std::int64_t pace = paces[random() % std::size(paces)];
    Ranked run;
    for (int save = 0; save < saves; ++save) {
        const std::int64_t step = pace * (save + 1);
        run.paths.emplace_back();
        for (int rank = 0; rank < 4; ++rank) {
            run.paths.back().push_back(filled(form, {{"s", std::to_string(step)},
                                                     {"r", std::to_string(rank)},
                                                     {"t", std::to_string(rank / 2)},
                                                     {"p", std::to_string(rank % 2)},
                                                     {"w", word},
                                                     {"v", other},
                                                     {"n", number}}));
            run.files.put(run.paths.back().back(), test::componentState(rank, step, true), save * pause + rank, 0644);
        }
    }
    return run;
}

std::vector<const CheckpointSet *> setsWith(const CheckpointReport &report, const std::vector<std::string> &paths)
{
    std::vector<const CheckpointSet *> sets;
    for (const CheckpointSet &set : report.sets)
        if (std::any_of(set.members.begin(), set.members.end(), [&](const MemberVerdict &member) {
                return std::any_of(paths.begin(), paths.end(),
                                   [&](const std::string &path) { return member.path == "/job/ckpt/" + path; });
            }))
            sets.push_back(&set);
    return sets;
}

bool isUsable(const CheckpointSet &set)
{
    return set.verdict == Verdict::valid || set.verdict == Verdict::validUnproven;
}

void expectWhole(const CheckpointReport &report, const std::vector<std::string> &save)
{
    const auto sets = setsWith(report, save);
    ASSERT_EQ(sets.size(), 1u);
    EXPECT_EQ(sets.front()->members.size(), save.size());
    EXPECT_TRUE(isUsable(*sets.front()));
}

void eachRanked(const std::function<void(Ranked &run)> &check)
{
    for (const char *form : forms)
        for (unsigned seed = 1; seed <= 5; ++seed) {
            std::mt19937 random(seed);
            Ranked run = runOf(form, random);
            SCOPED_TRACE(run.paths.back().back());
            check(run);
        }
}

TEST(PathRanks, PropertyFilesOfASaveAreOneSet)
{
    eachRanked([](Ranked &run) {
        const CheckpointReport report = run.files.judgeAll();
        SCOPED_TRACE(summary(report));
        EXPECT_EQ(report.sets.size(), std::size_t(saves));
        for (const auto &save : run.paths) expectWhole(report, save);
    });
}

TEST(PathRanks, PropertyLostFileOfASaveIsMissedAndOlderSavesStay)
{
    eachRanked([](const Ranked &whole) {
        for (std::size_t rank = 0; rank < 4; ++rank) {
            Ranked run = whole;
            run.files.remove(run.paths.back()[rank]);
            const CheckpointReport report = run.files.judgeAll();
            SCOPED_TRACE("lost: rank " + std::to_string(rank) + ": " + summary(report));
            run.paths.back().erase(run.paths.back().begin() + std::ptrdiff_t(rank));
            for (const CheckpointSet *set : setsWith(report, run.paths.back())) EXPECT_FALSE(isUsable(*set));
            for (int save = 0; save + 1 < saves; ++save) expectWhole(report, run.paths[std::size_t(save)]);
        }
    });
}

// All files of a node, or of one place in each node.
TEST(PathRanks, PropertyLostHalfOfASaveIsMissedAndOlderSavesStay)
{
    eachRanked([](const Ranked &whole) {
        for (const std::set<std::size_t> &lost : {std::set<std::size_t>{0, 1}, {2, 3}, {0, 2}, {1, 3}}) {
            Ranked run = whole;
            std::vector<std::string> left;
            for (std::size_t rank = 0; rank < 4; ++rank)
                if (lost.contains(rank))
                    run.files.remove(run.paths.back()[rank]);
                else
                    left.push_back(run.paths.back()[rank]);
            const CheckpointReport report = run.files.judgeAll();
            SCOPED_TRACE("lost: rank " + std::to_string(*lost.begin()) + " and another: " + summary(report));
            for (const CheckpointSet *set : setsWith(report, left)) EXPECT_FALSE(isUsable(*set));
            for (int save = 0; save + 1 < saves; ++save) expectWhole(report, run.paths[std::size_t(save)]);
        }
    });
}

// Two runs of two ranks each, which save at other times: the second one is later, or slower.
TEST(PathRanks, PropertyRunsThatSaveAtOtherTimesAreNotJoined)
{
    for (const char *form : {"{w}{t}/rank{p}_{s}.pt", "{w}{t}/{s}/rank_{p}.pt", "{w}{t}/{v}{p}/{s}.pt",
                             "node{t}/gpu{p}-step_{s}.pt", "stage{t}/rank{p}_{s}.pt", "model_{t}/{s}/rank{p}.pt"})
        for (const std::int64_t late : {40, 250, 10'000}) {
            std::mt19937 random(3);
            const Ranked paths = runOf(form, random);
            Corpus files;
            for (std::size_t save = 0; save < std::size_t(saves); ++save)
                for (std::size_t rank = 0; rank < 4; ++rank)
                    files.put(paths.paths[save][rank], test::componentState(int(rank), std::int64_t(save + 1), true),
                              std::int64_t(save) * pause + std::int64_t(rank % 2) + (rank < 2 ? 0 : late), 0644);
            const CheckpointReport report = files.judgeAll();
            SCOPED_TRACE(paths.paths.back().back() + ", " + std::to_string(late) + " s: " + summary(report));
            for (const auto &save : paths.paths)
                for (const CheckpointSet *set : setsWith(report, {save[0]}))
                    for (const CheckpointSet *other : setsWith(report, {save[2]})) EXPECT_NE(set, other);
        }
}

TEST(PathRanks, SuccessiveStagesAreNotRanks)
{
    Corpus files;
    for (int stage = 0; stage < 3; ++stage)
        for (int save = 0; save < saves; ++save)
            files.put(
                filled("stage{r}/step_{s}.pt", {{"r", std::to_string(stage)}, {"s", std::to_string(100 * (save + 1))}}),
                test::componentState(stage, std::int64_t{100} * (save + 1), true), (stage * saves + save) * pause,
                0644);
    for (const CheckpointSet &set : files.judgeAll().sets) EXPECT_EQ(set.members.size(), 1u);
}

// Each rank has three files for each save, which differ in a number: none of them alone is the save.
TEST(PathRanks, PropertyOneOfSeveralNumberedFilesOfARankIsNeverValid)
{
    for (const char *form : {"gpu{t}/part{p}_{s}.pt", "rank_{t}/{w}{p}_{s}.pt", "device_{t}/step_{s}_{w}-{p}.pt"}) {
        std::mt19937 random(5);
        const std::string word = randomWord(random);
        Corpus files;
        for (int save = 0; save < saves; ++save)
            for (int rank = 0; rank < 2; ++rank)
                for (int part = 0; part < 3; ++part)
                    files.put(filled(form, {{"s", std::to_string(100 * (save + 1))},
                                            {"t", std::to_string(rank)},
                                            {"p", std::to_string(part)},
                                            {"w", word}}),
                              test::componentState(part, std::int64_t{100} * (save + 1), false),
                              save * pause + rank + part, 0644);
        const CheckpointReport report = files.judgeAll();
        for (const CheckpointSet &set : report.sets) EXPECT_NE(set.verdict, Verdict::valid) << form << summary(report);
    }
}

}  // namespace
}  // namespace rankdeck::path_ranks_corpus_test
