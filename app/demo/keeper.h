// SPDX-License-Identifier: GPL-3.0-or-later
// The keeper process of a demo cluster: starts sshds and ranks, runs the links between console and nodes, applies link
// faults, and watches its owner. When the owner dies or asks for it, the keeper ends all processes of the cluster and
// removes its directory. A start error is written to ready.json, which the owner reads.
#pragma once

#include <string>

namespace rankdeck::demo {

// file: the KeeperPlan as JSON. Returns the exit code of the process.
int runKeeper(const std::string &file);

}  // namespace rankdeck::demo
