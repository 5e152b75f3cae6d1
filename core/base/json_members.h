// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of the values in a JSON text, so that one can be replaced without any other change, and an error names a
// line. Pure. Accepts what Python's json module accepts (including NaN and Infinity), nothing more; nesting and size
// are bounded.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct JsonSpan {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};
struct JsonMember {
    std::string key;        // decoded
    JsonSpan keySpan = {};  // with its quotes
    JsonSpan value = {};
};
struct JsonObject {
    std::size_t open = 0, close = 0;       // offsets of { and }
    std::vector<JsonMember> members = {};  // in the order of the text, repeated keys too
};

// Error::detail is "not_json", "not_object" or "empty".
Result<JsonObject> locateMembers(std::string_view text);
// For a text that is an array. Error::detail is "not_json", also if it is not an array.
Result<std::vector<JsonSpan>> locateElements(std::string_view text);

}  // namespace rankdeck
