// SPDX-License-Identifier: GPL-3.0-or-later
// Files of Lightning: epoch=3-step=1200.ckpt, also followed by metrics and a version; hpc_ckpt_3.ckpt of a SLURM
// requeue. Each is one file that all ranks load. The extension is MindSpore's, the content is torch's. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

std::optional<ParsedName> parseLightningName(std::string_view baseName, const std::string &prefix);
bool isLightningLast(std::string_view baseName);  // last.ckpt, last-v1.ckpt: only beside the others

}  // namespace rankdeck
