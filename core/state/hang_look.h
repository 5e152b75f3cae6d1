// SPDX-License-Identifier: GPL-3.0-or-later
// What the processes of all ranks did when everybody was silent and nobody stood out by state or step: read from /proc of
// their nodes, and grouped. Plain values; unknown processes are in no group.
#pragma once

#include "core/base/clock.h"

#include <string>
#include <vector>

namespace rankdeck {

struct HangLook {
    WallTime at = {};
    int attempt = 0;
    std::vector<int> few = {};  // ascending: who does something else than all others; empty: nobody stands out
    // In which kernel function (or syscall) they wait, and the others; empty: they compute.
    std::string where = {}, othersWhere = {};
    bool someCompute = false;  // whoever they are: not all wait
};

}  // namespace rankdeck
