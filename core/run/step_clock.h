// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a step of one rank: from its own lines if they contain it, otherwise from their times of arrival, otherwise
// from TimeMonitor. It is the median of the latest values, so that a single save or stall has no effect. Internal to
// run.
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
    // Longest silence to expect after the newest arrival, judging by earlier pauses of the same kind. Such a pause is
    // an evaluation or a save every so many steps, or after each epoch. 0: no pause is due now.
    [[nodiscard]] double pauseDue(std::int64_t stepsPerEpoch) const;
    // True if the newest arrival ends the first epoch whose end was seen: then an evaluation may follow.
    [[nodiscard]] bool isAtFirstEpochEnd(std::int64_t stepsPerEpoch) const;
    [[nodiscard]] bool live() const { return m_arrivals > 1; }  // the first arrival may be hours of old lines
    [[nodiscard]] double longestSilence() const;                // between arrivals, however few; 0: none so far
    // Pattern with which another console can continue. It uses the remembered pattern until it has seen enough silences
    // itself.
    [[nodiscard]] std::optional<SilencePattern> pattern() const;          // empty before there is one
    void remember(const SilencePattern &pattern, std::int64_t position);  // position: that of the newest line

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
