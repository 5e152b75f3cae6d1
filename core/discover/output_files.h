// SPDX-License-Identifier: GPL-3.0-or-later
// Files into which the output of a process is finally written, also through `| tee train.log` and other filters. Found
// from the open files of a host's processes. Pure.
#pragma once

#include "core/base/known.h"
#include "core/node/node.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct OpenFile {
    FileEntry entry = {};            // of /proc/PID/fd, as a node lists it
    Known written = Known::unknown;  // whether it is open for writing
};
using OpenFiles = std::map<int, std::vector<OpenFile>>;  // by pid

// True for an entry that is a log if the process writes it: a plain file other than its input and output.
bool mayBeALog(const FileEntry &entry);
// Whether a file is open for writing, from the content of its /proc/PID/fdinfo/N (proc(5)). Unknown: the content has no
// access mode.
Known isOpenForWriting(std::string_view fdinfo);

// The file that gets the output of a process behind the filters that read its pipe; empty: none is known.
std::string fileBehindPipes(int pid, const OpenFiles &open);
// A file named .log that the program itself has open; empty: none.
std::string ownLog(int pid, const OpenFiles &open);
// Processes that may read the pipe of a process. A shell above it started them beside it, or they are children of init,
// because that shell has ended.
std::vector<int> possibleReaders(const ProcessInfo &process, const std::vector<ProcessInfo> &all);

}  // namespace rankdeck
