// SPDX-License-Identifier: GPL-3.0-or-later
// Activity of all ranks' processes at a time when all were silent and none stood out by its state or step. Read from
// /proc of their nodes, and grouped. Plain values; unknown processes are in no group.
#pragma once

#include "core/base/clock.h"

#include <string>
#include <vector>

namespace rankdeck {

struct HangScan {
    WallTime at = {};
    int attempt = 0;
    std::vector<int> few = {};  // ascending: ranks that do something different from all others; empty: none stands out
    // Kernel function (or syscall) in which they wait, and the one in which the others wait; empty: they compute.
    std::string where = {}, othersWhere = {};
    bool someCompute = false;  // some rank computes: not all wait
};

}  // namespace rankdeck
