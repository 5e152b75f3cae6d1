// SPDX-License-Identifier: GPL-3.0-or-later
// Whose file a torch.save dictionary is: the arguments of the run that its script put into it, which are the same in the
// files of all ranks; and whether it holds more than weights. Pure.
#pragma once

#include "core/checkpoint/formats/torch/torch_state.h"
#include "core/checkpoint/meta.h"

#include <string>
#include <string_view>

namespace rankdeck {

// As meta "run.lr", "run.run_id" …: only arguments that do not differ between the ranks of one run.
void takeRunIdentity(const Pickle &pickle, Meta &meta);

// A bare state of torch.optim and nothing else: half a checkpoint.
bool holdsOnlyOptimizer(const Pickle &pickle, const TorchState &state);

// Not one tensor: OLMo's train.pt, of steps and random states.
bool holdsOnlyCounters(const Pickle &pickle, const TorchState &state);

// A dictionary of weights without anything of an optimizer: an export, or a best model.
bool holdsOnlyWeights(const Pickle &pickle, const TorchState &state);

}  // namespace rankdeck
