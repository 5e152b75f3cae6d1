// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/clock_text.h"

#include "core/parse/fields/characters.h"

namespace rankdeck {

namespace {

bool continues(char c)
{
    return isDigit(c) || isLetter(c) || c == '_' || std::string_view(":.-/+").find(c) != std::string_view::npos;
}

}  // namespace

std::size_t endOfClock(std::string_view line, std::size_t begin)
{
    const auto at = [line](std::size_t index) { return index < line.size() ? line[index] : '\0'; };
    std::size_t end = begin;
    while (isDigit(at(end))) ++end;
    const std::size_t digits = end - begin;
    bool clock = false;
    if (digits == 0) return begin;
    if (at(end) == ':' && digits <= 3 && isDigit(at(end + 1)) && isDigit(at(end + 2)) && !isDigit(at(end + 3)))
        clock = true;
    if (at(end) == '-' && (digits == 4 || digits == 2) && isDigit(at(end + 1)) && isDigit(at(end + 2)) &&
        !isDigit(at(end + 3)))
        clock = true;
    if (at(end) == '/' && digits <= 4 && isDigit(at(end + 1))) {  // "10/30 22:21:02", "2026/02/18"
        std::size_t next = end + 1;
        while (isDigit(at(next))) ++next;
        if (at(next) == '/' && isDigit(at(next + 1))) clock = true;
        const bool time = isBlank(at(next)) && isDigit(at(next + 1)) && isDigit(at(next + 2)) && at(next + 3) == ':';
        if (time && isDigit(at(next + 4)) && next - end <= 3) clock = true;
    }
    if (at(end) == '.' && isDigit(at(end + 1))) {
        std::size_t next = end + 1;
        while (isDigit(at(next))) ++next;
        clock = at(next) == '.' && isDigit(at(next + 1));
    }
    if (!clock) return begin;
    while (end < line.size() && continues(line[end])) ++end;
    if (at(end) == ',' && isDigit(at(end + 1)) && isDigit(at(end + 2)) && isDigit(at(end + 3)) && !isDigit(at(end + 4)))
        end += 4;  // thousandths
    return end;
}

}  // namespace rankdeck
