// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that hold the same parameters, from MindSpore's group files (group_info.pb, ParallelGroupMap of
// node_strategy.proto) and MindX DL's RESTORE_RANKS_MAP. Only groups that no rank contradicts count. Pure.
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// Ranks whose checkpoints can replace the checkpoint of this file's rank: field ckpt_restore_rank_list, ascending.
// Error invalid: damaged; unsupported: written by a version without that field.
Result<std::vector<int>> parseGroupInfo(std::string_view bytes);

struct RestoreMap {
    std::vector<std::vector<int>> groups = {};  // ascending ranks; groups in the order of their first rank
    std::map<int, int> source = {};             // rank → the rank whose file it loads
};
// RESTORE_RANKS_MAP: JSON, key = ranks joined by commas, value = the rank to load from. Error invalid if a rank is in
// two groups, or if the text is not such a map.
Result<RestoreMap> parseRestoreMap(std::string_view json);
// RESTORE_RANKS: "0,1,2"; empty for "-1", which means "no strategy".
Result<std::vector<int>> parseRestoreRanks(std::string_view text);

struct ReplicaGroups {
    std::vector<std::vector<int>> groups = {};  // disjoint; each of at least two ranks
    std::vector<std::string> notes = {};        // statements that do not count, with the reason
};
// lists: group file of each rank → its ranks. A group counts if all its ranks agree. A rank without its own file (lost
// with its node) counts if another file names it and none contradicts.
ReplicaGroups agreeOnGroups(const std::map<int, std::vector<int>> &lists, int worldSize);

// The same for a launch, from the source of each group. Ranks without a group load their own files.
std::string restoreRanks(const std::map<int, int> &source);
std::string restoreRanksMap(const std::map<int, int> &source);

}  // namespace rankdeck
