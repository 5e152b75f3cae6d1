// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the disks of the nodes take what a plan copies, asked before anything is made: a copy that ends at a full disk
// has used up the room that the next save needs.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/plan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct CopyRoom {  // on one disk of a node; bytes
    std::string node;
    std::string directory;  // of one of the copies
    std::uint64_t needed = 0;
    std::optional<std::uint64_t> free = {};  // none: the node has not said
};
using SizeOf = std::function<std::uint64_t(const std::string &node, const std::string &path)>;

// Where the copies are not known to fit: too little is free, or the node does not say what is. Links take no room. Asks all
// nodes at once, blocks until the deadline.
std::vector<CopyRoom> tightDisks(ActionContext &host, const Plan &plan, const SizeOf &sizeOf, SteadyTime deadline);
// "the plan copies 3.2 GB to /views on node n0, where 1.0 GB is free", or "… where free space is unknown"
std::string copyRoomText(const CopyRoom &room);

}  // namespace rankdeck
