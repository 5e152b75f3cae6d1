// SPDX-License-Identifier: GPL-3.0-or-later
// What an exit would write, and in one sentence what it does. Pure: of facts that were read before.
#pragma once

#include "core/recover/plan.h"
#include "core/recover/stop/checks/exit_preflight.h"

namespace rankdeck {

Plan exitPlan(const Job &job, const ExitFacts &facts);

}  // namespace rankdeck
