// SPDX-License-Identifier: GPL-3.0-or-later
// How long one step of a connect may take, and who may end it earlier. A value; used on the connecting thread, which makes
// its own Error of a phase that is over or stopped.
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
    // The next wait: short enough to notice a stop.
    [[nodiscard]] int slice() const
    {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steadyNow()).count();
        return int(std::clamp<long long>(left, 0, 50));
    }
};

}  // namespace rankdeck
