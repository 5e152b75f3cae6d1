// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/job_state.h"

namespace rankdeck {

double clockSkew(const JobState &view, const std::string &node)
{
    for (const NodeStatus &status : view.nodes)
        if (status.name == node) return status.facts.clockSkewSeconds;
    return 0;
}

WallTime consoleTime(const JobState &view, const std::string &node, std::int64_t nodeNs)
{
    return secondsAfter(wallFromNs(nodeNs), -clockSkew(view, node));
}

}  // namespace rankdeck
