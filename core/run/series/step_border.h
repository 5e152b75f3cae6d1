// SPDX-License-Identifier: GPL-3.0-or-later
// First step to the right of a border between two columns. Pure; never fails: a border that is NaN is below all steps.
#pragma once

#include <cstdint>
#include <limits>

namespace rankdeck {

constexpr std::int64_t lowestStep = std::numeric_limits<std::int64_t>::min() / 4;
constexpr std::int64_t highestStep = std::numeric_limits<std::int64_t>::max() / 4;

inline std::int64_t firstStepNotBelow(double border)
{
    if (!(border > static_cast<double>(lowestStep))) return lowestStep;
    if (!(border < static_cast<double>(highestStep))) return highestStep;
    const auto below = static_cast<std::int64_t>(border);  // towards zero
    return below + (static_cast<double>(below) < border ? 1 : 0);
}

}  // namespace rankdeck
