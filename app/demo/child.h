// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that the demo starts. posix_spawn, so that a process with threads may call it. Any thread.
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
    std::string output = {};  // stdout and stderr, appended; empty: /dev/null
};

// A new session; stdin is /dev/null.
Result<pid_t> startChild(const ChildSpec &spec);
// Waits for the end; the Error names the program and shows its last output.
Status runToEnd(const ChildSpec &spec);
// Path of a program: beside PATH also the sbin directories. Empty when there is none.
std::string findProgram(const std::string &name);

}  // namespace rankdeck::demo
