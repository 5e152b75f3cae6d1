// SPDX-License-Identifier: GPL-3.0-or-later
// How long a step of one rank takes: from its own lines if they contain it, otherwise from when they arrive, otherwise
// from TimeMonitor. The median of the latest, so that a save or a stall does not count. Internal to run.
#pragma once

#include "core/base/clock.h"
#include "core/run/run.h"

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
    [[nodiscard]] std::optional<double> seconds() const { return m_seconds; }
    // The usual longest silence: the 99th percentile of the latest silences between arrivals, including saves. Empty
    // before eight were seen.
    [[nodiscard]] std::optional<double> usualSilence() const;
    // Longest silence to expect after the newest arrival, from earlier pauses of this kind. Such a pause is an
    // evaluation or a save every so many steps, or after an epoch. 0: none is due here.
    [[nodiscard]] double pauseDue(std::int64_t stepsPerEpoch) const;
    // Whether the newest arrival ends the first epoch whose end was seen: then an evaluation may follow.
    [[nodiscard]] bool isAtFirstEpochEnd(std::int64_t stepsPerEpoch) const;
    [[nodiscard]] bool live() const { return m_arrivals > 1; }  // the first arrival may be hours of old lines
    [[nodiscard]] double longestSilence() const;                // between arrivals, however few; 0: none so far
    // Data that another console needs to continue, and its restoration. It is used until enough silences were seen
    // here.
    [[nodiscard]] std::optional<SilencePattern> pattern() const;          // empty before there is one
    void remember(const SilencePattern &pattern, std::int64_t position);  // of the newest line

private:
    using Pause = SilencePattern::Pause;
    void notePause(double seconds);
    void settle();
    [[nodiscard]] bool isDue(const Pause &one, const Pause &later) const;

    std::deque<Pause> m_pauses;
    std::int64_t m_stride = 1;  // positions between the latest two arrivals
    std::deque<double> m_printed, m_between, m_silences;
    std::optional<double> m_epoch, m_seconds, m_remembered;
    std::int64_t m_first = 0;  // position of the first arrival
    std::int64_t m_position = 0;
    WallTime m_heard = {};
    int m_arrivals = 0;
};

}  // namespace rankdeck
