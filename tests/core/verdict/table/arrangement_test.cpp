// SPDX-License-Identifier: GPL-3.0-or-later
// The inferred table: a row for each file of each set, whose certainty follows from the evidence for its place.
#include "core/verdict/table/arrangement.h"

#include "tests/core/verdict/corpus.h"

#include <gtest/gtest.h>

#include <set>

namespace rankdeck::arrangement_test {
namespace {

using test::Corpus;
using Certainty = PlacedPart::Certainty;

std::string record(std::int64_t step)
{
    return test::record("layer.weight", "Float32", {4}, std::string(16, '\x3c')) + test::int64Record("epoch_num", 1) +
           test::int64Record("step_num", step);
}

TEST(Arrangement, HasARowForEachFileOfEachSet)
{
    Corpus c;
    c.expected.explain = true;
    for (const int step : {5, 10})
        for (int rank = 0; rank < 3; ++rank)
            c.put("rank_" + std::to_string(rank) + "/lenet-1_" + std::to_string(step) + ".ckpt", record(step), step);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.table.size(), 6U);
    std::set<std::string> paths, slots;
    for (const PlacedPart &row : report.table) {
        paths.insert(row.path);
        slots.insert(row.slot);
        const CheckpointSet *set = report.find(row.save);
        ASSERT_NE(set, nullptr) << row.save;
        EXPECT_EQ(set->members.at(std::size_t(row.rank)).path, row.path);
        EXPECT_EQ(row.certainty, Certainty::stated);
        EXPECT_EQ(row.evidence.size(), 2U);
    }
    EXPECT_EQ(paths.size(), 6U);
    EXPECT_EQ(slots.size(), 1U) << *slots.begin();
    c.expected.explain = false;
    EXPECT_TRUE(c.judgeAll().table.empty());
}

TEST(Arrangement, DoubtMakesARowAmbiguous)
{
    Corpus c;
    c.expected.explain = true;
    for (const int step : {5, 10})
        for (const char *folder : {"worker_1", "worker_2"})
            c.put(folder + ("/lenet-1_" + std::to_string(step)) + ".ckpt", record(step), step);
    const CheckpointReport report = c.judgeAll();
    ASSERT_FALSE(report.table.empty());
    bool any = false;
    for (const PlacedPart &row : report.table) {
        const CheckpointSet *set = report.find(row.save);
        ASSERT_NE(set, nullptr);
        const bool doubted = std::any_of(set->reasons.begin(), set->reasons.end(),
                                         [](const Reason &reason) { return reason.code == "rank_unproven"; });
        EXPECT_EQ(row.certainty == Certainty::ambiguous, doubted) << row.path;
        any = any || doubted;
    }
    EXPECT_TRUE(any) << test::summary(report);
}

// Each code belongs to one of the five laws, as in the JSON.
TEST(Laws, EachReasonBelongsToOneLaw)
{
    const std::set<std::string_view> laws{"stated", "whole", "equal", "lawful", "unique"};
    std::set<std::string_view> seen;
    for (const ReasonRow &row : reasonRows) seen.insert(ReasonCode::find(row.word)->law());
    EXPECT_EQ(seen, laws);
}

}  // namespace
}  // namespace rankdeck::arrangement_test
