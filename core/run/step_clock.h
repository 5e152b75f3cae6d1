// SPDX-License-Identifier: GPL-3.0-or-later
// How long a step of one rank takes: by its own lines when they say it, else by when they arrive, else by TimeMonitor.
// The median of the latest, so that a save or a stall does not count. Internal to run.
#pragma once

#include "core/base/clock.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace rankdeck {

std::optional<double> medianOf(std::vector<double> values);

class StepClock {
public:
    void printed(double stepMs);
    void epochTime(double stepMs);
    void arrived(std::int64_t position, WallTime heard);
    [[nodiscard]] std::optional<double> seconds() const;
    // How long it is silent at most as a rule: the 99th percentile of the latest silences between arrivals, saves
    // included; empty before eight were seen.
    [[nodiscard]] std::optional<double> usualSilence() const;
    [[nodiscard]] bool live() const { return m_arrivals > 1; }  // the first arrival may be hours of old lines

private:
    std::deque<double> m_printed, m_between, m_silences;
    std::optional<double> m_epoch;
    std::int64_t m_position = 0;
    WallTime m_heard = {};
    int m_arrivals = 0;
};

}  // namespace rankdeck
