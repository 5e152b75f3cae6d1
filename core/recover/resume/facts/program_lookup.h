// SPDX-License-Identifier: GPL-3.0-or-later
// findPrograms() for one node, for callers that are connected to that node but run no action. Blocks until the
// deadline. Unanswered questions are reported as unknown.
#pragma once

#include "core/node/node.h"
#include "core/recover/resume/facts/program_search.h"

namespace rankdeck {

// plan: of that node, with at least one launch.
ProgramFacts findProgramsOn(const Job &job, const LaunchPlan &launch, const NodePlan &plan, NodeClient &node,
                            SteadyTime deadline);

}  // namespace rankdeck
