// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of rank folders: sibling folders whose names differ in one number only, and that contain files of the same
// names. Each folder counts as one rank unless other evidence contradicts. Examples: device_0, device_1 …, or 0, 1, 2,
// or train_parallel0/ckpt_0, train_parallel1/ckpt_1. Folders that count steps, epochs or runs are excluded. Pure.
#pragma once

#include "core/checkpoint/parsed_name.h"
#include "core/node/protocol/messages.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct FolderRank {
    int rank = 0;
    bool guess = false;  // the number may count something else: files of fixed names, and no letters that mean a rank
    bool means = false;  // the letters beside the number mean a rank
    std::string rest = {};  // of the folder's name without the rank, if it has other numbers: "step_300"
};

struct RankGroup {
    int number = 0;
    std::string shape;      // the folder's name with this number as '#'
    std::string rest = {};  // FolderRank::rest
};

struct FolderRanks {
    std::map<std::string, FolderRank> ranks = {};  // by the path of the folder with the number
    // Other folders around these that always have the same number: train_parallel2 of train_parallel2/ckpt_2.
    std::set<std::string> twins = {};
    // Folders that contain the same ranks by name, by path: node0/rank0.pt beside node1/rank0.pt.
    std::map<std::string, RankGroup> groups = {};
};

// unnamed: files that may be checkpoints by their content, in a listing without names of checkpoints.
FolderRanks findFolderRanks(const Listing &listing, const std::vector<const FileEntry *> &unnamed = {});

// 3 for model_rank3.bin, none for model_3.bin.
std::optional<int> rankInName(const std::string &base);
// True if the number in the folder's name may be that of a node: node0, nid0412. False for steps, epochs, runs and
// ranks.
bool mayBeOfANode(std::string_view folder);

}  // namespace rankdeck
