// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/layer_numbers.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <map>

namespace rankdeck {
namespace {

constexpr int maxLayers = 100'000;

// "0 to 7, 9"
std::string rangesText(const std::set<int> &numbers)
{
    std::string text;
    int shown = 0;
    for (auto at = numbers.begin(); at != numbers.end() && shown < 5; ++shown) {
        const int first = *at;
        int last = first;
        for (++at; at != numbers.end() && *at == last + 1; ++at) last = *at;
        text += (text.empty() ? "" : ", ") + std::to_string(first) +
                (last > first ? (last > first + 1 ? " to " : ", ") + std::to_string(last) : "");
        if (shown == 4 && at != numbers.end()) text += " …";
    }
    return text;
}

bool overlap(const std::set<int> &a, const std::set<int> &b)
{
    return std::any_of(a.begin(), a.end(), [&](int layer) { return b.count(layer) != 0; });
}

}  // namespace

std::optional<int> layerNumber(std::string_view tensor)
{
    static constexpr std::array words{"layers", "layer", "blocks", "block", "h"};
    for (std::size_t at = 0; at < tensor.size();) {
        std::size_t end = tensor.find('.', at);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view word = tensor.substr(at, end - at);
        at = end + 1;
        if (std::find(words.begin(), words.end(), word) == words.end()) continue;
        end = tensor.find('.', at);
        if (end == std::string_view::npos) return std::nullopt;
        if (const auto number = decimal(tensor.substr(at, end - at)); number && *number < maxLayers)
            return static_cast<int>(*number);
    }
    return std::nullopt;
}

std::set<int> layersOf(const TensorList &tensors)
{
    std::set<int> layers;
    for (const TensorInfo &tensor : tensors)
        if (const auto layer = layerNumber(tensor.name)) layers.insert(*layer);
    return layers;
}

bool isWholePipeline(const std::vector<std::set<int>> &parts)
{
    std::map<std::set<int>, std::size_t> stages;
    std::size_t layers = 0;
    std::set<int> all;
    for (const std::set<int> &part : parts) {
        if (part.empty()) return false;
        if (stages[part]++ != 0) continue;
        layers += part.size();
        all.insert(part.begin(), part.end());
    }
    const bool even = std::all_of(stages.begin(), stages.end(),
                                  [&](const auto &stage) { return stage.second == stages.begin()->second; });
    return stages.size() > 1 && even && layers == all.size() && std::size_t(*all.rbegin()) + 1 == all.size();
}

Message pipelineFault(const std::vector<std::set<int>> &parts)
{
    std::map<std::set<int>, std::size_t> stages;  // layers → number of parts with them
    std::set<int> all;
    std::size_t fromZero = 0;
    for (const std::set<int> &layers : parts) {
        if (layers.empty()) continue;
        if (stages[layers]++ == 0 && layers.count(0) != 0) ++fromZero;
        all.insert(layers.begin(), layers.end());
    }
    // There is only one stage, or each stage counts its own layers from 0.
    if (stages.size() < 2 || fromZero > 1) return {};
    for (auto a = stages.begin(); a != stages.end(); ++a)
        for (auto b = std::next(a); b != stages.end(); ++b)
            if (overlap(a->first, b->first))
                return message("one part has layers %1 and another has layers %2: some layers exist twice",
                               rangesText(a->first), rangesText(b->first));
    std::set<int> missing;
    for (int layer = 0; layer < *all.rbegin(); ++layer)
        if (all.count(layer) == 0) missing.insert(layer);
    const auto [fewest, most] = std::minmax_element(stages.begin(), stages.end(),
                                                    [](const auto &x, const auto &y) { return x.second < y.second; });
    if (missing.empty()) return {};
    const Message text = message("no part has layers %1", rangesText(missing));
    if (most->second == fewest->second) return text;
    return message("%1, and %2 parts have layers %3, but only %4 parts have the other layers", text, most->second,
                   rangesText(most->first), fewest->second);
}

}  // namespace rankdeck
