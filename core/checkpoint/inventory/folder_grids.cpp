// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/folder_grids.h"

#include "core/base/text.h"
#include "core/checkpoint/inventory/rank_locator.h"
#include "core/checkpoint/name_words.h"

#include <algorithm>
#include <cstdint>
#include <set>

namespace rankdeck {
namespace {

// Numbers of a folder's name that may be the rank, and the name without them.
std::vector<int> takeGridNumbers(std::string_view folder, std::string &pattern)
{
    constexpr const char *digit = "0123456789";
    std::vector<int> numbers;
    for (std::size_t at = 0; at < folder.size();) {
        const std::size_t begin = std::min(folder.find_first_of(digit, at), folder.size());
        const std::size_t end = std::min(folder.find_first_not_of(digit, begin), folder.size());
        const std::string_view word = folder.substr(at, begin - at);
        const auto number = decimal(folder.substr(begin, end - begin));
        const bool counts = number && *number <= 1000000 && !countsSomethingElse(word);
        pattern += word;
        pattern += counts ? std::string_view("#") : folder.substr(begin, end - begin);
        if (counts) numbers.push_back(static_cast<int>(*number));
        at = end;
    }
    return numbers;
}

// The number of values at each place. Empty if the folders are not a grid, for example because both numbers are the
// same rank (train_parallel2/ckpt_2).
std::vector<int> gridWidths(const std::vector<FolderGrids::Place> &places)
{
    std::vector<std::set<int>> seen(places.front().numbers.size());
    std::map<std::string, std::set<std::vector<int>>> holders;
    std::set<std::vector<int>> all;
    for (const FolderGrids::Place &place : places) {
        for (std::size_t i = 0; i < seen.size(); ++i) seen[i].insert(place.numbers[i]);
        holders[place.file].insert(place.numbers);
        all.insert(place.numbers);
    }
    std::vector<int> widths;
    std::int64_t ranks = 1;
    std::size_t wide = 0;
    for (const std::set<int> &own : seen) {
        const bool fixed = own.size() == 1;
        if (!fixed && (*own.begin() != 0 || std::size_t(*own.rbegin()) >= 2 * own.size())) return {};
        widths.push_back(fixed ? 1 : *own.rbegin() + 1);
        wide += fixed ? 0 : 1;
        ranks *= widths.back();
        if (ranks > 1000000) return {};
    }
    const bool alike = std::any_of(holders.begin(), holders.end(),
                                   [&](const auto &file) { return 2 * file.second.size() > all.size(); });
    return wide >= 2 && 2 * std::int64_t(all.size()) > ranks && alike ? widths : std::vector<int>{};
}

}  // namespace

bool countsSomethingElse(std::string_view word)
{
    word = withoutJoints(word.substr(0, word.find('#')));
    if (countsRuns(word)) return true;
    for (const std::string_view end :
         {"step",  "steps", "iter",  "iteration", "epoch", "checkpoint", "batch",     "run",     "exp",
          "trial", "seed",  "fold",  "attempt",   "job",   "stage",      "try",       "version", "round",
          "save",  "part",  "model", "lr",        "task",  "phase",      "experiment"})
        if (word.ends_with(end)) return true;
    return word == "e" || word == "s";
}

void FolderGrids::add(const std::string &root, const std::string &path)
{
    Place place;
    std::string key = root, at = root;
    for (const std::string &part : split(std::string_view(dirName(path)).substr(root.size() + 1), '/')) {
        if (parseRankFolder(part)) return;
        at += "/" + part;
        key += "/";
        for (const int number : takeGridNumbers(part, key)) {
            place.numbers.push_back(number);
            place.folders.push_back(at);
        }
    }
    place.file = baseName(path);
    if (place.numbers.size() >= 2 && place.numbers.size() <= deepestFolder) m_grids[key].push_back(std::move(place));
}

void FolderGrids::take(std::map<std::string, FolderRank> &out) const
{
    for (const auto &[key, places] : m_grids) {
        const std::vector<int> widths = gridWidths(places);
        if (widths.empty()) continue;
        for (const Place &place : places) {
            int rank = 0;
            for (std::size_t i = 0; i < widths.size(); ++i)
                rank = rank * widths[i] + (widths[i] == 1 ? 0 : place.numbers[i]);
            for (std::size_t i = 0; i < widths.size(); ++i)
                if (widths[i] > 1) out.insert_or_assign(place.folders[i], FolderRank{rank, true});
        }
    }
}

}  // namespace rankdeck
