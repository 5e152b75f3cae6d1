// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/deepspeed/deepspeed_names.h"

#include "core/base/text.h"

#include <cstdio>

namespace rankdeck {
namespace {

using What = DeepspeedName::What;

bool takeNumber(std::string_view &text, int &out)
{
    std::size_t digits = 0;
    while (digits < text.size() && digits < 7 && text[digits] >= '0' && text[digits] <= '9') ++digits;
    const auto value = decimal(text.substr(0, digits));
    if (!value) return false;
    out = static_cast<int>(*value);
    text.remove_prefix(digits);
    return true;
}

std::optional<DeepspeedName> modelStates(std::string_view text)
{
    DeepspeedName name;
    if (takeStart(text, "zero_pp_rank_")) {
        name.what = What::zeroModel;
        if (!takeNumber(text, name.dp) || !takeStart(text, "_")) return std::nullopt;
    } else if (text.substr(0, 6) == "layer_" || text.substr(0, 7) == "expert_") {
        if (takeStart(text, "layer_") && (!takeNumber(text, name.layer) || !takeStart(text, "_"))) return std::nullopt;
        name.what = What::expert;
        if (!takeStart(text, "expert_") || !takeNumber(text, name.expert) || !takeStart(text, "_")) return std::nullopt;
    }
    if (!takeStart(text, "mp_rank_") || !takeNumber(text, name.mp) || !text.empty()) return std::nullopt;
    return name;
}

std::optional<DeepspeedName> optimStates(std::string_view text)
{
    DeepspeedName name;
    name.what = What::optim;
    name.underscore = takeEnd(text, "_");
    if (takeStart(text, "bf16_"))
        name.flavour = "bf16_";
    else if (takeStart(text, "fp16_"))
        name.flavour = "fp16_";
    if (takeStart(text, "expp_rank_"))
        name.what = What::expertOptim;
    else if (!takeStart(text, "zero_pp_rank_"))
        return std::nullopt;
    if (!takeNumber(text, name.dp) || !takeStart(text, "_mp_rank_") || !takeNumber(text, name.mp) || !text.empty())
        return std::nullopt;
    return name;
}

std::string twoDigits(int number)
{
    char text[16];
    std::snprintf(text, sizeof text, "%02d", number);
    return text;
}

}  // namespace

std::optional<DeepspeedName> parseDeepspeedName(std::string_view baseName)
{
    std::string_view text = baseName;
    if (!takeEnd(text, ".pt")) return std::nullopt;
    if (takeEnd(text, "_model_states")) return modelStates(text);
    if (takeEnd(text, "optim_states")) return optimStates(text);
    if (!takeEnd(text, "-model_states") || !takeStart(text, "layer_")) return std::nullopt;
    DeepspeedName name;
    name.what = What::layer;
    if (!takeNumber(text, name.layer)) return std::nullopt;
    name.flavour = std::string(text);
    return name;
}

std::string deepspeedName(const DeepspeedName &name)
{
    const std::string mp = "mp_rank_" + twoDigits(name.mp);
    switch (name.what) {
    case What::model: return mp + "_model_states.pt";
    case What::zeroModel: return "zero_pp_rank_" + std::to_string(name.dp) + "_" + mp + "_model_states.pt";
    case What::optim:
        return name.flavour + "zero_pp_rank_" + std::to_string(name.dp) + "_" + mp +
               (name.underscore ? "_optim_states.pt" : "optim_states.pt");
    case What::layer: return "layer_" + twoDigits(name.layer) + name.flavour + "-model_states.pt";
    case What::expert:
        return (name.layer >= 0 ? "layer_" + std::to_string(name.layer) + "_" : std::string()) + "expert_" +
               std::to_string(name.expert) + "_" + mp + "_model_states.pt";
    case What::expertOptim: break;
    }
    return "expp_rank_" + std::to_string(name.dp) + "_" + mp + "_optim_states.pt";
}

}  // namespace rankdeck
