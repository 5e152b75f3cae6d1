// SPDX-License-Identifier: GPL-3.0-or-later
// A save that lacks a layer or its optimizer state, while all other saves of the run have it. Also ranks that share one
// file. Each file is complete, so only a comparison with the others shows it.
#include "core/base/text.h"
#include "core/checkpoint/listing_tree.h"
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::lost_parts_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;
using Items = std::vector<std::pair<std::string, std::string>>;

std::string n(std::int64_t number) { return std::to_string(number); }

struct Held {
    std::vector<std::string> layers{"in", "mid", "out"}, moments{"in", "mid", "out"};
    bool optimizer = true;  // true: the file has the dictionary of an optimizer
    bool ema = false;
};

std::string saved(std::int64_t step, const Held &held, int rank = 0)
{
    std::vector<test::TorchRecord> records;
    const auto tensors = [&](const std::vector<std::string> &names, const std::string &what, float base) {
        Items items;
        for (const std::string &name : names) {
            const std::string key = std::to_string(records.size());
            std::vector<float> values(64);
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = (i % 3 == 0 ? -1.0f : 1.0f) * (base + float(step) / 100 + float(rank) + float(i));
            records.push_back({key, test::floatBytes(values)});
            items.emplace_back(name + what, pkl::floats(key, 64));
        }
        return items;
    };
    Items root{{"step", pkl::integer(step)}, {"model", pkl::dict(tensors(held.layers, ".weight", 1))}};
    if (held.optimizer) root.emplace_back("optimizer", pkl::dict(tensors(held.moments, ".exp_avg", 2)));
    if (held.ema) root.emplace_back("ema", pkl::dict(tensors(held.layers, ".average", 3)));
    return test::torchZip(pkl::whole(pkl::dict(root)), records);
}

// step → contents of that save; one file for all ranks.
CheckpointReport judged(const std::map<std::int64_t, Held> &saves)
{
    Corpus c;
    for (const auto &[step, held] : saves) c.put("ckpt_" + n(step) + ".pt", saved(step, held), step * 10, 0644);
    return c.judgeAll();
}

const CheckpointSet &at(const CheckpointReport &report, std::int64_t step)
{
    const auto found = std::find_if(report.sets.begin(), report.sets.end(),
                                    [&](const CheckpointSet &set) { return set.globalStep == step; });
    return found == report.sets.end() ? report.sets.front() : *found;
}

bool tells(const CheckpointSet &set, ReasonCode code)
{
    return std::any_of(set.reasons.begin(), set.reasons.end(), [&](const Reason &r) { return r.code == code; });
}

TEST(LostPartsCorpus, ReportsAMissingLayerOrMomentThatAllOthersHave)
{
    const std::vector<Held> lacking{
        {{"in", "out"}}, {{}, {"in", "mid", "out"}}, {{"in", "mid", "out"}, {"in"}}, {{"in", "mid", "out"}, {}}};
    for (const Held &held : lacking)
        for (const std::int64_t step : {200, 300}) {
            std::map<std::int64_t, Held> saves{{100, {}}, {200, {}}, {300, {}}};
            saves[step] = held;
            const CheckpointReport report = judged(saves);
            EXPECT_EQ(at(report, step).verdict == Verdict::valid, false) << step << ": " << summary(report);
            EXPECT_EQ(report.recommended, step == 300 ? "0:200o" : "0:300o") << summary(report);
        }
}

TEST(LostPartsCorpus, OneOtherSaveIsEnoughToReportAMissingPart)
{
    const CheckpointReport report = judged({{100, {}}, {200, {{"in", "mid"}}}});
    EXPECT_EQ(report.recommended, "0:100o") << summary(report);
    EXPECT_TRUE(tells(at(report, 200), "part_missing")) << summary(report);
}

// Differences that do not mean a loss.
TEST(LostPartsCorpus, NewPartsChangedPartsAndExportsAreNotALoss)
{
    Held thawed;
    thawed.moments = {"in"};
    Held averaged;
    averaged.ema = true;
    Held other;
    other.layers = {"in", "out", "head"};
    Held weights;
    weights.optimizer = false;
    const std::vector<std::map<std::int64_t, Held>> healthy{
        {{100, thawed}, {200, {}}, {300, {}}},                  // a layer that was frozen at first
        {{100, {}}, {200, averaged}, {300, averaged}},          // an average that begins late
        {{100, {}}, {200, {}}, {300, other}},                   // another head from here on
        {{100, {}}, {200, {}}, {300, {}}, {400, weights}},      // the last one is an export
        {{100, weights}, {200, {}}, {300, weights}, {400, {}}}  // exports in between
    };
    for (const auto &saves : healthy) {
        const CheckpointReport report = judged(saves);
        for (const CheckpointSet &set : report.sets) {
            const bool isExport = !saves.at(*set.globalStep).optimizer;
            EXPECT_EQ(tells(set, "part_missing"), false) << summary(report);
            EXPECT_EQ(set.verdict, isExport ? Verdict::validUnproven : Verdict::valid) << summary(report);
        }
    }
}

TEST(LostPartsCorpus, ComparesTheFileOfARankWithItsFilesInOtherSaves)
{
    Corpus c;
    for (const std::int64_t step : {100, 200, 300})
        for (int rank = 0; rank < 2; ++rank) {
            Held held;
            if (step == 300) held.layers = {"in", "out"};  // in all ranks, so that they agree
            c.put("rank_" + n(rank) + "/ckpt_" + n(step) + ".pt", saved(step, held, rank), step * 10, 0644);
        }
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:200o") << summary(report);
    EXPECT_TRUE(tells(at(report, 300), "part_missing")) << summary(report);
}

TEST(LostPartsCorpus, TwoRanksThatShareOneFileByALinkAreNotProven)
{
    for (const int world : {2, 4}) {
        Corpus c;
        for (const std::int64_t step : {100, 200})
            for (int rank = 0; rank < world; ++rank)
                c.put("rank_" + n(rank) + "/ckpt_" + n(step) + ".pt", saved(step, {}, rank == 1 ? 0 : rank), step * 10,
                      0644);
        c.judgeAll();
        const auto known = [&](const Member &member) {
            Evidence own = c.evidenceOf(std::string(pathBelow(member.file.path, "/job/ckpt")));
            own.stat = member.file.stat;
            return std::make_shared<const Evidence>(std::move(own));
        };
        Inventory linked = c.inventory;
        for (Member &member : linked.members)
            for (const Member &other : c.inventory.members)
                if (member.rank == 1 && other.rank == 0 && baseName(other.file.path) == baseName(member.file.path))
                    member.file.stat.inode = other.file.stat.inode;
        const CheckpointReport report = judge(linked, known, c.expected);
        ASSERT_EQ(report.sets.size(), 2u) << summary(report);
        for (const CheckpointSet &set : report.sets) {
            EXPECT_EQ(set.verdict, Verdict::validUnproven) << summary(report);
            EXPECT_TRUE(tells(set, "rank_unproven")) << summary(report);
        }
        c.expected.replicaGroups = {{0, 1}};  // as declared in a job file
        EXPECT_FALSE(tells(judge(linked, known, c.expected).sets.front(), "rank_unproven"));
    }
}

}  // namespace
}  // namespace rankdeck::lost_parts_corpus_test
