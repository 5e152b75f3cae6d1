// SPDX-License-Identifier: GPL-3.0-or-later
// Where what a process prints is written at last, also through `| tee train.log` and other filters: by what the processes
// of a host have open.
#pragma once

#include "core/node/node.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// Of each process, by pid: its entries of /proc/PID/fd as a node lists them.
using OpenFiles = std::map<int, std::vector<FileEntry>>;

// The file in which the output of a process ends up behind the filters that read its pipe; empty: none is seen.
std::string fileBehindPipes(int pid, const OpenFiles &open);
// A file named .log that the program itself has open; empty: none.
std::string ownLog(int pid, const OpenFiles &open);
// Who may read the pipe of a process: what a shell above it, or init after that shell has ended, started beside it.
std::vector<int> possibleReaders(const ProcessInfo &process, const std::vector<ProcessInfo> &all);

}  // namespace rankdeck
