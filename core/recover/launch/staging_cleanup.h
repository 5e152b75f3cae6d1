// SPDX-License-Identifier: GPL-3.0-or-later
// Removes the staging directories of a job's earlier resumes when a newer run is proven; no process reads them any
// more. Removes only links and files that match a plan in the journal; all other files stay. Blocks. Directories of
// nodes that did not answer also stay, until the next proof sweeps again.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"

#include <string>
#include <vector>

namespace rankdeck {

// Returns the removed directories, "path on node".
std::vector<std::string> sweepViews(ActionContext &host, const Job &job, const std::string &currentAction);

}  // namespace rankdeck
