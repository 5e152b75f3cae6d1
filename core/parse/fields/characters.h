// SPDX-License-Identifier: GPL-3.0-or-later
// Classes of bytes, for splitting a line into fields. Pure.
#pragma once

namespace rankdeck {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool isBlank(char c) { return c == ' '; }
// Letters, digits and '_'; bytes beyond ASCII also count as letters.
constexpr bool isInWord(char c)
{
    return isLetter(c) || isDigit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace rankdeck
