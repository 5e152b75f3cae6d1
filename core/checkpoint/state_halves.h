// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files into which a script saves the halves of its state apart: model.pt, optimizer.pt, trainer.pt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

enum class StateHalf { weights, optimizer, rest };
// By the name of a file; nullopt: it is no part of such a checkpoint, or counts something (model_3.pt).
std::optional<StateHalf> splitStateHalf(std::string_view baseName);

// The same with the point in the name, model_30.pt beside optim_000030_rank0.pt: files of one number are of one save.
struct NumberedHalf {
    StateHalf half = StateHalf::rest;
    std::string form = {};    // "optim_#_rank0.pt": the same in all saves
    std::string ranked = {};  // "optim_#_rank#.pt": the same of all ranks, too
    std::string digits = {};  // as they are written: "000030"
    std::int64_t number = 0;
    bool isEpoch = false, isStep = false;  // by the word before it; else it may count either
    std::optional<int> rank = {};
};
std::optional<NumberedHalf> numberedHalf(std::string_view baseName);
// The name under which all saves (and where each rank has one of its own, all ranks) have this file of a checkpoint of
// several: what follows the path of the checkpoint, where that is no file's own with a number in it.
std::string nameInAllSaves(std::string_view wholePath, std::string_view partPath);

// Files that say themselves that weights and optimizer are apart, by no name of Hugging Face's libraries.
bool holdsSplitState(const std::vector<std::string_view> &names);

}  // namespace rankdeck
