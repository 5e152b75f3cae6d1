// SPDX-License-Identifier: GPL-3.0-or-later
// Files into which the output of a process is finally written, also through `| tee train.log` and other filters. Found
// from the open files of a host's processes. Pure.
#pragma once

#include "core/node/node.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// pid → its entries of /proc/PID/fd, as a node lists them.
using OpenFiles = std::map<int, std::vector<FileEntry>>;

// The file that gets the output of a process behind the filters that read its pipe; empty: none is known.
std::string fileBehindPipes(int pid, const OpenFiles &open);
// A file named .log that the program itself has open; empty: none.
std::string ownLog(int pid, const OpenFiles &open);
// Processes that may read the pipe of a process. A shell above it started them beside it, or they are children of init,
// because that shell has ended.
std::vector<int> possibleReaders(const ProcessInfo &process, const std::vector<ProcessInfo> &all);

}  // namespace rankdeck
