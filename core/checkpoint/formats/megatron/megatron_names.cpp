// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/megatron/megatron_names.h"

#include "core/base/text.h"

#include <cstdio>

namespace rankdeck {
namespace {

constexpr std::size_t iterationDigits = 7;

std::optional<int> smallNumber(std::string_view digits)
{
    const auto value = decimal(digits);
    return value && *value < (1 << 20) ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

}  // namespace

std::optional<std::vector<int>> parseModelParallelFolder(std::string_view name)
{
    constexpr std::string_view start = "mp_rank_";
    if (!name.starts_with(start)) return std::nullopt;
    std::vector<int> numbers;
    for (const std::string &part : split(name.substr(start.size()), '_')) {
        const auto number = smallNumber(part);
        if (!number || part.size() < (numbers.empty() ? 2u : 3u) || numbers.size() == 3) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::string modelParallelFolder(int tp, int pp, int ep, bool withPipeline, bool withExperts)
{
    char text[64];
    std::snprintf(text, sizeof text, "mp_rank_%02d", tp);
    std::string name = text;
    for (const auto &[rank, with] : {std::pair(pp, withPipeline), std::pair(ep, withExperts)}) {
        if (!with) continue;
        std::snprintf(text, sizeof text, "_%03d", rank);
        name += text;
    }
    return name;
}

bool isIterationFolder(std::string_view name)
{
    if (name.ends_with("_tmp")) name.remove_suffix(4);
    if (name == "release") return true;
    return name.starts_with("iter_") && name.size() >= 5 + iterationDigits && decimal(name.substr(5)).has_value();
}

std::optional<int> parseLayerZeroFile(std::string_view baseName)
{
    if (!baseName.starts_with("model_") || !baseName.ends_with(".pt") || baseName.size() < 10) return std::nullopt;
    return smallNumber(baseName.substr(6, baseName.size() - 9));
}

std::optional<ParsedName> parseLocalCheckpointName(std::string_view baseName, const std::string &)
{
    std::string_view text = baseName;
    if (!text.starts_with("iter_") || !text.ends_with(".pt")) return std::nullopt;
    text.remove_prefix(5);
    text.remove_suffix(3);
    ParsedName name;
    if (text.ends_with(".dirty")) {
        name.temporary = true;
        text.remove_suffix(6);
    }
    if (!text.ends_with("_local")) return std::nullopt;
    text.remove_suffix(6);
    const std::size_t bar = text.find('_');
    if (bar == std::string_view::npos || bar < iterationDigits) return std::nullopt;
    name.globalStep = decimal(text.substr(0, bar));
    name.rank = smallNumber(text.substr(bar + 1));
    if (!name.globalStep || !name.rank) return std::nullopt;
    name.prefix = "iter_local";
    name.extension = "pt";
    return name;
}

}  // namespace rankdeck
