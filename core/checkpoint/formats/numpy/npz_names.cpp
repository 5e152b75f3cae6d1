// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/numpy/npz_names.h"

#include "core/checkpoint/formats/torch/torch_names.h"

namespace rankdeck {

std::optional<ParsedName> parseNpzName(std::string_view baseName, const std::string &prefix)
{
    constexpr std::string_view extension = ".npz";
    if (baseName.size() <= extension.size() || !baseName.ends_with(extension)) return std::nullopt;
    baseName.remove_suffix(extension.size());
    auto name = parseTorchName(std::string(baseName) + ".pt", prefix);
    if (name) name->extension = "npz";
    return name;
}

}  // namespace rankdeck
