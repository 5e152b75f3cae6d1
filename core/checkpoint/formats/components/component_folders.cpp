// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/components/component_folders.h"

#include "core/base/text.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/saved_name.h"

#include <map>
#include <optional>
#include <utility>

namespace rankdeck {
namespace {

// A folder whose name has letters, and the folders below it: "actor" and its "100/rank_0", or "actor-100".
struct NamedFolder {
    std::string around, own, below;  // numbers as '#', below without folders of ranks
    std::string name;                // path below `around`, without folders of ranks
    std::optional<int> rank = {};
};

// The folders around a directory whose names have letters.
std::vector<NamedFolder> namedFoldersOf(const std::string &directory, const ListingTree &tree)
{
    std::vector<NamedFolder> out;
    std::optional<int> rank;
    std::string name;
    for (std::string at = directory; at.size() > tree.root().size(); at = dirName(at)) {
        std::string part = baseName(at);
        const auto own = takeRankOfFolder(tree, at, part);
        if (own && rank) break;  // two numbers that may be ranks
        if (own) rank = own;
        const bool named = !lettersOf(part + ".").empty() && !namesACopy(part);
        if (named) out.push_back({dirName(at), withoutNumbers(part), withoutNumbers(name), joinPath(part, name), {}});
        name = name.empty() || part.empty() ? part + name : joinPath(part, name);
    }
    for (NamedFolder &one : out) one.rank = rank;
    return out;
}

using Place = std::pair<std::string, std::string>;  // around, below
// The files below folders that differ only in their names, by these names.
using Siblings = std::map<std::string, std::vector<SlotFile>>;

std::map<Place, Siblings> siblingsIn(const ListingTree &tree, const FileRanks &ranks)
{
    std::map<Place, Siblings> out;
    for (const auto &[directory, files] : tree.directories())
        for (const NamedFolder &folder : namedFoldersOf(directory, tree))
            out[{folder.around, folder.below}][folder.own];
    std::erase_if(out, [](const auto &place) { return place.second.size() < 2; });
    for (const auto &[directory, files] : tree.directories())
        for (const NamedFolder &folder : namedFoldersOf(directory, tree)) {
            const auto siblings = out.find({folder.around, folder.below});
            if (siblings == out.end()) continue;
            for (const FileEntry *file : files) {
                SlotFile one = slotFileOf(file, ranks);
                if ((one.rank && folder.rank) || !partName(one.name)) continue;
                one.name = joinPath(folder.name, one.name);
                if (!one.rank) one.rank = folder.rank;
                siblings->second[folder.own].push_back(std::move(one));
            }
        }
    return out;
}

}  // namespace

std::vector<FolderComponents> componentsInFolders(const ListingTree &tree, const FileRanks &ranks)
{
    std::vector<FolderComponents> out;
    for (const auto &[place, siblings] : siblingsIn(tree, ranks)) {
        std::vector<Slot> slots;
        for (const auto &[name, files] : siblings) {
            std::vector<Slot> own = slotsOf(files);
            if (own.size() == 1 && own.front().files.size() > 1) slots.push_back(std::move(own.front()));
        }
        for (const std::vector<std::size_t> &group : componentsAmong(slots)) {
            FolderComponents one{place.first, {}};
            for (const std::size_t i : group) one.slots.push_back(slots[i]);
            out.push_back(std::move(one));
        }
    }
    return out;
}

}  // namespace rankdeck
