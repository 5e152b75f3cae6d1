// SPDX-License-Identifier: GPL-3.0-or-later
// Cleanup of the staging directories of a job's earlier resumes. It runs when a newer run is proven, because no process
// reads them any more. Removes only links and files that match a plan in the journal; all other files stay. Blocks.
// Directories on nodes that did not answer stay until the cleanup after the next proof.
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
