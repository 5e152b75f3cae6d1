// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/state_halves.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace rankdeck {
namespace {

// "model", "model_state", "netG", "optD": the word, and what follows it is another word.
bool beginsWith(std::string_view stem, std::string_view word)
{
    if (!stem.starts_with(word)) return false;
    if (stem.size() == word.size()) return true;
    const auto next = static_cast<unsigned char>(stem[word.size()]);
    return std::isalpha(next) == 0 || std::isupper(next) != 0;
}

template <std::size_t N>
bool isOneOf(std::string_view stem, const std::array<std::string_view, N> &words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return beginsWith(stem, word); });
}

}  // namespace

std::optional<StateHalf> splitStateHalf(std::string_view baseName)
{
    static constexpr std::array<std::string_view, 9> weightWords{
        "model", "weights", "net", "network", "generator", "discriminator", "actor", "critic", "policy"};
    static constexpr std::array<std::string_view, 3> optimizerWords{"opt", "optim", "optimizer"};
    static constexpr std::array<std::string_view, 17> restWords{
        "trainer", "train",  "training", "state", "meta",   "scheduler", "sched",      "lr",     "rng",
        "random",  "scaler", "progress", "extra", "client", "ema",       "dataloader", "sampler"};
    std::string_view stem = baseName;
    bool known = false;
    for (const std::string_view end : {".pt", ".pth", ".bin", ".safetensors", ".ckpt", ".json"})
        if (!known) known = takeEnd(stem, end);
    if (!known || stem.empty() || stem.find_first_of("0123456789") != std::string_view::npos) return std::nullopt;
    if (stem.find("optim") != std::string_view::npos && !isOneOf(stem, optimizerWords)) return std::nullopt;
    const bool text = baseName.ends_with(".json");
    if (!text && isOneOf(stem, optimizerWords)) return StateHalf::optimizer;
    if (!text && isOneOf(stem, weightWords) && stem.find("_optim") == std::string_view::npos) return StateHalf::weights;
    return isOneOf(stem, restWords) ? std::optional(StateHalf::rest) : std::nullopt;
}

bool holdsSplitState(const std::vector<std::string_view> &names)
{
    bool weights = false, optimizer = false, own = false;
    for (const std::string_view name : names) {
        const auto half = splitStateHalf(name);
        if (!half || *half == StateHalf::rest) continue;
        (*half == StateHalf::weights ? weights : optimizer) = true;
        const bool foreignWeights = name.ends_with(".bin") || name.ends_with(".safetensors");
        own = own || (*half == StateHalf::weights ? !foreignWeights : !name.starts_with("optimizer."));
    }
    return weights && optimizer && own;
}

}  // namespace rankdeck
