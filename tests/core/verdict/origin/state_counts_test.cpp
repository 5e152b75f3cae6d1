// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/origin/state_counts.h"

#include <gtest/gtest.h>

#include <utility>

namespace rankdeck::state_counts_test {
namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;  // (position, count) of each save

std::optional<std::size_t> off(const Pairs &pairs, bool ofData = false)
{
    std::vector<StateCount> all;
    for (const auto &[position, value] : pairs) all.push_back({all.size(), position, value});
    return countThatIsOff(all, ofData);
}

TEST(StateCounts, CountThatDoesNotMatchTheOthersIsReported)
{
    EXPECT_EQ(off({{10, 10}, {20, 20}, {30, 20}}), 2U);
    EXPECT_EQ(off({{10, 10}, {20, 40}, {30, 30}}), 1U);
    EXPECT_EQ(off({{10, 35}, {20, 20}, {30, 30}, {40, 40}}), 0U);
    EXPECT_EQ(off({{10, 20}, {20, 40}, {30, 40}}), 2U);  // an equal excess of 10 in two saves is no better explanation
    EXPECT_EQ(off({{100, 110}, {200, 210}, {300, 210}}), 2U);        // ten more counts than steps
    EXPECT_EQ(off({{100, 8}, {200, 16}, {300, 25}, {400, 8}}), 3U);  // one count in twelve steps
    EXPECT_EQ(off({{100, 100}, {200, 200}, {300, 280}}), 2U);
    EXPECT_EQ(off({{100, 100}, {200, 100}}), 1U);
}

TEST(StateCounts, NothingIsReportedIfAllCountsMatchOrNoneIsKnown)
{
    EXPECT_EQ(off({}), std::nullopt);
    EXPECT_EQ(off({{10, 3}}), std::nullopt);
    EXPECT_EQ(off({{10, 10}, {20, 20}, {30, 30}}), std::nullopt);
    EXPECT_EQ(off({{10, 0}, {20, 0}, {30, 0}}), std::nullopt);
    EXPECT_EQ(off({{10, 10}, {20, 21}, {30, 31}}), std::nullopt);
    EXPECT_EQ(off({{100, 100}, {200, 200}, {300, 292}}), std::nullopt);  // steps with overflows are not counted
    EXPECT_EQ(off({{10, 5}, {20, 17}, {30, 21}}), std::nullopt);
    EXPECT_EQ(off({{10, 10}, {20, 20}, {30, 10}, {40, 20}}), std::nullopt);  // reset at 20
    EXPECT_EQ(off({{1, 1}, {2, 2}, {3, 3}}), std::nullopt);
    EXPECT_EQ(off({{100, 1}, {200, 3}}), std::nullopt);
    EXPECT_EQ(off({{100, 400}, {200, 400}}), std::nullopt);  // four or two for each step, or it ended at 400
    EXPECT_EQ(off({{1500, 1}, {3999, 3}, {1'000'000, 833}}), std::nullopt);  // one count in 1,200 steps
}

TEST(StateCounts, DataCountsMayRestartWithEachEpoch)
{
    EXPECT_EQ(off({{10, 10}, {20, 20}, {30, 5}, {40, 15}}, true), std::nullopt);
    EXPECT_EQ(off({{10, 10}, {20, 20}, {30, 30}, {40, 20}}, true), 3U);
    EXPECT_EQ(off({{10, 40}, {20, 80}, {30, 20}, {40, 60}}, true), std::nullopt);  // four batches make a step
    EXPECT_EQ(off({{10, 10}, {20, 25}, {30, 30}}, true), 1U);
    EXPECT_EQ(off({{10, 3}, {20, 6}, {30, 2}}, true), std::nullopt);  // epochs of seven steps
    EXPECT_EQ(off({{10, 10}, {20, 20}}, true), std::nullopt);
}

}  // namespace
}  // namespace rankdeck::state_counts_test
