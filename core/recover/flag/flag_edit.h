// SPDX-License-Identifier: GPL-3.0-or-later
// Reader and editor of the config file that OnRequestExit reads: returns the value of GracefulExit, and the same text
// with another value. Pure. All other text stays byte for byte: order, blanks, line ends, other keys. MindSpore can
// read the result (an object, no byte order mark). Errors: invalid, naming line, column, expected and found.
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
    bool armed = false;                   // true for what MindSpore takes as 1: 1, 1.0 and true, but not "1" and 2
    std::string literal = {};             // as written: "1.0"; if the key occurs twice, its last value
    std::optional<int> value = {};        // set if the literal is a whole number, true (1) or false (0)
    int count = 0;                        // number of occurrences of the key
    std::vector<std::string> notes = {};  // byte order mark, duplicate key, text that is not ASCII
};

struct FlagEdit {
    std::string bytes;
    bool changed = false;
    FlagReading before;
};

// Error::detail is "empty", "not_json" or "not_object".
Result<FlagReading> readFlag(std::string_view json);

// on: sets the key to 1 (a value that already means 1 is kept). off: sets the key to 0 (a missing key stays missing).
Result<FlagEdit> setFlag(std::string_view json, bool on);

}  // namespace rankdeck
