// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/work.h"

#include <gtest/gtest.h>

namespace rankdeck::work_test {
namespace {

using namespace std::chrono_literals;

TEST(Work, RestAfterLimitsWorkToItsShareOfTime)
{
    EXPECT_EQ(restAfter(10ms, 10, 1s), 90ms);
    EXPECT_EQ(restAfter(0ms, 10, 1s), 0ms);
    EXPECT_EQ(restAfter(500ms, 10, 1s), 1s) << "never longer than this";
    EXPECT_EQ(restAfter(-1ms, 10, 1s), 0ms);
}

TEST(Work, WorkOfThisThreadGrowsWithProcessorTime)
{
    const auto before = workOfThisThread();
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < 10'000'000; ++i) sum += i * i;
    EXPECT_GT(workOfThisThread(), before) << sum;
}

}  // namespace
}  // namespace rankdeck::work_test
