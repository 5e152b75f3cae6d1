// SPDX-License-Identifier: GPL-3.0-or-later
// Models that have a folder each: `unet/diffusion_pytorch_model.safetensors`. A pipeline of diffusers names its folders
// in model_index.json (pipeline_utils.py: save_pretrained). The values are [library, class], or nulls for an absent
// model. Pure.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

inline constexpr std::string_view pipelineIndexName = "model_index.json";

// The first folder of a path below a save's directory, and whether there is one.
inline std::string_view topOf(std::string_view name) { return name.substr(0, name.find('/')); }
inline bool isInner(std::string_view name) { return name.find('/') != std::string_view::npos; }

// A DeepSpeed subdirectory: the Trainer names it by its tag, Accelerate pytorch_model, pytorch_model_1.
bool isDeepspeedDirectory(std::string_view name);
// Directories of FSDP (torch.distributed.checkpoint) and DeepSpeed inside a Trainer's or Accelerate's.
bool isPartDirectory(std::string_view name);
bool isModelWithin(std::string_view name);   // unet/model.safetensors; not in the folder of a backup
bool isConfigWithin(std::string_view name);  // unet_ema/config.json
// Error invalid: not JSON, or not an object.
Result<std::vector<std::string>> foldersOfPipeline(const std::string &bytes);

}  // namespace rankdeck
