// SPDX-License-Identifier: GPL-3.0-or-later
// Whether several nodes look at one file system, told or not. Pure.
#pragma once

#include "core/checkpoint/inventory/inventory.h"

#include <vector>

namespace rankdeck {

// Two or more nodes list the same files: equal paths, inodes, sizes and times in all but a few, and no path with another
// inode. False where a node has listed nothing.
bool seeTheSame(const std::vector<NodeListing> &byNode);

}  // namespace rankdeck
