// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/decimal.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <random>
#include <string>

namespace rankdeck {
namespace {

// The library is the judge: same value to the last bit, same end.
void expectAsTheLibrary(const std::string &text)
{
    const char *at = text.data();
    double value = 0;
    if (!takeDecimal(at, text.data() + text.size(), value)) {
        EXPECT_EQ(at, text.data());
        return;
    }
    double wanted = 0;
    const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), wanted);
    EXPECT_EQ(at, result.ptr) << text;
    EXPECT_EQ(value, wanted) << text;
}

TEST(Decimal, TakesWhatLossesLookLike)
{
    for (const char *const text :
         {"2.2659149169921875", "0", "-1.5", "2.", "1234567890123456", "0.000000000000000001"}) {
        const std::string whole = text;
        const char *at = whole.data();
        double value = 0;
        EXPECT_TRUE(takeDecimal(at, whole.data() + whole.size(), value)) << text;
        expectAsTheLibrary(text);
    }
}

TEST(Decimal, LeavesTheRestToTheLibrary)
{
    for (const char *const text : {"", "-", ".5", "1e5", "1.5E-3", "nan", "inf", "12345678901234567890",
                                   "123456789012345678", "1.2.3", "0x10", "1abc"}) {
        const std::string whole = text;
        const char *at = whole.data();
        double value = 0;
        EXPECT_FALSE(takeDecimal(at, whole.data() + whole.size(), value)) << text;
        EXPECT_EQ(at, whole.data());
    }
}

TEST(Decimal, RoundsAsTheLibraryDoes)
{
    std::mt19937_64 random(5);
    char text[64];
    for (int round = 0; round < 300000; ++round) {
        const double real = static_cast<double>(random() % 100000000) / 7919;
        std::snprintf(text, sizeof text, "%.*g", 1 + static_cast<int>(random() % 19), real);
        expectAsTheLibrary(text);
        std::string digits = std::to_string(random());
        digits.resize(std::min<std::size_t>(digits.size(), 1 + random() % 19));
        digits.insert(random() % (digits.size() + 1), ".");
        expectAsTheLibrary(digits);
        expectAsTheLibrary(digits + ", x");
    }
}

}  // namespace
}  // namespace rankdeck
