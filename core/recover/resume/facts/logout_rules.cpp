// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/logout_rules.h"

#include "core/node/wait_for.h"

namespace rankdeck {

std::map<std::string, LogoutRule> readLogoutRules(ActionContext &host, const LaunchPlan &launch, SteadyTime deadline)
{
    std::map<std::string, Reply<LogoutRule>> replies;
    for (const NodePlan &plan : launch.nodes)
        if (NodeClient *node = host.node(plan.node); node && !plan.launches.empty())
            replies[plan.node] = node->logoutRule();
    std::map<std::string, LogoutRule> rules;
    for (auto &[name, reply] : replies) {
        auto rule = waitFor(reply, deadline, name);
        if (rule)
            rules[name] = std::move(rule.value());
        else if (rule.error().kind != ErrorKind::unreachable)
            rules[name].text = rule.error().message;
    }
    return rules;
}

}  // namespace rankdeck
