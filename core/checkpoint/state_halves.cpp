// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/state_halves.h"

#include "core/base/text.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/parsed_name.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace rankdeck {
namespace {

// True for "model", "model_state", "netG", "optD": the stem begins with `word`, and the letters after it begin another
// part of the name.
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

constexpr const char *digit = "0123456789";

bool isBetweenWords(char c) { return c == '_' || c == '-' || c == '.' || c == '='; }

// Removes "step" and "step_" at the end, with the separator before them.
bool takeWordAtEnd(std::string_view &text, std::initializer_list<std::string_view> words)
{
    std::string_view rest = text;
    while (!rest.empty() && isBetweenWords(rest.back())) rest.remove_suffix(1);
    for (const std::string_view word : words) {
        if (!rest.ends_with(word) ||
            (rest.size() > word.size() && !isBetweenWords(rest[rest.size() - word.size() - 1])))
            continue;
        text = rest.substr(0, rest.size() - word.size());
        return true;
    }
    return false;
}

}  // namespace

std::optional<NumberedHalf> numberedHalf(std::string_view baseName)
{
    const std::size_t dot = baseName.rfind('.');
    if (dot == std::string_view::npos || baseName.size() > 255) return std::nullopt;
    const std::string_view end = baseName.substr(dot);
    std::string stem(baseName.substr(0, dot));
    NumberedHalf out;
    out.rank = takeRankWord(stem);
    const std::size_t begin = stem.find_first_of(digit);
    if (begin == std::string::npos) return std::nullopt;
    const std::size_t behind = std::min(stem.find_first_not_of(digit, begin), stem.size());
    if (stem.find_first_of(digit, behind) != std::string::npos) return std::nullopt;
    out.digits = stem.substr(begin, behind - begin);
    const auto number = decimal(out.digits);
    if (!number) return std::nullopt;
    out.number = *number;
    std::string_view before = std::string_view(stem).substr(0, begin), after = std::string_view(stem).substr(behind);
    out.isStep = takeWordAtEnd(before, {"step", "steps", "iter", "iteration"});
    out.isEpoch = !out.isStep && takeWordAtEnd(before, {"epoch", "ep"});
    while (!before.empty() && isBetweenWords(before.back())) before.remove_suffix(1);
    while (!after.empty() && isBetweenWords(after.front())) after.remove_prefix(1);
    std::string bare(before);
    bare += !before.empty() && !after.empty() ? "_" : "";
    bare += after;
    const auto half = splitStateHalf(bare + std::string(end));
    if (!half) return std::nullopt;
    out.half = *half;
    out.form = bare + "_#" + (out.rank ? "_rank" + std::to_string(*out.rank) : "") + std::string(end);
    out.ranked = bare + "_#" + (out.rank ? "_rank#" : "") + std::string(end);
    return out;
}

std::string nameInAllSaves(std::string_view wholePath, std::string_view partPath)
{
    const std::string_view below = pathBelow(partPath, wholePath);
    const auto whole = numberedHalf(baseName(std::string(wholePath)));
    const auto part =
        whole && (below == partPath || below.empty()) ? numberedHalf(baseName(std::string(partPath))) : std::nullopt;
    if (!part) return std::string(below);
    return whole->rank ? part->ranked : part->form;
}

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
