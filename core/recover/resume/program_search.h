// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the programs of a launch and what its workers run are there, the way the launch itself will look for them: a path as it is, a name in
// the PATH of the launch's environment, else in that of the login. Blocks until the deadline.
#pragma once

#include "core/recover/launch/recipe.h"
#include "core/recover/resume/resume_preflight.h"

namespace rankdeck {

void findPrograms(ActionContext &host, const Job &job, const LaunchPlan &launch, ResumeFacts &facts,
                  SteadyTime deadline);
// Of LaunchPlan::programs: one finding for each that is missing.
std::vector<Finding> missingPrograms(ActionContext &host, const LaunchPlan &launch, SteadyTime deadline);

}  // namespace rankdeck
