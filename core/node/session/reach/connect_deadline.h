// SPDX-License-Identifier: GPL-3.0-or-later
// Time limit of one step of a connect, and a way to stop the step earlier. A value; used on the connecting thread,
// which makes its own Error if the step is over or stopped.
#pragma once

#include "core/base/clock.h"

#include <algorithm>
#include <chrono>
#include <functional>

namespace rankdeck {

struct Phase {
    SteadyTime deadline;
    std::function<bool()> stopped;

    static Phase lasting(std::chrono::milliseconds atMost, std::function<bool()> whenStopped)
    {
        return {steadyNow() + atMost, std::move(whenStopped)};
    }
    [[nodiscard]] bool isStopped() const { return stopped && stopped(); }
    [[nodiscard]] bool isOver() const { return steadyNow() >= deadline; }
    // Length of the next wait in milliseconds: short enough to notice a stop.
    [[nodiscard]] int slice() const
    {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steadyNow()).count();
        return int(std::clamp<long long>(left, 0, 50));
    }
};

}  // namespace rankdeck
