// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether the newest checkpoint carries graceful_exit/graceful_init, which a train cell that obeys the switch
// leaves there. Uses the job state, otherwise reads ranges of one file (kilobytes). nullopt: unknown. Blocks.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"
#include "core/recover/plan.h"

#include <optional>

namespace rankdeck {

Known gracefulReadiness(ActionContext &host, const JobState &view);
// Reads the first readable member of this set.
Known carriesGracefulTags(ActionContext &host, const JobState &view, const CheckpointSet &set);

}  // namespace rankdeck
