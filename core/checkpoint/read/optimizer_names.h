// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether a flat list of tensors contains optimizer states beside the weights, as MindSpore saves them. Each is
// named for its weight with a prefix: "moments.conv1.weight" for "conv1.weight". Pure.
#pragma once

#include "core/checkpoint/tensor_list.h"

#include <string_view>

namespace rankdeck {

// True for names of optimizer states, also inside a path.
bool mentionsOptimizer(std::string_view key);

// True for a list of weights alone, without the epoch_num or step_num that a training appends. It is an export, or a
// file that was cut after the weights.
bool hasOnlyWeights(const TensorList &tensors);

}  // namespace rankdeck
