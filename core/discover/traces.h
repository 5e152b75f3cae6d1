// SPDX-License-Identifier: GPL-3.0-or-later
// What one host's /proc shows of training: rank processes with their whole environment, launchers, and what looks like
// training but may not be read. scanHost blocks until the deadline, reads only, and asks for all at once.
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
    std::string log = {};                                 // the file of its output; empty: none is seen
    // The msrun or torchrun above it. stdoutPath also where a filter writes it.
    std::optional<ProcessInfo> launcher = {};
};
struct HostTraces {
    std::string host;          // as it was given: what ssh takes
    std::string cluster = {};  // a pod: of which job of the cluster; pods have process numbers of their own
    NodeFacts facts = {};      // of the connection
    std::vector<std::string> addresses = {};        // IPv4, of its own; empty: not known
    std::map<std::string, std::string> login = {};  // the login's own environment, which a launch inherits anyway
    std::vector<RankTrace> ranks = {};
    std::map<int, std::map<std::string, std::string>> launcherEnvironments = {};  // by pid
    std::vector<ProcessInfo> unreadable = {};  // training by its command line, of a user whose environment is closed
};

Result<HostTraces> scanHost(NodeClient &node, const std::string &host, SteadyTime deadline);

// ---- pure parts
// Ranks among the processes: told by their variables or their log, no tails, no schedulers, no data loaders, no shells
// around them. all: every process of the host, for the chain of parents.
std::vector<RankTrace> rankTraces(const std::vector<ProcessInfo> &withVariables, const std::vector<ProcessInfo> &all);
std::vector<ProcessInfo> unreadableTraining(const std::vector<ProcessInfo> &all);
std::map<std::string, std::string> environmentOf(const std::string &bytes);  // of /proc/PID/environ

}  // namespace rankdeck
