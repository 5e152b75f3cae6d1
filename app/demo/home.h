// SPDX-License-Identifier: GPL-3.0-or-later
// The private directory of a demo cluster ("rankdeck-demo-XXXXXX", 0700) and what becomes of it when its owner is gone.
// Only directories of this user with this name and an owner record are ever touched.
#pragma once

#include "app/demo/processes.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace rankdeck::demo {

// $XDG_RUNTIME_DIR when it is this user's, else /tmp.
std::string defaultParent();
// A new directory with an owner record (this process). id is what marks its processes.
Result<std::string> makeHome(const std::string &parent, const std::string &id);
// False, and nothing is touched, when it does not look like one of ours.
bool removeHome(const std::string &directory);
// Ends what is left of the clusters of dead owners under this parent, and removes them. Returns their directories.
std::vector<std::string> cleanLeftovers(const std::string &parent);

std::string ownerFile(const std::string &home);
std::string readyFile(const std::string &home);
std::string nodeDirectory(const std::string &home, const std::string &node);
// 128 random bits as hex
std::string newClusterId();

}  // namespace rankdeck::demo
