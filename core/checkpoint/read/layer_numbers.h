// SPDX-License-Identifier: GPL-3.0-or-later
// Layer numbers of a model in each part, from the names of its tensors: "model.layers.17.attention.weight" belongs to
// layer 17. Also whether the parts together are one pipeline, with every layer present in one stage. Pure.
#pragma once

#include "core/checkpoint/tensor_list.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

std::optional<int> layerNumber(std::string_view tensor);
std::set<int> layersOf(const TensorList &tensors);

// parts: the layers of each, in any order; parts with the same layers are replicas or tensor-parallel parts of one
// stage. Empty: they fit, or the names count from 0 in every stage and prove nothing.
Message pipelineFault(const std::vector<std::set<int>> &parts);
// True if the layers of all stages are complete from 0 on, with the same number of parts per stage. Then the parts may
// have different tensors.
bool isWholePipeline(const std::vector<std::set<int>> &parts);

}  // namespace rankdeck
