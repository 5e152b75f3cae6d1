// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/optimizer_names.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace rankdeck {

bool mentionsOptimizer(std::string_view key)
{
    std::string lower(key);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (const char *word : {"optim", "opt_", "exp_avg", "momentum", "moment1", "adam", "master_param", "trainer"})
        if (lower.find(word) != std::string::npos) return true;
    return lower == "opt";
}

bool hasOnlyWeights(const TensorList &tensors)
{
    std::unordered_set<std::string_view> names;
    for (const TensorInfo &tensor : tensors) names.insert(tensor.name);
    // Entries that the callback of a training appends at the end: the file can be resumed, and was not cut before them.
    if (names.count("epoch_num") != 0 || names.count("step_num") != 0) return false;
    const auto isState = [&](const TensorInfo &tensor) {
        const std::string_view name = tensor.name;
        // "momentum" alone is a hyper-parameter.
        if (name.find_first_of("./") != std::string_view::npos && mentionsOptimizer(name)) return true;
        for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1))
            if (names.count(name.substr(dot + 1)) != 0) return true;
        return false;
    };
    return std::none_of(tensors.begin(), tensors.end(), isState);
}

}  // namespace rankdeck
