// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/plan/plan_secrets.h"

namespace rankdeck {

Secrets secretsOf(const Plan &plan, Secrets::Which which)
{
    Secrets secrets;
    for (const NodePlan &node : plan.nodes)
        for (const LaunchRequest &launch : node.launches) secrets.add(launch.env, which);
    for (const auto &environment : plan.environments) secrets.add(environment, which);
    return secrets;
}

Plan withoutSecrets(Plan plan)
{
    const Secrets secrets = secretsOf(plan);
    if (const std::string hidden = secrets.hide(plan.summary); hidden != plan.summary) plan.summary = hidden;
    for (NodePlan &node : plan.nodes) {
        for (FileEdit &edit : node.edits) {
            edit.diff = secrets.hide(std::move(edit.diff));
            if (edit.expectedSha256.empty()) edit.after = secrets.hide(std::move(edit.after));
        }
        for (LaunchRequest &launch : node.launches) {
            for (auto &[name, value] : launch.env) value = secrets.hide(std::move(value));
            for (std::string &argument : launch.argv) argument = secrets.hide(std::move(argument));
        }
    }
    return plan;
}

}  // namespace rankdeck
