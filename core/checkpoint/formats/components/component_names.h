// SPDX-License-Identifier: GPL-3.0-or-later
// Components of one save: files with a state of their own. Examples are G_3000.pth and D_3000.pth, `step_3000/actor.pt`
// and `step_3000/critic.pt`, or `actor/3000.pt` and `critic/3000.pt`. Detected without a list of names: they differ in
// letters, have the same series of numbers, and were written at the same time. Pure.
#pragma once

#include "core/checkpoint/formats/components/file_ranks.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/parsed_name.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace rankdeck {

struct SaveKey {  // the save, and the rank of the part (-1: of no single rank)
    std::int64_t epoch = -1, number = -1;
    int rank = -1;
    bool operator<(const SaveKey &other) const
    {
        return std::tie(epoch, number, rank) < std::tie(other.epoch, other.number, other.rank);
    }
};

// One file of each save (with ranks: one file of each rank and save): "G_#.pth", "actor/step_#.pt". The number of the
// save is replaced by '#'. Numbers that are equal in all files stay as they are.
struct Slot {
    std::string name;
    std::map<SaveKey, const FileEntry *> files = {};
    bool isStep = false, isEpoch = false;  // from the letters before the number; if both are false, it may be either
};

// The name of a file that may be one of several of a save. A script saves weights without a number if the parent folder
// has it.
std::optional<ParsedName> partName(const std::string &base);

struct SlotFile {
    const FileEntry *file = nullptr;
    std::string name;  // below the run's directory, without the rank: "actor/3000.pt"
    std::optional<int> rank = {};
};

using FileRanks = std::map<std::string, FileRank>;  // by path

// Takes the rank out of a folder's name or a file's stem: "rank_3", "gpu3", "actor_rank3".
std::optional<int> takeRank(std::string &name);
// The same for a folder, which may also be known as a rank's by its siblings: "actor" for actor0 beside actor1.
std::optional<int> takeRankOfFolder(const ListingTree &tree, const std::string &folder, std::string &name);
// The file with the name that it has without the rank.
SlotFile slotFileOf(const FileEntry *file, const FileRanks &ranks);

// Slots of these files, found by the numbers in their names. Skips files of other grammars, files with two varying
// numbers, and files whose names mark a copy.
std::vector<Slot> slotsOf(const std::vector<SlotFile> &files);

// Groups of two or more slots that are components of the same saves; by index.
std::vector<std::vector<std::size_t>> componentsAmong(const std::vector<Slot> &slots);

// Slot name of "resnet50_3000.pth" in all saves: its numbers as '#', with the folders below the run's directory.
std::string slotName(std::string_view path, std::string_view series);

}  // namespace rankdeck
