// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/torch_names.h"

#include "core/base/text.h"

namespace rankdeck {
namespace {

bool isJoint(char c) { return c == '_' || c == '-' || c == '.' || c == '='; }

// "epoch_3", "epoch=3", "step-1200" at the end of a stem: returns the number and removes both from the stem.
std::optional<std::int64_t> takeNumber(std::string_view &stem, std::string_view word)
{
    std::size_t digits = stem.size();
    while (digits > 0 && stem[digits - 1] >= '0' && stem[digits - 1] <= '9') --digits;
    const auto value = decimal(stem.substr(digits));
    if (!value || digits == 0) return std::nullopt;
    std::string_view rest = stem.substr(0, digits);
    if (rest.back() == '_' || rest.back() == '=' || rest.back() == '-') rest.remove_suffix(1);
    if (rest.size() < word.size() || rest.substr(rest.size() - word.size()) != word) return std::nullopt;
    rest.remove_suffix(word.size());
    // "ep" and "ba" are also the ends of other words.
    if (word.size() < 3 && !rest.empty() && !isJoint(rest.back())) return std::nullopt;
    while (!rest.empty() && (rest.back() == '_' || rest.back() == '-' || rest.back() == '.')) rest.remove_suffix(1);
    stem = rest;
    return value;
}

struct PartOf {
    int number = 0, count = 0;
};

// "shard_2_of_4", "part-00002-of-00004" at the end of a stem; it is removed from the stem.
std::optional<PartOf> takePartOf(std::string &stem, std::initializer_list<std::string_view> words)
{
    const auto number = [](std::string_view &rest) -> std::optional<std::int64_t> {
        const std::size_t digits = rest.find_last_not_of("0123456789") + 1;
        const auto value = decimal(rest.substr(digits));
        if (!value || *value > 1'000'000) return std::nullopt;
        rest = rest.substr(0, digits);
        if (!rest.empty() && isJoint(rest.back())) rest.remove_suffix(1);
        return value;
    };
    std::string_view rest = stem;
    const auto count = number(rest);
    if (!count || *count < 2 || !rest.ends_with("of")) return std::nullopt;
    rest.remove_suffix(2);
    if (rest.empty() || !isJoint(rest.back())) return std::nullopt;
    rest.remove_suffix(1);
    const auto own = number(rest);
    if (!own || *own > *count) return std::nullopt;
    for (const std::string_view word : words) {
        if (!rest.ends_with(word)) continue;
        std::string_view before = rest.substr(0, rest.size() - word.size());
        if (!before.empty() && !isJoint(before.back())) continue;
        if (!before.empty()) before.remove_suffix(1);
        stem = before.empty() ? std::string(word) : std::string(before);
        return PartOf{static_cast<int>(*own), static_cast<int>(*count)};
    }
    return std::nullopt;
}

// Parts of a checkpoint that is a directory (Hugging Face, Accelerate, Megatron, DeepSpeed): alone they cannot be
// resumed.
bool isPartOfADirectory(std::string_view stem)
{
    for (const std::string_view part : {"optimizer", "scheduler", "scaler", "training_args", "common", "meta"})
        if (stem == part) return true;
    for (const std::string_view part :
         {"rng_state", "random_states", "model_optim_rng", "distrib_optim", "layer_wise_optimizer", "_model_states",
          "_optim_states", "-model_states", "pytorch_model", "latest_train_state", "custom_checkpoint"})
        if (stem.find(part) != std::string_view::npos) return true;
    return false;
}

}  // namespace

std::optional<ParsedName> parseTorchName(std::string_view baseName, const std::string &)
{
    ParsedName name;
    std::string_view stem = baseName;
    for (const std::string_view extension : {".pth.tar", ".pth", ".pt", ".pyth", ".th", ".chkpt", ".tar"}) {
        if (stem.size() <= extension.size() || stem.substr(stem.size() - extension.size()) != extension) continue;
        name.extension = std::string(extension.substr(1));
        stem.remove_suffix(extension.size());
        break;
    }
    if (name.extension.empty() || stem.front() == '.' || isPartOfADirectory(stem)) return std::nullopt;
    name.kind = CheckpointKind::other;
    // FSDP, Composer, fairseq and verl write one file per rank, with the rank in its name.
    std::string rest(stem);
    const auto ranked = takePartOf(rest, {"rank"});
    name.rank = ranked ? std::optional(ranked->number) : takeRankWord(rest);
    if (!name.rank && rest.starts_with("checkpoint")) name.rank = takeNumberedWord(rest, "shard");
    name.worldSize = ranked      ? std::optional(ranked->count)
                     : name.rank ? takeNumberedWord(rest, "world_size")
                                 : std::nullopt;
    if (const auto part =
            name.rank ? std::nullopt : takePartOf(rest, {"shard", "part"})) {  // counted from 0, or all of them from 1
        name.rank = part->number;
        name.worldSize = part->count;
    }
    if (name.rank && rest.empty()) rest = "rank";
    stem = rest;
    for (const std::string_view word : {"step", "iter", "iteration", "ba"})
        if (!name.globalStep) name.globalStep = takeNumber(stem, word);
    for (const std::string_view word : {"epoch", "ep"})
        if (!name.epoch) name.epoch = takeNumber(stem, word);
    for (const std::string_view word : {"step", "iter"})
        if (!name.globalStep) name.globalStep = takeNumber(stem, word);
    // PyTorch's tutorials save as .tar. Other archives are data.
    const bool named = stem.starts_with("checkpoint") || stem.starts_with("ckpt") || stem.starts_with("model");
    if (name.extension == "tar" && !named && !name.globalStep && !name.epoch) return std::nullopt;
    name.prefix = std::string(stem);
    // checkpoint_npu3…: the number is the card that saved, neither a run nor a step.
    if (const std::size_t card = name.prefix.find("_npu"); card != std::string::npos) name.prefix.resize(card);
    return name;
}

}  // namespace rankdeck
