// SPDX-License-Identifier: GPL-3.0-or-later
// Names of Megatron-LM and related libraries on Ascend. Facts: megatron/training/checkpointing.py, MindSpeed's
// LayerZeRO, NVIDIA resiliency extension's local checkpoints. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// mp_rank_02_001_003: its numbers. The first is the tensor-parallel rank; the content shows the meaning of the others.
std::optional<std::vector<int>> parseModelParallelFolder(std::string_view name);
std::string modelParallelFolder(int tp, int pp, int ep, bool withPipeline, bool withExperts);
// True for iter_0000200 and iter_0000200_tmp, with at least seven digits as Megatron writes them, and for release.
bool isIterationFolder(std::string_view name);
// The global rank of LayerZeRO's model_12.pt.
std::optional<int> parseLayerZeroFile(std::string_view baseName);
// iter_0000200_5_local.pt, and .dirty.pt while it is written: one rank each.
std::optional<ParsedName> parseLocalCheckpointName(std::string_view baseName, const std::string &prefix);

}  // namespace rankdeck
