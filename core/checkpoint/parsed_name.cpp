// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/parsed_name.h"

#include "core/base/text.h"

namespace rankdeck {

const char *checkpointKindName(CheckpointKind kind)
{
    switch (kind) {
    case CheckpointKind::periodic: return "periodic";
    case CheckpointKind::graceful: return "graceful";
    case CheckpointKind::breakpoint: return "breakpoint";
    case CheckpointKind::ttp: return "ttp";
    case CheckpointKind::other: break;
    }
    return "other";
}

std::optional<int> rerunNumber(std::string_view stem, std::string_view base)
{
    if (base.empty() || stem.size() < base.size() + 2 || !stem.starts_with(base)) return std::nullopt;
    const char joint = stem[base.size()];
    const auto number = decimal(stem.substr(base.size() + 1));
    if ((joint != '_' && joint != '-') || !number || *number < 1 || *number > 1000000) return std::nullopt;
    return static_cast<int>(*number);
}

}  // namespace rankdeck
