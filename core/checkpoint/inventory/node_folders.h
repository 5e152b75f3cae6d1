// SPDX-License-Identifier: GPL-3.0-or-later
// Disks of several nodes that were brought together: node0/rank_0, node0/rank_1, node1/rank_2 … or nid0412/step_30_rank_0.pt,
// nid0977/step_30_rank_2.pt. Where each rank's file lies in one of the folders only, and together they are of most ranks,
// they are of one run. Ranks that each node counts for itself, and runs side by side, have files twice, and stay apart.
// Pure; cannot fail.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <vector>

namespace rankdeck {

// Gives such members one series.
void joinNodeFolders(std::vector<Member> &members);

}  // namespace rankdeck
