// SPDX-License-Identifier: GPL-3.0-or-later
// Where it is known from which ranks hold the same parameters, and what that means for a resume from a set. Pure.
#pragma once

#include "core/checkpoint/formats/mindspore/group_info.h"
#include "core/verdict/verdict.h"

#include <map>
#include <vector>

namespace rankdeck {

// From the group files of the inventory, as far as they were read. notes: what does not count and why.
ReplicaGroups groupsFromFiles(const Inventory &inventory, const KnownEvidence &known, int worldSize);
// Group files of which nothing was read yet.
std::vector<Member> unreadGroupFiles(const Inventory &inventory, const KnownEvidence &known);

// Rank → the rank whose file it loads, for all ranks of the set that have one; restoreRanks() and restoreRanksMap() of
// it are what MindX DL's scripts expect in RESTORE_RANKS and RESTORE_RANKS_MAP.
std::map<int, int> restoreSources(const CheckpointSet &set);

}  // namespace rankdeck
