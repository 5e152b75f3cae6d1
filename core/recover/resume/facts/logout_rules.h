// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether a node ends a login's processes as soon as the login ends (systemd-logind's KillUserProcesses). A
// detached launch would then end together with the console's link. Blocks until the deadline. A node that does not
// answer leaves the rule unknown; an unreachable node has its own finding.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/launch/recipe.h"

#include <map>
#include <string>

namespace rankdeck {

// node → rule, for nodes on which the launch starts a program.
std::map<std::string, LogoutRule> readLogoutRules(ActionContext &host, const LaunchPlan &launch, SteadyTime deadline);

}  // namespace rankdeck
