// SPDX-License-Identifier: GPL-3.0-or-later
// What one process of a script saves into files of their own, side by side in a folder: model.pt, optimizer.pt, trainer.pt.
// The folder is of one point (step_30, or OLMo's step30-unsharded), of one rank in it (step_30/rank_1), or is overwritten
// by each save (last/). Where the point is in the names (model_30.pt, optim_30.pt; optim_000030_rank0.pt of each rank, as
// nanochat has it), the files of one number are one checkpoint, under the path of its weights. A folder without such names is
// none of it.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout splitStateLayout;

}  // namespace rankdeck
