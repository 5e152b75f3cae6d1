// SPDX-License-Identifier: GPL-3.0-or-later
// Names of MindSpore's and MindFormers' files (ModelCheckpoint, OnRequestExit, exception saves, TTP/TFT). Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

std::optional<ParsedName> parseMindsporeName(std::string_view baseName, const std::string &prefix);

struct TtpFolder {
    std::int64_t step = 0;
    bool temporary = false;
};
// t(tp|ft)_saved_checkpoints-step_N(_tmp)?
std::optional<TtpFolder> parseTtpFolder(std::string_view name);

}  // namespace rankdeck
