// SPDX-License-Identifier: GPL-3.0-or-later
// Sibling folders whose names differ in one number only and that hold files of the same names are of one rank each, until
// something shows otherwise: device_0, device_1 …; 0, 1, 2; train_parallel0/ckpt_0, train_parallel1/ckpt_1. Folders that
// count steps, epochs or runs are none. Pure.
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
    bool guess = false;  // the number may count something else: files of fixed names, and no word that means a rank
};

// By the path of the folder that has the number, of a twin (train_parallel2/ckpt_2) both.
std::map<std::string, FolderRank> findFolderRanks(const Listing &listing);

// The number in the folder's name may be that of a node: node0, nid0412; not of steps, epochs, runs, or a rank's own.
bool mayBeOfANode(std::string_view folder);

}  // namespace rankdeck
