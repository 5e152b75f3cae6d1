// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/parsed_name.h"

#include "core/base/text.h"

namespace rankdeck {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isJoint(char c) { return c == '_' || c == '-' || c == '.' || c == '='; }

}  // namespace

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

std::optional<int> takeNumberedWord(std::string &stem, std::string_view word)
{
    for (std::size_t at = stem.rfind(word); at != std::string::npos; at = at == 0 ? at : stem.rfind(word, at - 1)) {
        std::size_t digits = at + word.size();
        if (digits < stem.size() && isJoint(stem[digits])) ++digits;
        std::size_t end = digits;
        while (end < stem.size() && isDigit(stem[end])) ++end;
        const auto value = decimal(std::string_view(stem).substr(digits, end - digits));
        const bool apart = at == 0 || isJoint(stem[at - 1]);
        if (value && *value <= 1000000 && apart && (end == stem.size() || isJoint(stem[end]))) {
            const std::size_t from = at > 0 ? at - 1 : 0;
            stem.erase(from, (at == 0 && end < stem.size() ? end + 1 : end) - from);
            return static_cast<int>(*value);
        }
        if (at == 0) break;
    }
    return std::nullopt;
}

std::optional<int> takeRankWord(std::string &stem)
{
    std::string rest = stem;
    const auto rank = takeNumberedWord(rest, "rank");
    std::string twice = rest;
    if (!rank || takeNumberedWord(twice, "rank")) return std::nullopt;
    for (const char *local : {"local_rank", "local-rank"})
        if (stem.find(local) != std::string::npos) return std::nullopt;
    stem = rest.empty() ? "rank" : rest;
    return rank;
}

}  // namespace rankdeck
