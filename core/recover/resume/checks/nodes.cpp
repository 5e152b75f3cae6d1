// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/launch/cluster/pod_stand_ins.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {

void checkNodes(Findings &into, const ResumeFacts &facts)
{
    const JobState &view = facts.view;
    for (const NodeStatus &status : view.nodes) {
        const NodeSpec *node = nullptr;
        for (const NodeSpec &spec : view.job.nodes)
            if (spec.name == status.name) node = &spec;
        if (status.state != NodeState::live && node && !node->ranks.empty() && standInFor(view, status.name).empty())
            into.push_back(onNode(refusal("node_not_live",
                                          "node " + printable(status.name) + ": expected live, found " +
                                              nodeStateName(status.state) +
                                              (status.reason.empty() ? "" : " (" + printable(status.reason) + ")"),
                                          "all nodes start or none: bring it back, or take it out of the job file"),
                                  status.name));
        if (std::abs(status.facts.clockSkewSeconds) > 5)
            into.push_back(
                onNode(warning("clock_skew",
                               "the clock of node " + printable(status.name) + " is off by " +
                                   durationText(std::abs(status.facts.clockSkewSeconds)),
                               "times of files and log lines are shown as the node tells them; run NTP there"),
                       status.name));
    }
}

}  // namespace rankdeck
