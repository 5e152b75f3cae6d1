// SPDX-License-Identifier: GPL-3.0-or-later
// Search for the log line from which a sample was read. A series stores the position of only every 256th line. Between
// two of these, the line is found by its numbers: the loss as it was parsed, and the step if the line contains it.
// Pure.
#pragma once

#include "core/run/series/series.h"

#include <string>
#include <string_view>

namespace rankdeck {

struct SampleNumbers {
    float loss = 0;
    std::vector<std::int64_t> steps = {};  // numbers for its step: global, nominal, within the epoch
    // near: the sample as a series returns it, with its shift. stepsPerEpoch 0: unknown.
    static SampleNumbers of(const PlacedSample &near, std::int64_t shift, std::int64_t stepsPerEpoch);
};

class SampleLineSearch {
public:
    // at: file offset of the first byte that will be added, which must begin a line.
    SampleLineSearch(SampleNumbers wanted, std::uint64_t at) : m_wanted(std::move(wanted)), m_lineAt(at) {}
    // More bytes, in order. True once a line was found that names both loss and step: no more are needed.
    bool add(std::string_view bytes);
    // Offset of the line. If no line names the step, the only line with this loss. Empty: there is none, or there are
    // several with the same numbers.
    [[nodiscard]] std::optional<std::uint64_t> found() const;

private:
    bool addLine(std::string_view line, std::uint64_t at);

    SampleNumbers m_wanted;
    std::string m_rest;  // beginning of a line that is not complete yet
    std::uint64_t m_lineAt;
    std::optional<std::uint64_t> m_exact, m_byLoss;
    int m_losses = 0;
};

}  // namespace rankdeck
