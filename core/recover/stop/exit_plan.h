// SPDX-License-Identifier: GPL-3.0-or-later
// Plan of the writes that an exit makes, with a summary in one sentence. Pure: uses facts that were read before.
#pragma once

#include "core/recover/plan.h"
#include "core/recover/stop/checks/exit_preflight.h"

namespace rankdeck {

Plan exitPlan(const Job &job, const ExitFacts &facts);

}  // namespace rankdeck
