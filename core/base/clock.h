// SPDX-License-Identifier: GPL-3.0-or-later
// Wall time for display, steady time for waiting. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rankdeck {

class Message;

using WallTime = std::chrono::system_clock::time_point;
using SteadyTime = std::chrono::steady_clock::time_point;

// Source of time for everything that decides by time: deadlines, ages, silence, retries, polling. It is the system's
// clocks unless a test has installed its own, which it can advance.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual SteadyTime steady() const = 0;
    [[nodiscard]] virtual WallTime wall() const = 0;
    // How long a thread may really sleep when its deadline is this far away on this clock.
    [[nodiscard]] virtual SteadyTime::duration nap(SteadyTime::duration untilDeadline) const = 0;
};

SteadyTime steadyNow();
WallTime wallNow();
const Clock &systemClock();
SteadyTime::duration napFor(SteadyTime::duration untilDeadline);  // never negative, at most an hour
SteadyTime::duration napUntil(SteadyTime deadline);
// Null: the system's clocks again. The clock must live longer than every thread that reads it. For tests, before
// threads are started.
void installClock(const Clock *clock);

// Waits until done() is true or the deadline has passed on the installed clock, whichever comes first; returns done().
template <class Condition, class Done>
bool waitUntil(Condition &changed, std::unique_lock<std::mutex> &lock, SteadyTime deadline, Done done)
{
    while (!done()) {
        if (steadyNow() >= deadline) return false;
        changed.wait_for(lock, napUntil(deadline));
    }
    return true;
}
template <class Condition, class Duration, class Done>
bool waitFor(Condition &changed, std::unique_lock<std::mutex> &lock, Duration atMost, Done done)
{
    return waitUntil(changed, lock, steadyNow() + std::chrono::ceil<SteadyTime::duration>(atMost), std::move(done));
}

// ISO 8601 in local time with zone and milliseconds: 2026-11-21T03:12:07.031+08:00
std::string isoTime(WallTime time);
// The reverse; nullopt unless the whole text is a time in this form. The fraction and the zone are optional. Without a zone, the
// time is local.
std::optional<WallTime> parseIsoTime(std::string_view text);
// 03:12:07 in local time
std::string clockTime(WallTime time);
// "0.4 s", "7 min 52 s", "1 h 52 min", "3 d 4 h"
Message durationText(double seconds);
WallTime wallFromNs(long long nanosecondsSinceEpoch);
std::int64_t nsFromWall(WallTime time);
double secondsBetween(WallTime from, WallTime to);
// Negative seconds: before it.
WallTime secondsAfter(WallTime time, double seconds);

}  // namespace rankdeck
