// SPDX-License-Identifier: GPL-3.0-or-later
// Folders with the copied disks of several nodes: `node0/rank_0`, `node0/rank_1`, `node1/rank_2` …, or
// `nid0412/step_30_rank_0.pt`, `nid0977/step_30_rank_2.pt`. They are of one run if each rank's file is in only one of
// the folders, and if together they contain most ranks. Ranks that each node counts from 0, and parallel runs, have
// files twice, and stay separate. Pure; cannot fail.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <vector>

namespace rankdeck {

// Gives members of such folders the same series.
void joinNodeFolders(std::vector<Member> &members);

}  // namespace rankdeck
