// SPDX-License-Identifier: GPL-3.0-or-later
// Finds ranks in names of files: step_100/gpu_0.pt, 100/0.pt, ckpt.100.0.pt, 100/dp0_tp1.pt. A number is the rank if it has
// the same values in each save. The files of a save have about the same time, and the saves follow each other. Steps,
// epochs and runs have other values, or other times. The letters beside the number are evidence only. Pure.
#pragma once

#include "core/node/protocol/messages.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct FileRank {
    int rank = 0;      // a guess: the number may be that of a device of one node
    std::string base;  // the file's name without the rank, equal for all ranks of a save: "ckpt_100.pt"
};

// By path. files: those whose names may be of checkpoints, and of which nothing else shows the rank.
std::map<std::string, FileRank> findFileRanks(const std::vector<const FileEntry *> &files);

}  // namespace rankdeck
