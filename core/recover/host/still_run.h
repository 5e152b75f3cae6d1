// SPDX-License-Identifier: GPL-3.0-or-later
// Whether processes that were seen before run on. All nodes are asked at once, and by pid: what the processes are was
// settled when they were listed. Blocks until the deadline.
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

// In the order asked. No: its node has answered, and nothing of that pid and start time runs there. Unknown: the node has
// not answered.
std::vector<Known> stillRun(ActionContext &host, const std::vector<NodeProcess> &processes, SteadyTime deadline);

}  // namespace rankdeck
