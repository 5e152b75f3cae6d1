// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/logs/log_attempt.h"

#include <algorithm>
#include <utility>

namespace rankdeck {
namespace {

// After its exit line, a process may still print the loss of that same step. More losses mean that it has not stopped.
constexpr int lossesOfOneWhoLeaves = 1;

std::pair<std::int64_t, std::int64_t> placeOf(const Sample &sample)
{
    if (sample.globalStep) return {*sample.globalStep, 0};
    return {sample.epoch.value_or(0), sample.step.value_or(0)};
}

}  // namespace

void LogAttempt::restore(int attempt, int pid, const std::optional<Sample> &last)
{
    m_index = attempt;
    m_pid = pid;
    m_last = last;
}

void LogAttempt::restoreExitLine(std::uint64_t offset, int lossesSince)
{
    m_exitLine = lossesSince > lossesOfOneWhoLeaves ? std::nullopt : std::optional(offset);
    m_sinceExitLine = lossesSince;
}

void LogAttempt::beginAnew(bool emptied)
{
    m_emptied = emptied;
    m_anew = m_index >= 0;
}

Known LogAttempt::continues(const Parsed &parsed, std::optional<int> pid) const
{
    if (m_exitLine) return false;
    const auto loads = [](const LogEvent &event) { return event.kind == EventKind::resumed; };
    if (std::any_of(parsed.events.begin(), parsed.events.end(), loads)) return false;
    const bool named = pid && m_pid > 0;
    if (named && *pid != m_pid) return false;
    const bool stepsGoUp = !parsed.samples.empty() && m_last && placeOf(parsed.samples.front()) > placeOf(*m_last);
    if (!m_emptied || !parsed.samples.empty()) return !stepsGoUp ? Known(false) : m_emptied && !named ? Known() : true;
    return {};
}

void LogAttempt::settle(int attempt)
{
    m_anew = false;
    if (std::exchange(m_index, attempt) == attempt) return;
    m_last.reset();
    m_exitLine.reset();
    m_sinceExitLine = 0;
}

void LogAttempt::take(const Parsed &parsed, std::optional<int> pid)
{
    if (!parsed.samples.empty()) m_last = parsed.samples.back();
    takeExitLine(parsed);
    if (pid) m_pid = *pid;
}

void LogAttempt::takeExitLine(const Parsed &parsed)
{
    for (const LogEvent &event : parsed.events) {
        if (event.kind == EventKind::gracefulExit) {
            m_exitLine = event.offset;
            m_sinceExitLine = 0;
        }
        if (event.kind == EventKind::resumed && m_exitLine && event.offset > *m_exitLine) m_exitLine.reset();
    }
    if (!m_exitLine) return;
    for (const Sample &sample : parsed.samples) m_sinceExitLine += sample.offset > *m_exitLine ? 1 : 0;
    if (m_sinceExitLine > lossesOfOneWhoLeaves) m_exitLine.reset();
}

}  // namespace rankdeck
