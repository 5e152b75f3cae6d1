// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether known processes still run. All nodes are asked at once, and by pid, because the processes were
// classified when they were listed. Blocks until the deadline.
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

// In the order asked. No: its node has answered, and no process with that pid and start time runs. Unknown: the node
// has not answered.
std::vector<Known> stillRun(ActionContext &host, const std::vector<NodeProcess> &processes, SteadyTime deadline);

}  // namespace rankdeck
