// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of one log line with their labels, for the output of any program: "loss: 2.6", "'loss': '2.6'", "lm
// loss=2.6", "Epoch [3/10]", "200/ 2983 batches", "1.9it/s". Times, dates, versions and numbers within words are not
// fields. Views into the line. Pure; linear in the length of the line.
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
    std::string_view text = {};   // the number as it was printed
    double value = 0;             // K, M, G, B and T behind the number are applied
    std::optional<std::int64_t> of = {};  // "60/300", "60 of 300"
    bool integer = false;                 // printed without a decimal point, or whole after its suffix
    bool repeats = false;                 // in parentheses behind another number: "0.5 (0.6)", its average
    std::size_t begin = 0, end = 0;       // of the number in the line
};

// The contents of one line. free: texts that label no number, such as "Validation" or the name of a logger.
struct LineFields {
    std::vector<Field> fields;
    std::vector<std::string_view> free;

    void clear() { fields.clear(), free.clear(); }
};

inline constexpr double mostCounted = 1e15;
// Whether it may be a step or an epoch: a whole number that is not negative and no percentage.
[[nodiscard]] bool isCount(const Field &field);

inline constexpr std::size_t mostFields = 200;  // of one line; later ones are ignored

// Replaces the contents of into. Reuse one object for all lines of a log: nothing is allocated then.
void readFields(std::string_view line, LineFields &into);

}  // namespace rankdeck
