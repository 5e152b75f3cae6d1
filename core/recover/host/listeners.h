// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that listen on ports of a node, found in the kernel's tables. Pure.
#pragma once

#include <map>
#include <string>

namespace rankdeck {

// Listening sockets of /proc/net/tcp or tcp6: inode of the socket → port.
std::map<std::string, int> listenersOf(const std::string &procNetTcp);

}  // namespace rankdeck
