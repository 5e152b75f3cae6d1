// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of bytes, as the fields of a line need them. Pure.
#pragma once

namespace rankdeck {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool isBlank(char c) { return c == ' '; }
// Of one word; bytes beyond ASCII belong to words.
constexpr bool isInWord(char c)
{
    return isLetter(c) || isDigit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace rankdeck
