// SPDX-License-Identifier: GPL-3.0-or-later
// Who listens on a node, as its kernel tells it. Pure.
#pragma once

#include <map>
#include <string>

namespace rankdeck {

// Listeners of /proc/net/tcp or tcp6: inode of the socket → port.
std::map<std::string, int> listenersOf(const std::string &procNetTcp);

}  // namespace rankdeck
