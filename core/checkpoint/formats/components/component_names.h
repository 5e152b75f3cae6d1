// SPDX-License-Identifier: GPL-3.0-or-later
// Components of one save: files with a state of their own. Examples are G_3000.pth and D_3000.pth, `step_3000/actor.pt`
// and `step_3000/critic.pt`, or `actor/3000.pt` and `critic/3000.pt`. Detected without a list of names: they differ in
// letters, have the same series of numbers, and were written at the same time. Pure.
#pragma once

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

// Slots of these files, found by the numbers in their names. Skips files of other grammars, files with two varying
// numbers, and files whose names mark a copy. folder: prefix of the names.
std::vector<Slot> slotsOf(const std::vector<const FileEntry *> &files, const std::string &folder = {});

// Groups of two or more slots that are components of the same saves; by index.
std::vector<std::vector<std::size_t>> componentsAmong(const std::vector<Slot> &slots);

// Slot name of "resnet50_3000.pth" in all saves: its numbers as '#', with the folders below the run's directory.
std::string slotName(std::string_view path, std::string_view series);

}  // namespace rankdeck
