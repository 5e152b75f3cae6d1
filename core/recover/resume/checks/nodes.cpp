// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/host/ended_pods.h"
#include "core/recover/launch/cluster/pod_stand_ins.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace rankdeck {

namespace {

// When Volcano restarts a job, it makes new pods, so for a short time there are no pods.
Finding gone(const std::string &node, const SchedulerState &said)
{
    static constexpr std::array<std::string_view, 5> over{"", "Completed", "Failed", "Terminated", "Aborted"};
    const std::string text = "the cluster has no pod for node " + printable(node);
    if (std::find(over.begin(), over.end(), said.state) == over.end())
        return refusal("attempt_running",
                       message("%1 now, but vcjob %2 is %3 and may create the pod again", text, printable(said.job),
                               printable(said.state)),
                       message("wait for its pods, or end that vcjob"));
    return warning("node_not_live",
                   message("%1 any longer: its ranks ended with it, unless it was deleted by force from a machine that "
                           "does not answer",
                           text),
                   message("if someone has deleted it by force, or fault-scheduling is \"force\", check that machine"));
}

}  // namespace

void checkNodes(Findings &into, const ResumeFacts &facts)
{
    const JobState &view = facts.view;
    for (const NodeStatus &status : view.nodes) {
        const NodeSpec *node = nullptr;
        for (const NodeSpec &spec : view.job.nodes)
            if (spec.name == status.name) node = &spec;
        if (status.state != NodeState::live && node && !node->ranks.empty() && standInFor(view, status.name).empty())
            into.push_back(onNode(
                refusal("node_not_live",
                        message("node %1: expected live, found %2%3", printable(status.name),
                                nodeStateName(status.state),
                                (status.reason.empty() ? "" : " (" + printable(status.reason) + ")")),
                        message("a launch needs all nodes: bring this one back, or remove it from the job file")),
                status.name));
        if (podIsGone(view, status.name) && !standInFor(view, status.name).empty())
            into.push_back(onNode(gone(status.name, facts.scheduler), status.name));
        if (std::abs(status.facts.clockSkewSeconds) > 5)
            into.push_back(
                onNode(warning("clock_skew",
                               message("the clock of node %1 is off by %2", printable(status.name),
                                       durationText(std::abs(status.facts.clockSkewSeconds))),
                               message("times of files and log lines come from the node's clock; run NTP there")),
                       status.name));
    }
}

}  // namespace rankdeck
