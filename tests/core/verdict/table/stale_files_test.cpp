// SPDX-License-Identifier: GPL-3.0-or-later
// Files of ranks that name no step: one of them may have the content of an older save under the name of the newest.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/frameworks/layout_files.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

namespace rankdeck::stale_files_test {
namespace {

using test::Corpus;

// Files of ranks that name no step. `stale`: this rank's file of step 300 has the content of step 200. `frozen`: this
// rank's file is equal in all saves.
Corpus ranksWithoutSteps(bool arrays, int ranks, int stale, int frozen)
{
    Corpus c;
    for (const std::int64_t step : {100, 200, 300})
        for (int rank = 0; rank < ranks; ++rank) {
            const std::int64_t of = rank == frozen ? 100 : rank == stale && step == 300 ? 200 : step;
            const std::vector<float> values = test::weightsAt({}, of, unsigned(rank));
            c.put("rank_" + std::to_string(rank) + "/step_" + std::to_string(step) + (arrays ? ".npz" : ".safetensors"),
                  arrays ? test::npzFile({{"w", values}}) : test::safetensorsFile({{"w", values}}), step * 6 + rank,
                  0644);
        }
    return c;
}

// The steps of the saves with a file that repeats an older one.
std::string doubted(Corpus c)
{
    std::string steps;
    for (const CheckpointSet &set : c.judgeAll().sets)
        for (const Reason &reason : set.reasons)
            if (reason.code == ReasonCode("values_repeated")) steps += std::to_string(set.globalStep.value_or(0)) + " ";
    return steps;
}

TEST(StaleFiles, WithoutAStepAreReported)
{
    for (const bool arrays : {true, false})
        for (const int ranks : {2, 3, 5}) {
            SCOPED_TRACE(std::to_string(ranks) + (arrays ? " npz" : " safetensors"));
            EXPECT_EQ(doubted(ranksWithoutSteps(arrays, ranks, -1, -1)), "");
            EXPECT_EQ(doubted(ranksWithoutSteps(arrays, ranks, -1, 1)), "") << "frozen";
            for (int stale = 0; stale < ranks; ++stale)
                EXPECT_EQ(doubted(ranksWithoutSteps(arrays, ranks, stale, -1)), "300 ") << stale;
        }
}

// Whether the other rank changed is unknown if its older file cannot be read.
TEST(StaleFiles, AreNotReportedIfTheOtherRankIsUnknown)
{
    Corpus c = ranksWithoutSteps(false, 2, 0, -1);
    EXPECT_EQ(doubted(c), "300 ");
    c.refuse("rank_1/step_200.safetensors", "Input/output error");
    EXPECT_EQ(doubted(std::move(c)), "");
}

}  // namespace
}  // namespace rankdeck::stale_files_test
