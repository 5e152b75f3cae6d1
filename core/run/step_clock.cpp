// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/step_clock.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {

namespace {

constexpr std::size_t latest = 15;
constexpr std::size_t latestSilences = 100;
constexpr std::size_t enoughSilences = 8;
constexpr std::size_t enoughForPercentile = 20;  // from this number of silences on, a single one counts as an exception
constexpr std::size_t latestPauses = 8;
constexpr double shortestPause = 1;  // seconds
constexpr double pauseTimesUsual = 3;
constexpr double alike = 2;        // pauses of one kind differ by no more than this factor
constexpr double shortest = 0.05;  // seconds between two arrivals: if less, they are parts of one read

void keep(std::deque<double> &values, double value, std::size_t most = latest)
{
    if (!std::isfinite(value) || value <= 0) return;
    values.push_back(value);
    if (values.size() > most) values.pop_front();
}

}  // namespace

std::optional<double> medianOf(std::vector<double> values)
{
    if (values.empty()) return std::nullopt;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void StepClock::printed(double stepMs)
{
    keep(m_printed, stepMs / 1000);
    settle();
}

void StepClock::epochTime(double stepMs)
{
    if (std::isfinite(stepMs) && stepMs > 0) m_epoch = stepMs / 1000;
    settle();
}

void StepClock::arrived(std::int64_t position, WallTime heard)
{
    const double passed = secondsBetween(m_heard, heard);
    if (m_arrivals > 0 && (passed < shortest || position <= m_position)) return;
    if (m_arrivals > 0) keep(m_between, passed / static_cast<double>(position - m_position));
    if (m_arrivals > 0 && passed > shortestPause) notePause(passed);
    if (m_arrivals > 0) keep(m_silences, passed, latestSilences);
    if (m_arrivals > 0) m_stride = position - m_position;
    if (m_arrivals == 0 && !m_remembered) m_first = position;
    m_position = position;
    m_heard = heard;
    m_arrivals = std::min(m_arrivals + 1, 1000);
    settle();
}

void StepClock::notePause(double seconds)
{
    const std::optional<double> usual = usualSilence();
    if (!usual || seconds < pauseTimesUsual * *usual) return;
    m_pauses.push_back({m_position, seconds});
    if (m_pauses.size() > latestPauses) m_pauses.pop_front();
}

// Computed once per line, because it is read far more often, for all ranks.
void StepClock::settle()
{
    m_seconds = m_epoch;
    if (!m_printed.empty())
        m_seconds = medianOf({m_printed.begin(), m_printed.end()});
    else if (m_between.size() >= 3 || (!m_between.empty() && !m_epoch))
        m_seconds = medianOf({m_between.begin(), m_between.end()});
}

std::optional<double> StepClock::usualSilence() const
{
    if (m_silences.size() < enoughSilences) return m_remembered;
    double longest = 0, second = 0;
    for (const double silence : m_silences) {
        second = std::max(second, std::min(longest, silence));
        longest = std::max(longest, silence);
    }
    return m_silences.size() < enoughForPercentile ? longest : second;
}

double StepClock::longestSilence() const
{
    return m_silences.empty() ? 0 : *std::max_element(m_silences.begin(), m_silences.end());
}

// True if two pauses of one kind are so far apart that the next one is due now. Lines that come every few steps give
// positions only to within these steps.
bool StepClock::isDue(const Pause &one, const Pause &later) const
{
    const std::int64_t apart = later.after - one.after;
    if (apart <= 0 || m_position < later.after) return false;
    const bool sameKind = one.seconds < alike * later.seconds && later.seconds < alike * one.seconds;
    const std::int64_t off = (m_position - later.after) % apart;
    return sameKind && m_position > later.after && std::min(off, apart - off) <= m_stride && apart > 2 * m_stride;
}

bool StepClock::isAtFirstEpochEnd(std::int64_t stepsPerEpoch) const
{
    return stepsPerEpoch > 1 && (m_arrivals > 0 || m_remembered) && m_position % stepsPerEpoch == 0 &&
           m_position - stepsPerEpoch < m_first;
}

std::optional<SilencePattern> StepClock::pattern() const
{
    const std::optional<double> usual = usualSilence();
    if (!usual) return std::nullopt;
    return SilencePattern{
        .usual = *usual, .first = m_first, .stride = m_stride, .pauses = {m_pauses.begin(), m_pauses.end()}};
}

void StepClock::remember(const SilencePattern &pattern, std::int64_t position)
{
    m_remembered = pattern.usual;
    m_first = pattern.first;
    m_position = position;
    m_stride = pattern.stride;
    m_pauses.assign(pattern.pauses.begin(), pattern.pauses.end());
}

double StepClock::pauseDue(std::int64_t stepsPerEpoch) const
{
    const auto endsEpoch = [&](std::int64_t position) { return stepsPerEpoch > 1 && position % stepsPerEpoch == 0; };
    double longest = 0;
    for (auto later = m_pauses.begin(); later != m_pauses.end(); ++later) {
        if (endsEpoch(m_position) && endsEpoch(later->after)) longest = std::max(longest, later->seconds);
        for (auto one = m_pauses.begin(); one != later; ++one)
            if (isDue(*one, *later)) longest = std::max({longest, one->seconds, later->seconds});
    }
    return longest;
}

}  // namespace rankdeck
