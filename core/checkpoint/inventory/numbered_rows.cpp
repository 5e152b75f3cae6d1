// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/numbered_rows.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/inventory/unlooked.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/saved_name.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace rankdeck {
namespace {

constexpr std::size_t largestRow = 500;     // more are data
constexpr std::uint64_t smallestFile = 64;  // bytes

// Data, pictures and reports are not read.
constexpr std::string_view otherKinds[] = {".jpg", ".jpeg", ".png",  ".gif", ".bmp",     ".svg",   ".pdf",      ".wav",
                                           ".mp3", ".mp4",  ".csv",  ".tsv", ".parquet", ".arrow", ".tfrecord", ".html",
                                           ".md",  ".sh",   ".out",  ".err", ".c",       ".h",     ".cpp",      ".so",
                                           ".o",   ".db",   ".lmdb", ".idx", ".ipynb",   ".xml",   ".toml",     ".cfg"};

bool mayBeACheckpoint(const FileEntry &entry)
{
    const std::string base = baseName(entry.path);
    if (entry.stat.kind != 'f' || entry.stat.size < smallestFile || base.find("-of-") != std::string::npos ||
        base.front() == '.' || base.find("tfevents") != std::string::npos)
        return false;
    if (base.ends_with(".safetensors") || base.ends_with(".tar")) return true;
    const std::size_t dot = base.rfind('.');
    const std::string_view extension =
        dot == std::string::npos ? std::string_view() : std::string_view(base).substr(dot);
    return whatEndsIn(extension).empty() &&
           std::find(std::begin(otherKinds), std::end(otherKinds), extension) == std::end(otherKinds);
}

// A number that is too large for a step counts as 0.
std::vector<std::int64_t> valuesIn(std::string_view path)
{
    std::vector<std::int64_t> values;
    for (const std::string_view number : numbersIn(path)) values.push_back(decimal(number).value_or(0));
    return values;
}

struct NumberedRow {
    std::vector<const FileEntry *> files;
    std::vector<std::vector<std::int64_t>> numbers;  // of each file, all of its path except ranks
    bool ranked = false;
};

// Whether the files with each number were written before those with the next number, as the saves of a run are.
bool ordersTheTimes(const NumberedRow &row, std::size_t place)
{
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> times;  // number → oldest and newest
    for (std::size_t i = 0; i < row.files.size(); ++i) {
        const std::int64_t at = row.files[i]->stat.mtimeNs;
        const auto [own, first] = times.try_emplace(row.numbers[i][place], at, at);
        own->second = {std::min(own->second.first, at), std::max(own->second.second, at)};
    }
    for (auto before = times.begin(), next = std::next(before); next != times.end(); ++before, ++next)
        if (next->second.first <= before->second.second) return false;
    return true;
}

// The number of the save among those that differ in a row: the one that orders the times, otherwise the last.
std::optional<std::size_t> placeOfSave(const NumberedRow &row)
{
    const auto &numbers = row.numbers;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < numbers.front().size(); ++i) {
        if (std::all_of(numbers.begin(), numbers.end(), [&](const auto &own) { return own[i] == numbers.front()[i]; }))
            continue;
        if (ordersTheTimes(row, i)) return i;
        last = i;
    }
    return last;
}

}  // namespace

std::vector<const FileEntry *> findUnnamedFiles(const Listing &listing)
{
    std::vector<const FileEntry *> files;
    for (const FileEntry &entry : listing.entries) {
        if (entry.stat.kind == 'f' && parseCheckpointName(baseName(entry.path), {})) return {};
        if (mayBeACheckpoint(entry)) files.push_back(&entry);
    }
    return files;
}

std::map<std::string, std::optional<std::int64_t>> findNumberedRows(const std::vector<const FileEntry *> &files,
                                                                    const PathWithoutRank &withoutRank)
{
    std::map<std::string, NumberedRow> rows;  // by the path without numbers
    for (const FileEntry *entry : files) {
        const std::string without = withoutRank(*entry), &path = without.empty() ? entry->path : without;
        NumberedRow &row = rows[withoutNumbers(path)];
        row.files.push_back(entry);
        row.numbers.push_back(valuesIn(path));
        row.ranked = row.ranked || !without.empty();
    }
    std::map<std::string, std::optional<std::int64_t>> numberOf;
    for (const auto &[form, row] : rows) {
        if (!row.ranked && row.files.size() > largestRow) continue;
        const std::optional<std::size_t> place = placeOfSave(row);
        for (std::size_t file = 0; (place || row.ranked) && file < row.files.size(); ++file)
            numberOf[row.files[file]->path] = place ? std::optional(row.numbers[file][*place]) : std::nullopt;
    }
    return numberOf;
}

ParsedName numberedFileName(const std::string &baseName, std::optional<std::int64_t> numberInRow)
{
    const std::size_t dot = baseName.rfind('.');
    const bool known = dot != std::string::npos && numbersIn(std::string_view(baseName).substr(dot)).empty();
    ParsedName name = parseCheckpointName(baseName.substr(0, known ? dot : baseName.size()) + ".pt", {})
                          .value_or(ParsedName{CheckpointKind::other, baseName});
    name.numbered = true;
    if (numberInRow && !name.globalStep && !name.epoch) {
        name.globalStep = numberInRow;
        name.stepIsGuess = true;
    }
    return name;
}

}  // namespace rankdeck
