// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the disks of the nodes take what a plan copies, asked before anything is made: a copy that ends at a full disk
// has used up the room that the next save needs.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/plan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rankdeck {

struct FullDisk {  // bytes
    std::string node;
    std::string directory;  // of one of the copies
    std::uint64_t needed = 0, free = 0;
};
using SizeOf = std::function<std::uint64_t(const std::string &node, const std::string &path)>;

// Those that cannot take their copies; links take no room. Asks all nodes at once, blocks until the deadline. A node that does
// not answer is not called full.
std::vector<FullDisk> fullDisks(ActionContext &host, const Plan &plan, const SizeOf &sizeOf, SteadyTime deadline);
// "the plan copies 3.2 GB to /views on node n0, where 1.0 GB is free"
std::string fullDiskText(const FullDisk &disk);

}  // namespace rankdeck
