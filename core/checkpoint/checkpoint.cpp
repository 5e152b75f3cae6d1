// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include <charconv>

namespace rankdeck {

const char *formatName(Format format)
{
    switch (format) {
    case Format::mindsporeCkpt: return "mindspore-ckpt";
    case Format::mindsporeStrategy: return "mindspore-strategy";
    case Format::safetensors: return "safetensors";
    case Format::torchZip: return "torch-zip";
    case Format::torchLegacy: return "torch-legacy";
    case Format::mindio: return "mindio";
    case Format::dcp: return "dcp";
    case Format::deepspeed: return "deepspeed";
    case Format::megatron: return "megatron";
    case Format::tfV1: return "tf-v1";
    case Format::tfV2: return "tf-v2";
    case Format::hfSharded: return "hf-sharded";
    case Format::orbax: return "orbax";
    case Format::npz: return "npz";
    case Format::flax: return "flax";
    case Format::unknown: break;
    }
    return "unknown";
}

const char *evidenceLevelName(EvidenceLevel level)
{
    switch (level) {
    case EvidenceLevel::L0: return "L0";
    case EvidenceLevel::L1: return "L1";
    case EvidenceLevel::L2: return "L2";
    case EvidenceLevel::L3: return "L3";
    case EvidenceLevel::L4: break;
    }
    return "L4";
}

std::optional<std::int64_t> Evidence::number(const std::string &key) const
{
    const auto found = meta.find(key);
    return found == meta.end() ? std::nullopt : wholeValue(found->second);
}

std::optional<std::int64_t> wholeValue(const std::string &text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace rankdeck
