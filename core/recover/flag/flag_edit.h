// SPDX-License-Identifier: GPL-3.0-or-later
// Reader and editor of the config file that OnRequestExit reads: the value of GracefulExit, and the same text with
// another value. Pure. All other text stays byte for byte: order, blanks, line ends, other keys. MindSpore can read the
// result (an object, no byte order mark). Errors: invalid, naming line, column, expected and found.
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
    bool armed = false;                   // as MindSpore compares: 1, 1.0 and true are armed, "1" and 2 are not
    std::string literal = {};             // as written: "1.0"; the last one if the key occurs twice
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

// on: the key is 1 afterwards (an already set value is kept as it is). off: it is 0; a missing key stays missing.
Result<FlagEdit> setFlag(std::string_view json, bool on);

}  // namespace rankdeck
