// SPDX-License-Identifier: GPL-3.0-or-later
// Traces of training in one host's /proc: rank processes with their whole environment, launchers, and processes that
// look like training but cannot be read. scanHost blocks until the deadline, reads only, and asks for all at once.
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/node/node.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct RankTrace {
    int rank = 0;
    ProcessInfo process;
    std::map<std::string, std::string> environment = {};  // all of it
    std::string log = {};                                 // the file of its output; empty: none is known
    // The msrun or torchrun above it. stdoutPath is also set if a filter writes it.
    std::optional<ProcessInfo> launcher = {};
};
struct HostTraces {
    std::string host;          // as it was given, in a form that ssh takes
    std::string cluster = {};  // a pod: the cluster's job that it belongs to; pods have their own process numbers
    NodeFacts facts = {};      // of the connection
    std::vector<std::string> addresses = {};        // IPv4, of the host itself; empty: unknown
    std::map<std::string, std::string> login = {};  // the login's own environment, which a launch inherits anyway
    std::vector<RankTrace> ranks = {};
    std::map<int, std::map<std::string, std::string>> launcherEnvironments = {};  // by pid
    std::vector<ProcessInfo> unreadable = {};  // training by its command line, of a user whose environment is closed
};

Result<HostTraces> scanHost(NodeClient &node, const std::string &host, SteadyTime deadline);

// ---- pure parts
// Ranks among the processes, recognised by their variables or their log. Excluded are tails, schedulers, data loaders
// and shells around ranks. all: every process of the host, for the chain of parents.
std::vector<RankTrace> rankTraces(const std::vector<ProcessInfo> &withVariables, const std::vector<ProcessInfo> &all);
std::vector<ProcessInfo> unreadableTraining(const std::vector<ProcessInfo> &all);
std::map<std::string, std::string> environmentOf(const std::string &bytes);  // of /proc/PID/environ

}  // namespace rankdeck
