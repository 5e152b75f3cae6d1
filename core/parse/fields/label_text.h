// SPDX-License-Identifier: GPL-3.0-or-later
// Text of a label within its line: without separators, loggers and levels, or as plain words. Pure.
#pragma once

#include <string>
#include <string_view>

namespace rankdeck {

// Without separators, quotes, opening brackets and drawn bars at both ends.
std::string_view withoutSeparators(std::string_view text);
// The part after the last wide gap, dash, colon or equals sign: "name - INFO - lm loss" → "lm loss".
std::string_view lastPart(std::string_view text);
// Whether it is the level that a logger puts before its message: "INFO".
bool isLevel(std::string_view label);
// "TrainLoss/lm_loss" → "train loss lm loss": lower-case words, split before capitals and at all other characters.
std::string plainLabel(std::string_view label);

}  // namespace rankdeck
