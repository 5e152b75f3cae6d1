// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files into which a script saves the halves of its state apart: model.pt, optimizer.pt, trainer.pt.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rankdeck {

enum class StateHalf { weights, optimizer, rest };
// By the name of a file; nullopt: it is no part of such a checkpoint, or counts something (model_3.pt).
std::optional<StateHalf> splitStateHalf(std::string_view baseName);

// Files that say themselves that weights and optimizer are apart, by no name of Hugging Face's libraries.
bool holdsSplitState(const std::vector<std::string_view> &names);

}  // namespace rankdeck
