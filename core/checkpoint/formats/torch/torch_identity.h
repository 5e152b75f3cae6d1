// SPDX-License-Identifier: GPL-3.0-or-later
// Identity of a torch.save dictionary: the arguments of the run that its script put into it, which are equal in the
// files of all ranks. Also whether it contains more than weights. Pure.
#pragma once

#include "core/checkpoint/formats/torch/torch_state.h"
#include "core/checkpoint/meta.h"

#include <string>
#include <string_view>

namespace rankdeck {

// As meta "run.lr", "run.run_id" …: only arguments that are equal for all ranks of one run.
void takeRunIdentity(const Pickle &pickle, Meta &meta);

// True for a bare torch.optim state: half a checkpoint.
bool holdsOnlyOptimizer(const Pickle &pickle, const TorchState &state);

// True for a dictionary without any tensor: OLMo's train.pt, with steps and random states.
bool holdsOnlyCounters(const Pickle &pickle, const TorchState &state);

// True for a dictionary of weights without an optimizer: an export, or a best model.
bool holdsOnlyWeights(const Pickle &pickle, const TorchState &state);

}  // namespace rankdeck
