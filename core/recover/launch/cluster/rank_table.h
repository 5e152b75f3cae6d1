// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that a cluster engine starts in place of the ranks. All ranks get the same command line; a table in the
// program gives each rank its log, environment and command. Python 3.6, standard library. Pure.
#pragma once

#include "core/base/result.h"
#include "core/recover/launch/recipe.h"

#include <string>

namespace rankdeck {

// Program that becomes the rank whose number the starter puts into that variable ("srun", "SLURM_PROCID"). If the ranks
// need a MindSpore scheduler, the first rank also starts it on its own node (launch.master_addr has precedence as its
// address). `roles` is false if the starter itself coordinates the ranks, so that MindSpore must not look for a
// scheduler. Error invalid: a placeholder, or a rank without a log.
Result<std::string> rankProgram(const RecipeInput &input, const std::string &starter, const std::string &variable,
                                bool roles = true);
// Program that starts the ranks of the pod whose number Volcano writes to VC_TASK_INDEX, and passes SIGTERM on to them.
// When one rank fails, it ends the others and returns that failure. The first pod has the scheduler; its host name is
// resolved repeatedly until the cluster knows it (masterTold: the job file names it). The program also waits for a rank
// table that is still being written.
Result<std::string> volcanoPodProgram(const RecipeInput &input, bool masterTold);

}  // namespace rankdeck
