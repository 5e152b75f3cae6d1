// SPDX-License-Identifier: GPL-3.0-or-later
// Index of tensors and their files: model.safetensors.index.json and pytorch_model.bin.index.json. The named files are
// the expected ones; a name that leaves the directory is refused. Pure.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace rankdeck {

struct WeightIndex {
    std::map<std::string, std::set<std::string>> files = {};  // file → tensors
    std::size_t tensors = 0;
    std::optional<std::uint64_t> totalBytes = {};  // bytes of the tensors, not of the files
};

// Error invalid: cut, not JSON, or no weight_map; refused: a file name with a path.
Result<WeightIndex> parseWeightIndex(std::string_view bytes);

}  // namespace rankdeck
