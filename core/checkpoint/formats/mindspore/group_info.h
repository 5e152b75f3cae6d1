// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks hold the same parameters, as MindSpore's group files (group_info.pb, ParallelGroupMap of
// node_strategy.proto) and MindX DL's RESTORE_RANKS_MAP say it. Only groups that no rank contradicts count. Pure.
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// The ranks whose checkpoints can stand in for that of the file's own rank: field ckpt_restore_rank_list, ascending.
// Error invalid: damaged; unsupported: written before that field existed.
Result<std::vector<int>> parseGroupInfo(std::string_view bytes);

struct RestoreMap {
    std::vector<std::vector<int>> groups = {};  // ascending ranks, in the order of their first
    std::map<int, int> source = {};             // rank → the rank whose file it loads
};
// RESTORE_RANKS_MAP: JSON, key = ranks joined by commas, value = the rank to load from. Error invalid when a rank is in
// two groups, or the text is no such map.
Result<RestoreMap> parseRestoreMap(std::string_view json);
// RESTORE_RANKS: "0,1,2"; empty for "-1", which means that there is no strategy.
Result<std::vector<int>> parseRestoreRanks(std::string_view text);

struct ReplicaGroups {
    std::vector<std::vector<int>> groups = {};  // disjoint; each of at least two ranks
    std::vector<std::string> notes = {};        // what was said and does not count, and why
};
// lists: by the rank whose group file says it. A group counts when all its ranks say the same; ranks without a file of
// their own (it was lost with its node) count when somebody names them and nobody contradicts.
ReplicaGroups agreeOnGroups(const std::map<int, std::vector<int>> &lists, int worldSize);

// The same for a launch: from each group's source. Ranks in none load their own.
std::string restoreRanks(const std::map<int, int> &source);
std::string restoreRanksMap(const std::map<int, int> &source);

}  // namespace rankdeck
