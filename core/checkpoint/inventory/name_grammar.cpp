// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/name_grammar.h"

#include "core/checkpoint/formats/megatron/megatron_names.h"
#include "core/checkpoint/formats/mindspore/mindspore_names.h"
#include "core/checkpoint/formats/torch/lightning_names.h"
#include "core/checkpoint/formats/torch/torch_names.h"

#include <array>

namespace rankdeck {
namespace {

// In the order of asking: the stricter a grammar, the earlier. The first that knows the name has it.
using Grammar = std::optional<ParsedName> (*)(std::string_view baseName, const std::string &prefix);
constexpr std::array<Grammar, 4> grammars{&parseLocalCheckpointName, &parseLightningName, &parseMindsporeName,
                                          &parseTorchName};

}  // namespace

std::optional<ParsedName> parseCheckpointName(const std::string &baseName, const std::string &prefix)
{
    if (baseName.empty() || baseName.size() > 255) return std::nullopt;
    for (const Grammar grammar : grammars)
        if (auto name = grammar(baseName, prefix)) return name;
    return std::nullopt;
}

}  // namespace rankdeck
