// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a node ends what this login starts as soon as the login ends (systemd-logind's KillUserProcesses): then a
// detached launch dies with the console's link. Blocks until the deadline. A node that does not answer leaves the rule
// unknown; one that cannot be reached is a finding of its own.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/launch/recipe.h"

#include <map>
#include <string>

namespace rankdeck {

// node → rule, of the nodes on which the launch starts a program.
std::map<std::string, LogoutRule> readLogoutRules(ActionContext &host, const LaunchPlan &launch, SteadyTime deadline);

}  // namespace rankdeck
