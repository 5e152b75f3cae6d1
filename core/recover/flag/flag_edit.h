// SPDX-License-Identifier: GPL-3.0-or-later
// The config file that OnRequestExit reads: what its GracefulExit says, and the same text with another value. Pure.
// Everything else of the text stays byte for byte: order, blanks, line ends, other keys. What is written is read by
// MindSpore (an object, no byte order mark). Errors: invalid, naming line, column, expected and found.
#pragma once

#include "core/base/result.h"
#include "core/recover/finding_codes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct FlagReading {
    bool present = false;
    bool armed = false;                   // as MindSpore compares: 1, 1.0 and true are, "1" and 2 are not
    std::string literal = {};             // as written: "1.0"; of the last one when the key is there twice
    std::optional<int> value = {};        // when the literal is a whole number, true (1) or false (0)
    int count = 0;                        // how often the key is there
    std::vector<std::string> notes = {};  // byte order mark, the key twice, text that is not ASCII
};

struct FlagEdit {
    std::string bytes;
    bool changed = false;
    FlagReading before;
};

// Why a text cannot be read, for findings: "config_empty", "config_not_json", "config_not_object".
Result<FlagReading> readFlag(std::string_view json);
FindingCode flagProblemCode(const Error &error);

// on: the key says 1 afterwards (kept as it is when it is armed already); off: it says 0, and is left out when it was.
Result<FlagEdit> setFlag(std::string_view json, bool on);

}  // namespace rankdeck
