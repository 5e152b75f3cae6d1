// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/mindspore/mindspore_names.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {
namespace {

// True for parallel strategy files, weights without a training state, and other files with the same endings.
bool isNoCheckpoint(std::string_view stem)
{
    return stem.find("ckpt_strategy") != std::string_view::npos || stem == "strategy" || stem == "hyper_param" ||
           stem.find("_strategy_") != std::string_view::npos || stem.front() == '.';
}

// {prefix}_rank_{N}-network: MindFormers' files with weights only, in checkpoint_network/ and checkpoint_trainable/.
bool takeWeightsWord(std::string_view &stem) { return takeEnd(stem, "-network") || takeEnd(stem, "-trainable_params"); }

// {prefix}_rank_{N}[_{rerun}]: MindFormers. The rank is removed, the rest becomes the stem.
void takeRank(std::string_view stem, ParsedName &name)
{
    const std::size_t at = stem.rfind("_rank_");
    if (at == std::string_view::npos || at == 0) return;
    std::string_view digits = stem.substr(at + 6);
    std::string_view rerun;
    if (const std::size_t cut = digits.find_first_of("_-"); cut != std::string_view::npos) {
        rerun = digits.substr(cut + 1);
        digits = digits.substr(0, cut);
        if (!decimal(rerun) || *decimal(rerun) > 1000000) return;
    }
    const auto rank = decimal(digits);
    if (!rank || *rank > 1000000) return;
    name.rank = static_cast<int>(*rank);
    name.prefix = std::string(stem.substr(0, at));
    if (!rerun.empty()) name.rerun = static_cast<int>(*decimal(rerun));
}

}  // namespace

std::optional<TtpFolder> parseTtpFolder(std::string_view name)
{
    if (!takeStart(name, "ttp") && !takeStart(name, "tft")) return std::nullopt;
    if (!takeStart(name, "_saved_checkpoints-step_")) return std::nullopt;
    TtpFolder folder;
    folder.temporary = takeEnd(name, "_tmp");
    const auto step = decimal(name);
    if (!step) return std::nullopt;
    folder.step = *step;
    return folder;
}

std::optional<ParsedName> parseMindsporeName(std::string_view baseName, const std::string &prefix)
{
    ParsedName name;
    std::string_view stem = baseName;
    for (const char *extension : {"ckpt", "safetensors", "tmp"}) {
        if (!takeEnd(stem, "." + std::string(extension))) continue;
        name.extension = extension;
        break;
    }
    if (name.extension.empty() || stem.empty() || isNoCheckpoint(stem)) return std::nullopt;
    name.temporary = name.extension == "tmp";
    if (takeEnd(stem, "_train")) {
        name.kind = CheckpointKind::graceful;
        name.prefix = std::string(stem);
        return name;
    }
    if (takeEnd(stem, "_eval")) {
        name.kind = CheckpointKind::graceful;
        name.prefix = std::string(stem) + "_eval";
        name.weightsOnly = true;
        return name;
    }
    if (std::string_view own = stem; takeWeightsWord(own) && !own.empty()) {
        name.kind = CheckpointKind::other;
        name.prefix = std::string(own);
        takeRank(own, name);
        name.prefix += std::string(stem.substr(own.size()));
        name.weightsOnly = true;
        return name;
    }
    const bool broken = takeEnd(stem, "_breakpoint");
    const std::size_t dash = stem.rfind('-'), line = stem.rfind('_');
    std::optional<std::int64_t> epoch, step;
    if (dash != std::string_view::npos && line != std::string_view::npos && dash > 0 && line > dash) {
        epoch = decimal(stem.substr(dash + 1, line - dash - 1));
        step = decimal(stem.substr(line + 1));
    }
    if (!epoch || !step) {
        // The name comes from the user's own function. Such a .tmp, or any .safetensors, may be anything.
        name.prefix = std::string(stem);
        name.rank = takeRankWord(name.prefix);
        if (broken || name.temporary || (name.extension != "ckpt" && !name.rank)) return std::nullopt;
        name.kind = CheckpointKind::other;
        return name;
    }
    name.epoch = epoch;
    name.step = step;
    if (broken) name.kind = CheckpointKind::breakpoint;
    stem = stem.substr(0, dash);
    if (std::string_view rest = stem; takeStart(rest, "ttp_rank_") && decimal(rest) && *decimal(rest) <= 1000000) {
        name.kind = CheckpointKind::ttp;
        name.prefix = "ttp";
        name.rank = static_cast<int>(*decimal(rest));
        return name;
    }
    name.prefix = std::string(stem);
    takeRank(stem, name);
    if (!name.rank) {
        if (const auto rerun = rerunNumber(stem, prefix)) {
            name.prefix = prefix;
            name.rerun = *rerun;
        }
    }
    return name;
}

}  // namespace rankdeck
