// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of a script that saves one process's state in several files of one folder: model.pt, optimizer.pt, trainer.pt.
// The folder is of one step (step_30, or OLMo's step30-unsharded), of one rank in it (step_30/rank_1), or is
// overwritten by each save (last/). The step may also be in the file names (model_30.pt, optim_30.pt; nanochat's
// optim_000030_rank0.pt of each rank). Then the files of one number are one checkpoint, under the path of its weights.
// Ignores folders without such names.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout splitStateLayout;

}  // namespace rankdeck
