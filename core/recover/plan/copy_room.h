// SPDX-License-Identifier: GPL-3.0-or-later
// Check that the nodes' disks have room for the files that a plan copies, made before the plan runs. A copy that fills
// a disk would take the room that the next save needs.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/plan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct CopyRoom {  // one disk of a node; bytes
    std::string node;
    std::string directory;  // directory of one of the copies
    std::uint64_t needed = 0;
    std::optional<std::uint64_t> free = {};  // none: no answer
};
using SizeOf = std::function<std::uint64_t(const std::string &node, const std::string &path)>;

// Disks on which the copies may not fit: too little is free, or the free space is unknown. Links take no room. Asks all
// nodes at once, blocks until the deadline.
std::vector<CopyRoom> tightDisks(ActionContext &host, const Plan &plan, const SizeOf &sizeOf, SteadyTime deadline);
// "the plan copies 3.2 GB to /views on node n0; 1.0 GB is free there", or "…; free space there is unknown"
Message copyRoomText(const CopyRoom &room);

}  // namespace rankdeck
