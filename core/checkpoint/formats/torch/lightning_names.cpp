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

// The number after "step=" in "step=30", "epoch=2-step=30-val_loss=0.1", "net-step=30", which are pairs joined by '-'.
// It is removed from the text.
std::optional<std::int64_t> takeCount(std::string &text, std::string_view key)
{
    const std::size_t at = text.find(key);
    if (at == std::string::npos || (at > 0 && text[at - 1] != '-')) return std::nullopt;
    std::string_view rest = std::string_view(text).substr(at + key.size());
    const auto value = takeDigits(rest);
    if (!value || (!rest.empty() && rest.front() != '-')) return std::nullopt;
    text = text.substr(0, at + key.size()) + std::string(rest);
    return value;
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
    name.prefix = std::string(*stem);
    const auto step = takeCount(name.prefix, "step=");
    if (!step) return std::nullopt;
    name.globalStep = step;
    name.epoch = takeCount(name.prefix, "epoch=");
    return name;
}

bool isLightningLast(std::string_view baseName)
{
    auto stem = stemOf(baseName);
    if (!stem || !takeStart(*stem, "last")) return false;
    return stem->empty() || (takeStart(*stem, "-v") && decimal(*stem));
}

}  // namespace rankdeck
