// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of rank folders: sibling folders whose names differ in one number only, and that contain files of the same
// names. Each folder counts as one rank unless other evidence contradicts. Examples: device_0, device_1 …, or 0, 1, 2,
// or train_parallel0/ckpt_0, train_parallel1/ckpt_1. Folders that count steps, epochs or runs are excluded. Pure.
#pragma once

#include "core/checkpoint/parsed_name.h"
#include "core/node/protocol/messages.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

struct FolderRank {
    int rank = 0;
    bool guess = false;  // the number may count something else: files of fixed names, and no letters that mean a rank
};

// By the path of the folder with the number; for a pair with equal numbers (train_parallel2/ckpt_2), both folders.
std::map<std::string, FolderRank> findFolderRanks(const Listing &listing);

// True if the number in the folder's name may be that of a node: node0, nid0412. False for steps, epochs, runs and
// ranks.
bool mayBeOfANode(std::string_view folder);

}  // namespace rankdeck
