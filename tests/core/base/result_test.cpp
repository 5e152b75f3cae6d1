// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace rankdeck::result_test {
namespace {

Result<std::vector<int>> made() { return std::vector<int>{1, 2, 3}; }

// Regression: value() of a temporary result returned a reference into it, which dangled before the first iteration.
TEST(ResultTest, ValueOfATemporaryResultIsCopied)
{
    static_assert(std::is_same_v<decltype(made().value()), std::vector<int>>);
    static_assert(std::is_same_v<decltype(*made()), std::vector<int>>);
    int sum = 0;
    for (const int number : made().value()) sum += number;
    EXPECT_EQ(sum, 6);
}

}  // namespace
}  // namespace rankdeck::result_test
