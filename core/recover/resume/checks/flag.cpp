// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/resume/checks/resume_checks.h"

namespace rankdeck {

void checkFlag(Findings &into, const ResumeFacts &facts)
{
    for (const ConfigCopy &copy : facts.copies) {
        if (copy.flag && copy.flag->armed && copy.sameAs.empty()) {
            Finding finding =
                onNode(warning("flag_still_set",
                               message("GracefulExit is %1 in %2 on node %3: every rank would stop after its first "
                                       "step",
                                       copy.flag->literal, printable(copy.path), printable(copy.node)),
                               message("the plan puts it back to 0")),
                       copy.node);
            finding.fixable = true;
            into.push_back(std::move(finding));
        }
        const bool unanswered = copy.problemCode == "node_not_live" && isLive(facts.view, copy.node);
        if (copy.problem && (unanswered || copy.problemCode == "config_unreadable"))
            into.push_back(
                onNode(warning("config_unreadable",
                               message("cannot tell whether GracefulExit is 1 in %1 on node %2 (%3): if it is, every "
                                       "rank would stop after its first step",
                                       printable(copy.path), printable(copy.node), printable(copy.problem->message)),
                               message("check the file before you resume")),
                       copy.node));
        if (copy.problem && copy.problemCode == "config_invalid" && copy.problem->detail != "empty")
            into.push_back(
                onNode(warning(copy.problemCode,
                               message("the graceful-exit config %1 on node %2: %3", printable(copy.path),
                                       printable(copy.node), printable(copy.problem->message)),
                               message("repair it: a root that is not an object kills the rank that reads it")),
                       copy.node));
    }
    const auto &env = facts.view.job.launch.env;
    const auto armed = env.find("MS_ENABLE_GRACEFUL_EXIT");
    if (facts.view.job.gracefulExit.hasConfig() && (armed == env.end() || armed->second != "1"))
        into.push_back(warning(
            "graceful_env",
            message(
                "launch.env has no MS_ENABLE_GRACEFUL_EXIT=1, so the resumed run could not be stopped by the config"),
            message("add it to launch.env of the job file")));
}

}  // namespace rankdeck
