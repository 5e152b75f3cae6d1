// SPDX-License-Identifier: GPL-3.0-or-later
// The private directory of a demo cluster ("rankdeck-demo-XXXXXX", 0700), and its cleanup after the owner has died.
// Only directories of this user with this name and an owner record are ever touched.
#pragma once

#include "app/demo/processes.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace rankdeck::demo {

// $XDG_RUNTIME_DIR if it belongs to this user, else /tmp.
std::string defaultParent();
// Creates a directory with an owner record for this process. id: the mark of the cluster's processes.
Result<std::string> makeHome(const std::string &parent, const std::string &id);
// Returns false and touches nothing if the directory does not look like one of ours.
bool removeHome(const std::string &directory);
// Ends the remaining processes of clusters under this parent whose owner is dead, and removes the clusters. Returns
// their directories.
std::vector<std::string> cleanLeftovers(const std::string &parent);

std::string ownerFile(const std::string &home);
std::string readyFile(const std::string &home);
std::string nodeDirectory(const std::string &home, const std::string &node);
// 128 random bits as hex
std::string newClusterId();

}  // namespace rankdeck::demo
