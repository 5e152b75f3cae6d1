// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/lightning_names.h"

#include "core/base/text.h"

namespace rankdeck {
namespace {

constexpr std::string_view extension = ".ckpt";

std::optional<std::int64_t> takeDigits(std::string_view &text)
{
    std::size_t end = 0;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    const auto value = decimal(text.substr(0, end));
    text.remove_prefix(end);
    return value;
}

std::optional<std::string_view> stemOf(std::string_view baseName)
{
    if (baseName.size() <= extension.size() || baseName.substr(baseName.size() - extension.size()) != extension)
        return std::nullopt;
    return baseName.substr(0, baseName.size() - extension.size());
}

}  // namespace

std::optional<ParsedName> parseLightningName(std::string_view baseName, const std::string &)
{
    auto stem = stemOf(baseName);
    if (!stem) return std::nullopt;
    ParsedName name;
    name.kind = CheckpointKind::other;
    name.extension = "ckpt";
    name.sharedByRanks = true;
    if (takeStart(*stem, "hpc_ckpt_")) {
        if (!decimal(*stem)) return std::nullopt;
        name.prefix = "hpc_ckpt_" + std::string(*stem);  // counts the requeues
        return name;
    }
    if (!takeStart(*stem, "epoch=")) return std::nullopt;
    name.epoch = takeDigits(*stem);
    if (!name.epoch || !takeStart(*stem, "-step=")) return std::nullopt;
    name.globalStep = takeDigits(*stem);
    if (!name.globalStep || (!stem->empty() && stem->front() != '-')) return std::nullopt;
    name.prefix = "epoch=" + std::string(*stem);
    return name;
}

bool isLightningLast(std::string_view baseName)
{
    auto stem = stemOf(baseName);
    if (!stem || !takeStart(*stem, "last")) return false;
    return stem->empty() || (takeStart(*stem, "-v") && decimal(*stem));
}

}  // namespace rankdeck
