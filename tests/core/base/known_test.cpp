// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/known.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace rankdeck::known_test {
namespace {

TEST(KnownAnswer, HasThreeValuesAndDoesNotConvertToBool)
{
    static_assert(!std::is_constructible_v<bool, Known>, "if (answer) would take unknown for no");
    static_assert(!std::is_constructible_v<Known, int> && !std::is_constructible_v<Known, const char *>);
    EXPECT_TRUE(Known().isUnknown());
    EXPECT_EQ(Known(std::nullopt), Known::unknown);
    EXPECT_EQ(Known(true), Known::yes);
    EXPECT_NE(Known(false), Known::unknown);
    EXPECT_TRUE(Known::unknown.mayBe());
    EXPECT_TRUE(Known::yes.mayBe());
    EXPECT_FALSE(Known::no.mayBe());
}

}  // namespace
}  // namespace rankdeck::known_test
