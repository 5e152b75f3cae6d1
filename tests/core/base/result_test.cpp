// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rankdeck {
namespace {

Result<std::vector<std::string>> answer() { return std::vector<std::string>(3, std::string(100, 'x')); }

TEST(ResultValue, OfATemporaryOutlivesItInALoop)
{
    static_assert(std::is_same_v<decltype(std::declval<Result<std::string>>().value()), std::string>);
    std::size_t length = 0;
    for (const std::string &line : answer().value()) length += line.size();
    EXPECT_EQ(length, 300u);
}

}  // namespace
}  // namespace rankdeck
