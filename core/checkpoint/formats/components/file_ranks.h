// SPDX-License-Identifier: GPL-3.0-or-later
// Finds ranks in names of files: step_100/gpu_0.pt, 100/0.pt, ckpt.100.0.pt, 100/dp0_tp1.pt, tp_1/pp_0.pt. A number is
// the rank if it has the same values in each save. The files of a save have about the same time, and the saves follow
// each other. Steps, epochs and runs have other values, or other times. The letters beside the number are evidence
// only. Pure.
#pragma once

#include "core/node/protocol/messages.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct FileRank {
    int rank = 0;        // a guess: the number may be that of a device of one node
    std::string base;    // the file's name without the rank, equal for all ranks of a save: "ckpt_100.pt"
    std::string around;  // RankCandidate::around
};

// A file whose name may be that of a checkpoint.
struct RankCandidate {
    const FileEntry *entry = nullptr;
    // Rank by its folder, which may be a part of the rank only: tp_1/pp_0.pt. Empty: nothing else shows the rank.
    std::optional<int> folderRank = {};
    std::string around = {};  // with it: the directory without that folder
    bool namesARank = false;  // one of the numbers in its name is known as a rank, perhaps the local one of a node
};

// By path.
std::map<std::string, FileRank> findFileRanks(const std::vector<RankCandidate> &files);

}  // namespace rankdeck
