// SPDX-License-Identifier: GPL-3.0-or-later
// Names that MindSpore and MindFormers give (ModelCheckpoint, OnRequestExit, exception saves, TTP/TFT). Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

std::optional<ParsedName> parseMindsporeName(std::string_view baseName, const std::string &prefix);

// "lenet_2" or the tutorial's "lenet-2" with base "lenet": 2. nullopt: stem is not base with a number.
std::optional<int> rerunNumber(std::string_view stem, std::string_view base);

struct TtpFolder {
    std::int64_t step = 0;
    bool temporary = false;
};
// t(tp|ft)_saved_checkpoints-step_N(_tmp)?
std::optional<TtpFolder> parseTtpFolder(std::string_view name);

// "rank_12": 12
std::optional<int> parseRankFolder(std::string_view name);
// Decimal digits only, at most 15 of them.
std::optional<std::int64_t> decimal(std::string_view digits);

}  // namespace rankdeck
