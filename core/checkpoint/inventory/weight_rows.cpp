// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/weight_rows.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/read/saved_name.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace rankdeck {
namespace {

constexpr std::string_view extension = ".safetensors";

// model-00001-of-00004.safetensors: one export in pieces.
bool isPiece(std::string_view base) { return base.find("-of-") != std::string_view::npos; }

// Numbers too large for a step count as 0.
std::vector<std::int64_t> numbersIn(std::string_view path)
{
    constexpr const char *digit = "0123456789";
    std::vector<std::int64_t> numbers;
    for (std::size_t at = path.find_first_of(digit); at != std::string_view::npos; at = path.find_first_of(digit, at)) {
        const std::size_t end = std::min(path.find_first_not_of(digit, at), path.size());
        numbers.push_back(decimal(path.substr(at, end - at)).value_or(0));
        at = end;
    }
    return numbers;
}

}  // namespace

std::map<std::string, std::int64_t> findWeightRows(const Listing &listing)
{
    std::map<std::string, std::vector<std::string>> rows;  // by the path without numbers
    for (const FileEntry &entry : listing.entries) {
        if (entry.stat.kind != 'f') continue;
        const std::string base = baseName(entry.path);
        if (parseCheckpointName(base, {})) return {};
        if (base.ends_with(extension) && !isPiece(base)) rows[withoutNumbers(entry.path)].push_back(entry.path);
    }
    std::map<std::string, std::int64_t> numberOf;
    for (const auto &[form, row] : rows) {
        std::vector<std::vector<std::int64_t>> all;
        for (const std::string &path : row) all.push_back(numbersIn(path));
        for (std::size_t i = 0; i < all.front().size(); ++i)
            if (std::any_of(all.begin(), all.end(), [&](const auto &own) { return own[i] != all.front()[i]; }))
                for (std::size_t file = 0; file < row.size(); ++file) numberOf[row[file]] = all[file][i];
    }
    return numberOf;
}

std::optional<ParsedName> parseWeightName(const std::string &baseName, std::int64_t numberInRow)
{
    auto name = parseCheckpointName(baseName.substr(0, baseName.size() - extension.size()) + ".pt", {});
    if (name && !name->globalStep && !name->epoch) {
        name->globalStep = numberInRow;
        name->stepIsGuess = true;
    }
    return name;
}

}  // namespace rankdeck
