// SPDX-License-Identifier: GPL-3.0-or-later
// Deadlines of waits.
#pragma once

#include "core/base/clock.h"

namespace rankdeck {

// The longest possible wait: a year. A longer one, or NaN, is shortened to this.
constexpr double maxWaitSeconds = 31'536'000;

inline SteadyTime inSeconds(double seconds)
{
    if (!(seconds < maxWaitSeconds)) seconds = maxWaitSeconds;  // NaN too
    if (seconds < 0) seconds = 0;
    return steadyNow() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace rankdeck
