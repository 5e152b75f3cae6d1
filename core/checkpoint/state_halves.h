// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files into which a script saves the halves of its state separately: model.pt, optimizer.pt, trainer.pt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

enum class StateHalf { weights, optimizer, rest };
// The half that a file name indicates; nullopt: not a part of such a checkpoint, or a name with a number (model_3.pt).
std::optional<StateHalf> splitStateHalf(std::string_view baseName);

// The same for names with a step: model_30.pt beside optim_000030_rank0.pt. Files with one number are one save.
struct NumberedHalf {
    StateHalf half = StateHalf::rest;
    std::string form = {};    // "optim_#_rank0.pt": equal in all saves
    std::string ranked = {};  // "optim_#_rank#.pt": equal for all ranks, too
    std::string digits = {};  // digits as written: "000030"
    std::int64_t number = 0;
    bool isEpoch = false, isStep = false;  // from the letters before the number; if both are false, it may be either
    std::optional<int> rank = {};
};
std::optional<NumberedHalf> numberedHalf(std::string_view baseName);
// Name of this file that is the same in all saves, and for all ranks if each rank has such a file. It is the part after
// the checkpoint's path, unless that path is itself a file with a number in its name.
std::string nameInAllSaves(std::string_view wholePath, std::string_view partPath);

// True for files whose names show that weights and optimizer are separate, and that are not of Hugging Face's
// libraries.
bool holdsSplitState(const std::vector<std::string_view> &names);

}  // namespace rankdeck
