// SPDX-License-Identifier: GPL-3.0-or-later
// The components of a save are files with a state of their own: G_3000.pth and D_3000.pth, step_3000/actor.pt and
// step_3000/critic.pt, actor/3000.pt and critic/3000.pt. No list of names is needed: they differ in letters, go through the
// same numbers, and were written at one time. Pure.
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

struct SaveKey {  // which save, and whose part of it (-1: nobody's own)
    std::int64_t epoch = -1, number = -1;
    int rank = -1;
    bool operator<(const SaveKey &other) const
    {
        return std::tie(epoch, number, rank) < std::tie(other.epoch, other.number, other.rank);
    }
};

// A slot is filled by one file of each save (with ranks: one for each): "G_#.pth", "actor/step_#.pt". The number of the save is
// '#'. Numbers that are the same in all files stay as they are.
struct Slot {
    std::string name;
    std::map<SaveKey, const FileEntry *> files = {};
    bool isStep = false, isEpoch = false;  // by the letters before the number; else it may count either
};

// The slots of these files, by the numbers in their names. Left out: files of other grammars, of two numbers that vary, and
// those whose words name a copy. folder: put before the names.
std::vector<Slot> slotsOf(const std::vector<const FileEntry *> &files, const std::string &folder = {});

// Groups of two slots or more that are components of the same saves; by index.
std::vector<std::vector<std::size_t>> componentsAmong(const std::vector<Slot> &slots);

// "resnet50_3000.pth" as a slot of all saves: its numbers as '#', with the folders below the directory of the run.
std::string slotName(std::string_view path, std::string_view series);

}  // namespace rankdeck
