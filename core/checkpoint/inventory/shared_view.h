// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether several nodes see one file system, whatever the job file says. Pure.
#pragma once

#include "core/checkpoint/inventory/inventory.h"

#include <vector>

namespace rankdeck {

// True if two or more nodes list the same files. Then paths, inodes, sizes and times are equal for nearly all files,
// and no path has two inodes. False if a node has listed nothing.
bool seeTheSame(const std::vector<NodeListing> &byNode);

}  // namespace rankdeck
