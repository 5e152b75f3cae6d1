// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/edit/unified_diff.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdint>
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
    // For an empty range, unified diff names the line before it.
    return std::to_string(count == 0 ? first : first + 1) + "," + std::to_string(count);
}

constexpr std::size_t context = 3;

struct Change {  // lines of the old text that are replaced by lines of the new one
    std::size_t old, oldEnd, now, nowEnd;
};

// The changes between the first and the last changed line, found by the longest common subsequence of lines.
std::vector<Change> changesIn(const std::vector<std::string_view> &old, const std::vector<std::string_view> &now,
                              const Change &all)
{
    constexpr std::size_t most = 4u << 20;
    const std::size_t rows = all.oldEnd - all.old, columns = all.nowEnd - all.now;
    if (rows == 0 || columns == 0 || rows > most / columns) return {all};
    // common[i][j]: length of the longest common subsequence of the old lines from i on and the new lines from j on.
    std::vector<std::uint32_t> common((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t & {
        return common[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;)
        for (std::size_t column = columns; column-- > 0;)
            at(row, column) = old[all.old + row] == now[all.now + column]
                                  ? at(row + 1, column + 1) + 1
                                  : std::max(at(row + 1, column), at(row, column + 1));
    std::vector<Change> changes;
    std::size_t row = 0, column = 0;
    while (row < rows || column < columns) {
        if (row < rows && column < columns && old[all.old + row] == now[all.now + column]) {
            ++row;
            ++column;
            continue;
        }
        const std::size_t fromRow = row, fromColumn = column;
        while ((row < rows || column < columns) &&
               !(row < rows && column < columns && old[all.old + row] == now[all.now + column]))
            if (column == columns || (row < rows && at(row + 1, column) >= at(row, column + 1)))
                ++row;
            else
                ++column;
        changes.push_back({all.old + fromRow, all.old + row, all.now + fromColumn, all.now + column});
    }
    return changes;
}

// Writes one hunk with its context lines. Its changes are so close that their contexts touch or overlap.
void putHunk(std::string &into, const std::vector<std::string_view> &old, const std::vector<std::string_view> &now,
             const std::vector<Change> &changes, std::size_t first, std::size_t end)
{
    const std::size_t before = std::min(context, changes[first].old);
    const std::size_t behind = std::min(context, old.size() - changes[end - 1].oldEnd);
    const std::size_t from = changes[first].old - before, fromNow = changes[first].now - before;
    into += "@@ -" + range(from, changes[end - 1].oldEnd + behind - from) + " +" +
            range(fromNow, changes[end - 1].nowEnd + behind - fromNow) + " @@\n";
    std::size_t line = from;
    for (std::size_t i = first; i < end; ++i) {
        for (; line < changes[i].old; ++line) put(into, ' ', old[line]);
        for (; line < changes[i].oldEnd; ++line) put(into, '-', old[line]);
        for (std::size_t added = changes[i].now; added < changes[i].nowEnd; ++added) put(into, '+', now[added]);
    }
    for (const std::size_t last = line + behind; line < last; ++line) put(into, ' ', old[line]);
}

}  // namespace

std::string unifiedDiff(const std::string &path, std::string_view before, std::string_view after)
{
    if (before == after) return {};
    const auto old = linesOf(before), now = linesOf(after);
    const std::size_t shorter = std::min(old.size(), now.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && old[head] == now[head]) ++head;
    while (tail < shorter - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;
    const std::vector<Change> changes = changesIn(old, now, {head, old.size() - tail, head, now.size() - tail});
    std::string diff = "--- " + printable(path) + "\n+++ " + printable(path) + "\n";
    for (std::size_t first = 0; first < changes.size();) {
        std::size_t end = first + 1;
        while (end < changes.size() && changes[end].old - changes[end - 1].oldEnd <= 2 * context) ++end;
        putHunk(diff, old, now, changes, first, end);
        first = end;
    }
    return diff;
}

}  // namespace rankdeck
