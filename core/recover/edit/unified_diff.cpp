// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/edit/unified_diff.h"

#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace rankdeck {

namespace {

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

void put(std::string &into, char mark, std::string_view line)
{
    const bool ended = line.ends_with('\n');
    if (ended) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    into += mark;
    into += printable(line);
    into += ended ? "\n" : "\n\\ No newline at end of file\n";
}

std::string range(std::size_t first, std::size_t count)
{
    // An empty range names the line before it.
    return std::to_string(count == 0 ? first : first + 1) + "," + std::to_string(count);
}

}  // namespace

std::string unifiedDiff(const std::string &path, std::string_view before, std::string_view after)
{
    if (before == after) return {};
    constexpr std::size_t context = 3;
    const auto old = linesOf(before), now = linesOf(after);
    const std::size_t shorter = std::min(old.size(), now.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && old[head] == now[head]) ++head;
    while (tail < shorter - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;
    const std::size_t first = head > context ? head - context : 0;
    const std::size_t after3 = std::min(tail, context);
    const std::size_t oldEnd = old.size() - tail, nowEnd = now.size() - tail;

    std::string diff = "--- " + printable(path) + "\n+++ " + printable(path) + "\n@@ -" +
                       range(first, oldEnd + after3 - first) + " +" + range(first, nowEnd + after3 - first) + " @@\n";
    for (std::size_t i = first; i < head; ++i) put(diff, ' ', old[i]);
    for (std::size_t i = head; i < oldEnd; ++i) put(diff, '-', old[i]);
    for (std::size_t i = head; i < nowEnd; ++i) put(diff, '+', now[i]);
    for (std::size_t i = oldEnd; i < oldEnd + after3; ++i) put(diff, ' ', old[i]);
    return diff;
}

}  // namespace rankdeck
