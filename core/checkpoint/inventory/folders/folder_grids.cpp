// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/folders/folder_grids.h"

#include "core/base/text.h"
#include "core/checkpoint/inventory/folders/folder_numbers.h"
#include "core/checkpoint/inventory/folders/row_times.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

namespace rankdeck {
namespace {

// True if the files with each number were written before those with the next one, as the saves of a run are.
bool countsSavesInTime(const std::vector<FolderGrids::Place> &places, std::size_t number)
{
    std::map<int, std::pair<std::int64_t, std::int64_t>> times;  // oldest and newest
    for (const FolderGrids::Place &place : places) {
        const auto [own, first] = times.try_emplace(place.numbers[number], place.timeNs, place.timeNs);
        own->second = {std::min(own->second.first, place.timeNs), std::max(own->second.second, place.timeNs)};
    }
    for (auto at = times.begin(), next = std::next(at); next != times.end(); ++at, ++next)
        if (next->second.first < at->second.second + threshold::generations) return false;
    return times.size() > 1;
}

// True if most ranks exist, and have a file of the same name.
bool areAlike(const std::vector<FolderGrids::Place> &places, const std::vector<int> &widths, std::int64_t ranks)
{
    std::map<std::string, std::set<std::vector<int>>> holders;
    std::set<std::vector<int>> all;
    for (const FolderGrids::Place &place : places) {
        std::vector<int> own;
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (widths[i] > 1) own.push_back(place.numbers[i]);
        holders[place.file].insert(own);
        all.insert(std::move(own));
    }
    return 2 * std::int64_t(all.size()) > ranks && std::any_of(holders.begin(), holders.end(), [&](const auto &file) {
               return 2 * file.second.size() > all.size();
           });
}

// The number of values of each number that is a part of the rank; 1: it is not. Empty if the folders are not a grid,
// for example because both numbers are the same rank (train_parallel2/ckpt_2).
std::vector<int> gridWidths(const std::vector<FolderGrids::Place> &places)
{
    std::vector<int> widths;
    std::int64_t ranks = 1;
    std::size_t wide = 0;
    for (std::size_t i = 0; i < places.front().numbers.size(); ++i) {
        std::set<int> seen;
        for (const FolderGrids::Place &place : places) seen.insert(place.numbers[i]);
        const bool dense = *seen.begin() == 0 && std::size_t(*seen.rbegin()) < 2 * seen.size();
        const bool isPart = seen.size() > 1 && dense && !countsSavesInTime(places, i);
        widths.push_back(isPart ? *seen.rbegin() + 1 : 1);
        wide += isPart ? 1 : 0;
        ranks *= widths.back();
        if (ranks > 1000000) return {};
    }
    return wide >= 2 && areAlike(places, widths, ranks) ? widths : std::vector<int>{};
}

// The rest of the name of this folder without the numbers of the rank.
std::string restIn(const FolderGrids::Place &place, const std::string &folder, const std::vector<int> &widths)
{
    std::vector<FolderNumber> own;
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (widths[i] > 1 && place.folders[i].path == folder) own.push_back(place.folders[i].number);
    return restOf(baseName(folder), own);
}

void addTimes(const std::vector<FolderGrids::Place> &places, const std::vector<int> &widths, RowTimes &times)
{
    std::map<std::string, std::vector<std::int64_t>> saves;  // by the other numbers and the file
    for (const FolderGrids::Place &place : places) {
        std::string save = place.file;
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (widths[i] == 1) save += "/" + std::to_string(place.numbers[i]);
        saves[save].push_back(place.timeNs);
    }
    for (const auto &[save, own] : saves)
        times.addSave(*std::min_element(own.begin(), own.end()), *std::max_element(own.begin(), own.end()));
}

}  // namespace

void FolderGrids::add(const std::string &root, const FileEntry &file)
{
    const std::string &path = file.path;
    Place place;
    place.timeNs = file.stat.mtimeNs;
    std::string key = root, at = root;
    for (const std::string &part : split(std::string_view(dirName(path)).substr(root.size() + 1), '/')) {
        place.namesARank = place.namesARank || parseRankFolder(part);
        at += "/" + part;
        std::string name = part;
        const std::vector<FolderNumber> numbers = numbersOfFolder(part);
        for (const FolderNumber &number : numbers) {
            place.numbers.push_back(number.value);
            place.folders.push_back({at, number});
        }
        for (auto number = numbers.rbegin(); number != numbers.rend(); ++number)
            name.replace(number->begin, number->end - number->begin, "#");
        key += "/" + name;
    }
    place.file = baseName(path);
    if (place.numbers.size() >= 2 && place.numbers.size() <= deepestFolder) m_grids[key].push_back(std::move(place));
}

void FolderGrids::take(std::map<std::string, FolderRank> &out) const
{
    std::map<std::string, std::vector<int>> grids;  // widths, by the path without the numbers
    std::map<std::string, RowTimes> times;          // of all saves: step_100/#/# and step_200/#/#
    for (const auto &[key, places] : m_grids)
        if (std::vector<int> widths = gridWidths(places); !widths.empty()) {
            addTimes(places, widths, times[withoutNumbers(key)]);
            grids.emplace(key, std::move(widths));
        }
    for (const auto &[key, widths] : grids) {
        const std::vector<Place> &places = m_grids.at(key);
        const RowTimes &own = times.at(withoutNumbers(key));
        if (places.front().namesARank ? !own.areTogether() : own.areApart()) continue;
        for (const Place &place : places) {
            int rank = 0;
            for (std::size_t i = 0; i < widths.size(); ++i)
                rank = rank * widths[i] + (widths[i] == 1 ? 0 : place.numbers[i]);
            for (std::size_t i = 0; i < widths.size(); ++i)
                if (widths[i] > 1)
                    out.insert_or_assign(place.folders[i].path,
                                         FolderRank{rank, true, false, restIn(place, place.folders[i].path, widths)});
        }
    }
}

}  // namespace rankdeck
