// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether known processes still run. Asks all nodes at once, only for these pids: the processes were classified
// when they were listed. Blocks until the deadline.
#pragma once

#include "core/base/clock.h"
#include "core/base/known.h"
#include "core/node/protocol/messages.h"

#include <string>
#include <vector>

namespace rankdeck {

class ActionContext;

struct NodeProcess {
    std::string node;
    ProcessId process;
};

// Results in the order of the processes. No: the node answered that no process with that pid and start time runs.
// Unknown: the node did not answer.
std::vector<Known> stillRun(ActionContext &host, const std::vector<NodeProcess> &processes, SteadyTime deadline);

}  // namespace rankdeck
