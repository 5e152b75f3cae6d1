// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of closed lists with literals, as in EXPECT_EQ(report.outcome, "stopped"). It happens at run time, and the
// test fails if the literal is not in the list.
#pragma once

#include "core/base/word.h"

#include <string_view>

namespace rankdeck {

template <const auto &Rows, std::size_t Size>
bool operator==(const Word<Rows> &word, const char (&text)[Size])
{
    return std::string_view(text) == word.word();
}

template <const auto &Rows, std::size_t Size>
bool operator!=(const Word<Rows> &word, const char (&text)[Size])
{
    return !(word == text);
}

}  // namespace rankdeck
