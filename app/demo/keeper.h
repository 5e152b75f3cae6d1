// SPDX-License-Identifier: GPL-3.0-or-later
// The one process behind a demo cluster: it starts the sshds and the ranks, carries the links between console and
// nodes, applies link faults, and watches its owner. When the owner is gone, or asks, it ends everything that belongs
// to the cluster and removes its directory. What does not start is the error of ready.json, which the owner reads.
#pragma once

#include <string>

namespace rankdeck::demo {

// file: the KeeperPlan as JSON. Returns the exit code of the process.
int runKeeper(const std::string &file);

}  // namespace rankdeck::demo
