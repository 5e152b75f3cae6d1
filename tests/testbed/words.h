// SPDX-License-Identifier: GPL-3.0-or-later
// EXPECT_EQ(report.outcome, "stopped"): a test compares a word of a closed list with a literal at run time, and fails
// where the literal is no word of the list.
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
