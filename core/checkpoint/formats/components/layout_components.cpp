// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/components/layout_components.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/components/component_folders.h"
#include "core/checkpoint/formats/components/component_names.h"
#include "core/checkpoint/formats/components/components_reader.h"
#include "core/checkpoint/formats/components/file_ranks.h"
#include "core/checkpoint/formats/mindspore/mindspore_names.h"
#include "core/checkpoint/formats/torch/torch_names.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/saved_name.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

// The path of this slot in the save. If that file is missing: the path that it would have, derived from another slot.
std::string pathIn(const Slot &slot, const SaveKey &key, const FileEntry &sibling)
{
    if (const auto own = slot.files.find(key); own != slot.files.end()) return own->second->path;
    return sibling.path;
}

ParsedName nameOf(const std::vector<const Slot *> &slots, const SaveKey &key)
{
    ParsedName name;
    for (const Slot *slot : slots) name.prefix += (name.prefix.empty() ? "" : "+") + lettersOf(slot->name);
    const auto is = [&](bool Slot::*word) {
        return std::any_of(slots.begin(), slots.end(), [&](const Slot *slot) { return slot->*word; });
    };
    if (key.epoch >= 0) {
        name.epoch = key.epoch;
        name.step = key.number;
    } else if (is(&Slot::isEpoch)) {
        name.epoch = key.number;
    } else {
        name.globalStep = key.number;
        name.stepIsGuess = !is(&Slot::isStep);
    }
    if (key.rank >= 0) name.rank = key.rank;
    return name;
}

void addGroup(const ListingTree &tree, const std::vector<const Slot *> &slots, const std::string &series,
              std::vector<Composite> &all, const FileRanks &ranks = {})
{
    std::map<SaveKey, std::vector<FileEntry>> saves;
    for (const Slot *slot : slots)
        for (const auto &[key, file] : slot->files) saves[key].push_back(*file);
    for (auto &[key, parts] : saves) {
        const std::string path = pathIn(*slots.front(), key, parts.front());
        const bool guess = ranks.count(parts.front().path) != 0;
        Composite one = makeComposite(tree, path, std::move(parts));
        one.name = nameOf(slots, key);
        one.series = series;
        one.directory = false;
        one.mayBeOfRank = true;
        one.rankIsGuess = guess;
        one.joinsPrefixes = true;
        all.push_back(std::move(one));
    }
}

// False in most directories: all files have the same form, and are not components of each other.
bool differInLetters(const std::vector<const FileEntry *> &files)
{
    const std::string first = files.empty() ? std::string() : lettersOf(baseName(files.front()->path));
    return std::any_of(files.begin(), files.end(),
                       [&](const FileEntry *file) { return lettersOf(baseName(file->path)) != first; });
}

// Adds pairs such as G_3000.pth beside D_3000.pth, or actor.3000.1.pt beside critic.3000.1.pt.
void addSideBySide(const ListingTree &tree, const FileRanks &ranks, std::vector<Composite> &all)
{
    for (const auto &[directory, files] : tree.directories()) {
        if (!differInLetters(files)) continue;
        std::vector<SlotFile> named;
        for (const FileEntry *file : files) named.push_back(slotFileOf(file, ranks));
        const std::vector<Slot> slots = slotsOf(named);
        for (const std::vector<std::size_t> &group : componentsAmong(slots)) {
            std::vector<const Slot *> own;
            for (const std::size_t i : group) own.push_back(&slots[i]);
            addGroup(tree, own, directory, all, ranks);
        }
    }
}

void addFolders(const ListingTree &tree, const FileRanks &ranks, std::vector<Composite> &all)
{
    for (const FolderComponents &group : componentsInFolders(tree, ranks)) {
        std::vector<const Slot *> slots;
        for (const Slot &slot : group.slots) slots.push_back(&slot);
        addGroup(tree, slots, group.around, all, ranks);
    }
}

// Slot of a file in the folder of one save: its name with the folder's number as '#'. Empty if the file belongs to a
// rank, is a copy, or is not a checkpoint.
std::string slotInFolder(const std::string &base, const std::string &folderNumber)
{
    const auto name = partName(base);
    if (!name || name->rank || name->sharedByRanks || name->kind == CheckpointKind::graceful || namesACopy(base))
        return {};
    std::string slot = base;
    const std::size_t at = folderNumber.empty() ? std::string::npos : slot.find(folderNumber);
    if (at != std::string::npos) slot.replace(at, folderNumber.size(), "#");
    return slot;
}

struct Folder {
    std::string path;
    std::map<std::string, const FileEntry *> slots = {};
};

// A file of one rank below the folder of a save, rank_3/actor.pt or actor_rank3.pt, and its slot without the rank:
// "/actor.pt".
struct RankedFile {
    int rank = 0;
    std::string slot = {};
};

std::optional<RankedFile> rankedFileOf(const ListingTree &tree, const FileEntry &file, const std::string &save,
                                       const FileRanks &ranks)
{
    const std::string below(pathBelow(file.path, save));
    if (const auto own = ranks.find(file.path); own != ranks.end())
        return RankedFile{own->second.rank,
                          "/" + (below == baseName(below) ? std::string() : dirName(below) + "/") + own->second.base};
    const std::string base = baseName(below);
    const auto name = partName(base);
    if (!name || name->sharedByRanks || name->worldSize || name->kind != CheckpointKind::other || namesACopy(base))
        return std::nullopt;
    std::optional<RankedFile> out;
    if (const auto rank = tree.rankOfFolder(save)) out = RankedFile{*rank};
    std::string slot, at = save;
    for (const std::string &part : split(below, '/')) {
        at += "/" + part;
        const std::size_t dot = part == base ? part.rfind('.') : std::string::npos;
        const std::string extension = dot == std::string::npos ? std::string() : part.substr(dot);
        std::string stem = part.substr(0, dot);
        const auto rank = takeRankOfFolder(tree, at, stem);
        if (rank && out && out->rank != *rank) return std::nullopt;
        if (rank) out = RankedFile{*rank};
        if (!stem.empty() || !extension.empty()) slot += "/" + stem + extension;
    }
    if (out) out->slot = std::move(slot);
    return out;
}

// The save's folder around this directory, or the directory itself. Folders between them have only words, "actor" and
// "critic", or a rank. Empty: none.
std::string saveFolderOf(const std::string &directory, const ListingTree &tree)
{
    for (std::string at = directory; at.size() > tree.root().size(); at = dirName(at)) {
        const std::string own = tree.withoutRank(at);
        if (own.empty()) continue;
        ParsedName name;
        takeSaveFolder(own, dirName(own), name);
        if (name.epoch || name.globalStep) return at;
        std::string folder = baseName(own);
        const bool isRun = countsRuns(std::string_view(folder).substr(0, folder.find_first_of("0123456789")));
        if (!takeRank(folder) && ((withoutNumbers(folder) != folder && !isRun) || namesACopy(folder))) return {};
    }
    return {};
}

// Adds step_3000/actor.pt and step_3000/critic.pt, or step_3000/actor/model.pt and step_3000/critic/model.pt.
void addSaveFolders(const ListingTree &tree, const FileRanks &ranks, std::vector<Composite> &all)
{
    std::map<std::string, Folder> saves;
    for (const auto &[directory, files] : tree.directories()) {
        const std::string save = saveFolderOf(directory, tree);
        if (save.empty()) continue;
        const std::string number = baseName(save).substr(baseName(save).find_last_not_of("0123456789") + 1);
        for (const FileEntry *file : files)
            if (rankedFileOf(tree, *file, save, ranks)) {
                continue;  // addRankedSaveFolders
            } else if (const std::string slot = slotInFolder(baseName(file->path), number); !slot.empty())
                saves.try_emplace(save, Folder{save})
                    .first->second.slots[directory == save ? slot : joinPath(pathBelow(directory, save), slot)] = file;
    }
    std::map<std::string, std::vector<Folder>> rows;  // by the folder's path with its number as '#'
    for (auto &[save, folder] : saves)
        rows[joinPath(dirName(save), withoutNumbers(baseName(save)))].push_back(std::move(folder));
    for (const auto &[row, folders] : rows) {
        const auto hasNumbers = [](const auto &slot) {
            return slot.first.find_first_of("0123456789") != std::string::npos;
        };
        const auto &first = folders.front().slots;
        if (folders.size() == 1 && std::any_of(first.begin(), first.end(), hasNumbers)) continue;  // "44k/G_1000.pth"
        std::set<std::string> letters;  // letters of folders with several files
        for (const Folder &folder : folders) {
            std::set<std::string> own;
            for (const auto &[slot, file] : folder.slots) own.insert(lettersOf(slot));
            if (own.size() == folder.slots.size() && own.size() > 1) letters.merge(own);
        }
        for (const Folder &folder : folders) {
            std::vector<FileEntry> parts;
            for (const auto &[slot, file] : folder.slots)
                if (letters.contains(lettersOf(slot))) parts.push_back(*file);
            if (parts.empty()) continue;
            Composite one = makeComposite(tree, folder.path, std::move(parts));
            const std::string series = one.series;
            one.name = {};
            takeSaveFolder(folder.path, series, one.name);
            one.mayBeOfRank = true;
            all.push_back(std::move(one));
        }
    }
}

// Adds step_3000/rank_0/actor.pt and step_3000/rank_0/critic.pt, or step_3000/actor_rank0.pt and step_3000/critic_rank0.pt:
// one checkpoint of each rank.
void addRankedSaveFolders(const ListingTree &tree, const FileRanks &ranks, std::vector<Composite> &all)
{
    struct Row {
        std::map<std::string, Slot> slots = {};
        std::set<std::string> saves = {};
        bool isGuess = false;  // the folder's number may count something else: model2
    };
    std::map<std::pair<std::string, std::string>, Row> rows;  // parent, form of the folder
    for (const auto &[directory, files] : tree.directories()) {
        const std::string save = saveFolderOf(directory, tree);
        if (save.empty()) continue;
        ParsedName point;
        const std::string whole = tree.withoutRank(save);
        takeSaveFolder(whole, dirName(whole), point);
        for (const FileEntry *file : files) {
            const auto ranked = rankedFileOf(tree, *file, save, ranks);
            if (!ranked) continue;
            Row &row = rows[{dirName(save), withoutNumbers(baseName(whole))}];
            row.saves.insert(whole);
            row.isGuess = row.isGuess || point.stepIsGuess;
            Slot &slot = row.slots[ranked->slot];
            slot.name = ranked->slot;
            slot.isEpoch = point.epoch && !point.globalStep;
            slot.isStep = point.globalStep && !point.stepIsGuess;
            slot.files.emplace(SaveKey{-1, point.globalStep.value_or(point.epoch.value_or(0)), ranked->rank}, file);
        }
    }
    for (const auto &[place, row] : rows) {
        std::vector<Slot> slots;
        bool areNumbered = false;
        for (const auto &[name, slot] : row.slots) {
            slots.push_back(slot);
            areNumbered = areNumbered || withoutNumbers(name) != name;
        }
        if (row.isGuess && row.saves.size() == 1 && areNumbered) continue;  // "model2/actor_rank0_100.pth"
        for (const std::vector<std::size_t> &group : componentsAmong(slots)) {
            std::vector<const Slot *> own;
            for (const std::size_t i : group) own.push_back(&slots[i]);
            addGroup(tree, own, place.first, all, ranks);
        }
    }
}

// The ranks of x_0.pt and x_1.pt in each save.
FileRanks ranksInNames(const ListingTree &tree)
{
    std::vector<RankCandidate> own;
    for (const auto &[directory, files] : tree.directories()) {
        const std::string save = saveFolderOf(directory, tree);
        const std::string above = save.empty() ? tree.root() : save;
        for (const FileEntry *file : files) {
            const std::string base = baseName(file->path);
            const auto name = partName(base);
            if (name && name->kind == CheckpointKind::other && !name->rank && !name->sharedByRanks &&
                !namesACopy(base) && !rankedFileOf(tree, *file, above, {}))
                own.push_back({file});
        }
    }
    return findFileRanks(own);
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::vector<Composite> all;
    const FileRanks ranks = ranksInNames(tree);
    addRankedSaveFolders(tree, ranks, all);
    addSaveFolders(tree, ranks, all);
    addSideBySide(tree, ranks, all);
    addFolders(tree, ranks, all);
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool ours = !parts.empty() && std::all_of(parts.begin(), parts.end(), [](const FileEntry &part) {
        return partName(baseName(part.path)).has_value();
    });
    return ours ? std::make_unique<ComponentsReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout componentsLayout{&find, &open};

}  // namespace rankdeck
