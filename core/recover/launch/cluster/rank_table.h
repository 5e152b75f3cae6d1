// SPDX-License-Identifier: GPL-3.0-or-later
// The programs that a cluster engine starts in the place of ranks: they know by a table what each rank is (log,
// environment, command), as one command line serves all of them. Python 3.6, standard library. Pure.
#pragma once

#include "core/base/result.h"
#include "core/recover/launch/recipe.h"

#include <string>

namespace rankdeck {

// Becomes the rank whose number its starter gives it in that variable ("srun", "SLURM_PROCID"); the first also starts the
// scheduler of MindSpore, where the ranks need one, on its own node (launch.master_addr has precedence as its address).
// roles: false where the starter itself leads the ranks together, so that MindSpore must not look for a scheduler. Error
// invalid: a placeholder, or a rank without a log.
Result<std::string> rankProgram(const RecipeInput &input, const std::string &starter, const std::string &variable,
                                bool roles = true);
// Starts the ranks of the pod whose number Volcano gives it in VC_TASK_INDEX, hands SIGTERM on to them, ends the others
// when one fails, and ends with the first failure. The first pod has the scheduler; the address of its host is asked for
// as long as the cluster does not know the name (masterTold: the job file names it). A rank table that the cluster still
// writes is waited for.
Result<std::string> volcanoPodProgram(const RecipeInput &input, bool masterTold);

}  // namespace rankdeck
