// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of one log line with their labels, for the output of any program. Examples: "loss: 2.6", "'loss': '2.6'",
// "lm loss=2.6", "Epoch [3/10]", "200/ 2983 batches", "1.9it/s". Times, dates, versions and numbers within words are
// not fields. The fields are views into the line. Pure; linear in the length of the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct Field {
    std::string_view label = {};  // before the number, without separators: "lm loss", "Epoch(train)"; empty: none
    std::string_view unit = {};   // directly after the number, or after one blank: "ms", "it/s", "%", "batches"
    std::string_view text = {};   // number as it was printed
    double value = 0;             // includes the factor of K, M, G, B or T after the number
    std::optional<std::int64_t> of = {};  // 300 in "60/300" or "60 of 300"
    bool integer = false;                 // printed without a decimal point, or whole after its suffix
    bool repeats = false;                 // an average in parentheses after another number: "0.5 (0.6)"
    std::size_t begin = 0, end = 0;       // position of the number in the line
};

// The contents of one line. free: texts that are not labels, such as "Validation" or the name of a logger.
struct LineFields {
    std::vector<Field> fields;
    std::vector<std::string_view> free;

    void clear() { fields.clear(), free.clear(); }
};

inline constexpr double mostCounted = 1e15;
// True if it may be a step or an epoch: a whole number that is neither negative nor a percentage.
[[nodiscard]] bool isCount(const Field &field);

inline constexpr std::size_t mostFields = 200;  // of one line; further ones are ignored

// Replaces the contents of `into`. If one object is reused for all lines of a log, nothing is allocated.
void readFields(std::string_view line, LineFields &into);

}  // namespace rankdeck
