// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/step_clock.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {

namespace {

constexpr std::size_t latest = 15;
constexpr std::size_t latestSilences = 100;
constexpr std::size_t enoughSilences = 8;
constexpr std::size_t enoughForPercentile = 20;  // from here on one silence stands alone as an exception
constexpr double shortest = 0.05;                // seconds between two arrivals: below, they are parts of one read

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

void StepClock::printed(double stepMs) { keep(m_printed, stepMs / 1000); }

void StepClock::epochTime(double stepMs)
{
    if (std::isfinite(stepMs) && stepMs > 0) m_epoch = stepMs / 1000;
}

void StepClock::arrived(std::int64_t position, WallTime heard)
{
    const double passed = secondsBetween(m_heard, heard);
    if (m_arrivals > 0 && (passed < shortest || position <= m_position)) return;
    if (m_arrivals > 0) keep(m_between, passed / static_cast<double>(position - m_position));
    if (m_arrivals > 0) keep(m_silences, passed, latestSilences);
    m_position = position;
    m_heard = heard;
    m_arrivals = std::min(m_arrivals + 1, 1000);
}

std::optional<double> StepClock::seconds() const
{
    if (!m_printed.empty()) return medianOf({m_printed.begin(), m_printed.end()});
    if (m_between.size() >= 3 || (!m_between.empty() && !m_epoch))
        return medianOf({m_between.begin(), m_between.end()});
    return m_epoch;
}

std::optional<double> StepClock::usualSilence() const
{
    if (m_silences.size() < enoughSilences) return std::nullopt;
    std::vector<double> sorted(m_silences.begin(), m_silences.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() - (sorted.size() < enoughForPercentile ? 1 : 2)];
}

}  // namespace rankdeck
