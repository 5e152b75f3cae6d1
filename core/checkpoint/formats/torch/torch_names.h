// SPDX-License-Identifier: GPL-3.0-or-later
// Conventional names of torch.save files: model_best.pth.tar, checkpoint.pth, epoch_3.pt, step-1200.pt … Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

std::optional<ParsedName> parseTorchName(std::string_view baseName, const std::string &prefix);

}  // namespace rankdeck
