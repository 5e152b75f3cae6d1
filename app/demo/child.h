// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that the demo starts. Uses posix_spawn, so that a multi-threaded process may call it. Any thread.
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace rankdeck::demo {

struct ChildSpec {
    std::vector<std::string> argv;                // argv[0] is a path
    std::map<std::string, std::string> env = {};  // added to this process's environment
    std::string workdir = {};
    std::string output = {};  // file to which stdout and stderr are appended; empty: /dev/null
};

// Starts the program in a new session with /dev/null as stdin.
Result<pid_t> startChild(const ChildSpec &spec);
// Waits for the program to end. The Error names the program and shows the end of its output.
Status runToEnd(const ChildSpec &spec);
// Path of a program in PATH or in the sbin directories. Empty if there is none.
std::string findProgram(const std::string &name);

}  // namespace rankdeck::demo
