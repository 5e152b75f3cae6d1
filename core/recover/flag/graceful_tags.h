// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the newest checkpoint carries graceful_exit/graceful_init, the print of a train cell that obeys the switch:
// from the view, else read from one file by ranges (kilobytes). nullopt: not known. Blocks.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"
#include "core/recover/plan.h"

#include <optional>

namespace rankdeck {

Known gracefulReadiness(ActionContext &host, const JobState &view);
// Of the first readable member of this set.
Known carriesGracefulTags(ActionContext &host, const JobState &view, const CheckpointSet &set);

}  // namespace rankdeck
