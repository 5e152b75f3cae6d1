// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"

namespace rankdeck {

std::vector<Finding> logoutFindings(const std::map<std::string, LogoutRule> &rules, const ResumeOptions &options)
{
    std::vector<Finding> findings;
    for (const auto &[node, rule] : rules) {
        const std::string because = printable(node) + ": " + printable(rule.text);
        if (rule.endsLaunches.isUnknown())
            findings.push_back(
                onNode(warning("logout_unknown",
                               message("cannot tell whether the run outlives this console on node %1", because),
                               message("check KillUserProcesses in the node's logind.conf")),
                       node));
        if (!rule.endsLaunches.isYes()) continue;
        Finding finding = refusal(
            "logout_ends_run", message("the run would be killed when this console's login ends on node %1", because),
            message("change that setting, or let the scheduler start the run; if this console stays open until "
                    "the end, %1",
                    overrideHint("logout_ends_run")));
        if (options.overriding("logout_ends_run")) finding.result = Finding::Result::warn;
        findings.push_back(onNode(std::move(finding), node));
    }
    return findings;
}

}  // namespace rankdeck
