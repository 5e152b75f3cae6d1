// SPDX-License-Identifier: GPL-3.0-or-later
// A process that will be signalled, with everything that an operator needs to recognise it. The list that is shown is
// exactly the list that is signalled: the same value goes from the report through the dialog into the action. Pure
// values.
#pragma once

#include "core/base/known.h"
#include "core/node/protocol/messages.h"

#include <string>
#include <vector>

namespace rankdeck {

struct ProcessTarget {
    std::string node = {};
    int rank = -1;  // -1: scheduler, launcher and their children
    ProcessId process = {};
    int group = 0;
    WallTime started = {};     // by the node's clock; epoch: unknown
    std::string user = {};     // its name if it is the login's user or root, otherwise "uid 1001"
    std::string comm = {};     // the kernel's short name
    std::string command = {};  // the command line; empty if it cannot be read
    std::string log = {};      // file of its stdout; empty: none
    Known sent = false;        // after the signal; unknown: the node has not answered, so it may have been sent
    std::string reason = {};   // why it was not sent, or why the result is unknown
};

// A force stop that the operator has confirmed, with exactly the shown processes.
struct ConfirmedRung {
    Signal signal = Signal::term;
    std::vector<ProcessTarget> targets = {};
};

// facts: of that node, for the login's name; may be empty.
ProcessTarget targetOf(const std::string &node, const NodeFacts &facts, const ProcessInfo &process, int rank);
bool sameProcess(const ProcessTarget &a, const ProcessTarget &b);
// "rank 3, pid 4711 (python3, group 4711) on node n0", safe to print.
Message targetName(const ProcessTarget &target);
// The name plus start time, user, command line and log, shown before the operator confirms a signal. One line, safe to
// print.
Message targetText(const ProcessTarget &target);
// JSON text of an array, for the journal and --json.
std::string targetsJson(const std::vector<ProcessTarget> &targets);

}  // namespace rankdeck
