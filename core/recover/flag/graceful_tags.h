// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether the newest checkpoint contains the tags graceful_exit/graceful_init. A train cell that obeys the switch
// leaves these tags there. Uses the job state; otherwise reads parts of one file (kilobytes). nullopt: unknown. Blocks.
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
