// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/message_start.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

// True if this is the last part of a logger's prefix. Such a part has a typical end, is a level, or contains a number
// (a time, a source line).
bool endsPrefix(std::string_view word)
{
    static constexpr std::array<std::string_view, 5> levels{"INFO", "WARNING", "WARN", "DEBUG", "NOTICE"};
    if (std::string_view("]:-|>").find(word.back()) != std::string_view::npos) return true;
    return std::find(levels.begin(), levels.end(), word) != levels.end() ||
           (word.find_first_of("0123456789") != std::string_view::npos && word.back() != ',' && word.back() != '.');
}

}  // namespace

bool beginsMessage(std::string_view line, std::size_t at)
{
    const std::string_view before = line.substr(0, at);
    if (!before.empty() && before.back() != ' ' && before.back() != '\t' && before.back() != ':') return false;
    const std::size_t last = before.find_last_not_of(" \t");
    if (last == std::string_view::npos) return true;
    const std::size_t blank = before.find_last_of(" \t", last);
    return endsPrefix(before.substr(blank + 1, last - blank));
}

}  // namespace rankdeck
