// SPDX-License-Identifier: GPL-3.0-or-later
// Names of .npz checkpoints. NumPy has no naming rule, so they are read like those of hand-written torch scripts. Pure.
#pragma once

#include "core/checkpoint/parsed_name.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

std::optional<ParsedName> parseNpzName(std::string_view baseName, const std::string &prefix);

}  // namespace rankdeck
