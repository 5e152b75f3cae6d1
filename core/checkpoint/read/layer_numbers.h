// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers of a model a part of it holds, by the names of its tensors: "model.layers.17.attention.weight" is of layer
// 17. And whether the parts together are one pipeline: every layer once, none missing. Pure.
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

// parts: the layers of each, in any order; parts with the same layers are replicas or tensor-parallel parts of one stage. Empty: they fit, or the names count from 0 in every stage and tell nothing.
std::string pipelineFault(const std::vector<std::set<int>> &parts);
// Every layer from 0 on in one stage, the same number of parts for each stage: different tensors are right here.
bool isWholePipeline(const std::vector<std::set<int>> &parts);

}  // namespace rankdeck
