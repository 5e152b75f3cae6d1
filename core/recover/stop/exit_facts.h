// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of the facts for the exit's preflight, from all nodes at once. Blocks until the deadline; writes nothing.
#pragma once

#include "core/recover/stop/checks/exit_preflight.h"

#include <string>

namespace rankdeck {

// Error invalid if the job file's templates are wrong. own: the calling action, whose journal entries are ignored.
Result<ExitFacts> readExitFacts(ActionContext &host, const JobState &view, const std::string &own, SteadyTime deadline);

}  // namespace rankdeck
