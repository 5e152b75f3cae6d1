// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/node_folders.h"

#include "core/base/text.h"
#include "core/checkpoint/inventory/folders/folder_rows.h"
#include "core/checkpoint/inventory/rank_locator.h"
#include "core/checkpoint/read/saved_name.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace rankdeck {
namespace {

// Sibling folders whose names differ only in their numbers.
struct Family {
    std::map<std::string, std::set<std::string>> saves = {};  // save → its folders
    std::set<std::string> folders = {};
    std::set<int> ranks = {};
    std::vector<std::pair<std::size_t, std::string>> members = {};  // index of the member and its series
    bool twice = false;                                             // a file of a rank is in two of them
};

struct Turned {
    std::string family;  // path up to the folder, without the folder's number
    std::string folder;
    std::string below;  // directories between it and the file, without the rank's own
};

std::vector<Turned> foldersOf(const std::string &directory)
{
    std::vector<Turned> out;
    const std::vector<std::string> parts = split(directory, '/');
    std::string above;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string pattern = withoutNumbers(parts[i]);
        if (pattern != parts[i] && mayBeOfANode(parts[i])) {
            std::string below;
            for (std::size_t k = i + 1; k < parts.size(); ++k)
                if (!parseRankFolder(parts[k])) below += "/" + parts[k];
            out.push_back({.family = above + "/" + pattern, .folder = parts[i], .below = std::move(below)});
        }
        above += "/" + parts[i];
    }
    return out;
}

// Folders of copies or of runs are not node folders.
bool isApart(const std::string &pattern)
{
    for (const std::string_view word : {"backup", "bak", "copy", "old", "tmp", "hourly", "daily"})
        if (pattern.find(word) != std::string::npos) return true;
    return false;
}

// Key of the save, equal for all ranks.
std::string saveOf(const Member &member, const std::string &below)
{
    const auto number = [](const std::optional<std::int64_t> &n) { return n ? std::to_string(*n) : std::string("-"); };
    const ParsedName &name = member.name;
    return below + "/" + name.prefix + "/" + name.extension + "/" + std::to_string(static_cast<int>(name.kind)) + "/" +
           number(name.epoch) + "/" + number(name.step) + "/" + number(name.globalStep) + "/" +
           std::to_string(name.rerun);
}

// True if each rank occurs once, most ranks are present, and most saves are spread over several folders.
bool isOneRun(const Family &family)
{
    if (family.twice || family.folders.size() < 2 || family.ranks.size() < 2) return false;
    if (*family.ranks.begin() != 0 || std::size_t(*family.ranks.rbegin()) >= 2 * family.ranks.size()) return false;
    std::size_t spread = 0;
    for (const auto &[save, folders] : family.saves) spread += folders.size() > 1 ? 1 : 0;
    return 2 * spread > family.saves.size();
}

}  // namespace

void joinNodeFolders(std::vector<Member> &members)
{
    std::map<std::string, Family> families;
    std::set<std::tuple<std::string, std::string, int>> seen;  // family, save, rank
    std::string directory;
    std::vector<Turned> turned;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Member &member = members[i];
        if (member.rank < 0 || member.sharedByRanks || member.rankIsGuess) continue;
        if (std::string own = dirName(member.file.path); own != directory) {
            directory = std::move(own);
            turned = foldersOf(directory);
        }
        for (const Turned &one : turned) {
            if (isApart(baseName(one.family))) continue;
            Family &family = families[one.family];
            const std::string save = saveOf(member, one.below);
            family.twice = family.twice || !seen.emplace(one.family, save, member.rank).second;
            family.saves[save].insert(one.folder);
            family.folders.insert(one.folder);
            family.ranks.insert(member.rank);
            family.members.emplace_back(i, one.family + one.below);
        }
    }
    for (const auto &[pattern, family] : families)
        if (isOneRun(family))
            for (const auto &[i, series] : family.members) members[i].series = series;
}

}  // namespace rankdeck
