// SPDX-License-Identifier: GPL-3.0-or-later
// Folders with the copied disks of several nodes: `node0/rank_0`, `node0/rank_1`, `node1/rank_2` …, or
// `nid0412/step_30_rank_0.pt`, `nid0977/step_30_rank_2.pt`. They belong to one run if each rank's file is in only one
// of the folders, and together they contain most ranks. If each node counts its ranks from 0, or if there are parallel
// runs, files occur twice and the folders stay separate. Pure; cannot fail.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <vector>

namespace rankdeck {

// Gives members of such folders the same series.
void joinNodeFolders(std::vector<Member> &members);

}  // namespace rankdeck
