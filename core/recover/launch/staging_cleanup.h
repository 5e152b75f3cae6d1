// SPDX-License-Identifier: GPL-3.0-or-later
// Takes away the view directories of a job's earlier resumes once a newer run is proven: nobody reads them any more. Only
// links and files as a plan of the journal made them go; what anything else has put there stays. Blocks. What is not
// answered stays, too: the next proof sweeps again.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"

#include <string>
#include <vector>

namespace rankdeck {

// The directories that are gone, "path on node".
std::vector<std::string> sweepViews(ActionContext &host, const Job &job, const std::string &currentAction);

}  // namespace rankdeck
