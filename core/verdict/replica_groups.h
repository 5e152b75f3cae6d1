// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of ranks with the same parameters: their sources, and what they mean for a resume from a set. Pure.
#pragma once

#include "core/checkpoint/formats/mindspore/group_info.h"
#include "core/verdict/verdict.h"

#include <map>
#include <vector>

namespace rankdeck {

// Groups from the group files of the inventory that were read so far. notes: statements that were rejected, with the
// reason.
ReplicaGroups groupsFromFiles(const Inventory &inventory, const KnownEvidence &known, int worldSize);
// Group files that were not read yet.
std::vector<Member> unreadGroupFiles(const Inventory &inventory, const KnownEvidence &known);

// Rank → the rank whose file it loads, for all ranks of the set that have one. The functions restoreRanks() and
// restoreRanksMap() convert it for MindX DL's RESTORE_RANKS and RESTORE_RANKS_MAP.
std::map<int, int> restoreSources(const CheckpointSet &set);

}  // namespace rankdeck
