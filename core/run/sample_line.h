// SPDX-License-Identifier: GPL-3.0-or-later
// The log line from which a sample was read. A series keeps the place of every 256th line only. Between two of them the
// line is found by its numbers: the loss as it was parsed, and the step if the line contains it. Pure.
#pragma once

#include "core/run/series/series.h"

#include <string>
#include <string_view>

namespace rankdeck {

struct SampleNumbers {
    float loss = 0;
    std::vector<std::int64_t> steps = {};  // under which the line may name its step: global, nominal, within the epoch
    // near: as a series gives it, with its shift; stepsPerEpoch 0: unknown.
    static SampleNumbers of(const PlacedSample &near, std::int64_t shift, std::int64_t stepsPerEpoch);
};

class SampleLineSearch {
public:
    // at: offset of the first byte that will come, the beginning of a line.
    SampleLineSearch(SampleNumbers wanted, std::uint64_t at) : m_wanted(std::move(wanted)), m_lineAt(at) {}
    // More bytes, in order. True once a line was found that names both loss and step: no more are needed.
    bool add(std::string_view bytes);
    // The line; without a line that names the step, the only one with this loss. Empty: none, or several with the same
    // numbers.
    [[nodiscard]] std::optional<std::uint64_t> found() const;

private:
    bool addLine(std::string_view line, std::uint64_t at);

    SampleNumbers m_wanted;
    std::string m_rest;  // of a line that has not ended yet
    std::uint64_t m_lineAt;
    std::optional<std::uint64_t> m_exact, m_byLoss;
    int m_losses = 0;
};

}  // namespace rankdeck
