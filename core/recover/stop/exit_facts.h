// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what the exit's preflight wants to know, all nodes at once. Blocks until the deadline; writes nothing.
#pragma once

#include "core/recover/stop/checks/exit_preflight.h"

#include <string>

namespace rankdeck {

// Error invalid when the job file's templates are wrong.
// own: the action that asks; what the journal says of others counts.
Result<ExitFacts> readExitFacts(ActionContext &host, const JobState &view, const std::string &own, SteadyTime deadline);

}  // namespace rankdeck
