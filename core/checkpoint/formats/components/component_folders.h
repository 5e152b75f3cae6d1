// SPDX-License-Identifier: GPL-3.0-or-later
// Components in sibling folders: actor/3000.pt and critic/3000.pt, or actor/3000/rank_1.pt and critic/3000/rank_1.pt. Each
// folder has one slot. They must have saved at the same times repeatedly, which two runs would not. Pure.
#pragma once

#include "core/checkpoint/formats/components/component_names.h"

#include <string>
#include <vector>

namespace rankdeck {

struct FolderComponents {
    std::string around;  // the directory of these folders
    std::vector<Slot> slots;
};

// ranks: of files whose names show them.
std::vector<FolderComponents> componentsInFolders(const ListingTree &tree, const FileRanks &ranks);

}  // namespace rankdeck
