// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include "core/base/message.h"

#include "core/base/said_units.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace rankdeck {
namespace {

class SystemClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steady() const override { return std::chrono::steady_clock::now(); }
    [[nodiscard]] WallTime wall() const override { return std::chrono::system_clock::now(); }
    [[nodiscard]] SteadyTime::duration nap(SteadyTime::duration untilDeadline) const override { return untilDeadline; }
};

const SystemClock theSystemClock;
std::atomic<const Clock *> installed = &theSystemClock;

std::tm utcParts(WallTime time)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    return parts;
}

std::tm localParts(WallTime time)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
    std::tm parts{};
    localtime_r(&seconds, &parts);
    return parts;
}

long long millisecondsOf(WallTime time)
{
    return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

// "+08:00", "+0800", "Z" or nothing (local); consumes it. False on anything else.
bool parseZone(std::string_view &text, std::optional<int> &offsetSeconds)
{
    if (text.empty()) return true;
    if (text == "Z") {
        text = {};
        offsetSeconds = 0;
        return true;
    }
    int hours = 0;
    int minutes = 0;
    int used = 0;
    const std::string zone(text.substr(1));
    if (text[0] != '+' && text[0] != '-') return false;
    if (std::sscanf(zone.c_str(), "%2d:%2d%n", &hours, &minutes, &used) != 2 &&
        std::sscanf(zone.c_str(), "%2d%2d%n", &hours, &minutes, &used) != 2)
        return false;
    if (static_cast<std::size_t>(used) != zone.size()) return false;
    offsetSeconds = (text[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

}  // namespace

SteadyTime steadyNow() { return installed.load()->steady(); }
WallTime wallNow() { return installed.load()->wall(); }
void installClock(const Clock *clock) { installed = clock != nullptr ? clock : &theSystemClock; }
const Clock &systemClock() { return theSystemClock; }

SteadyTime::duration napFor(SteadyTime::duration untilDeadline)
{
    constexpr SteadyTime::duration none{0}, most = std::chrono::hours(1);  // a wait without an end overflows
    return std::clamp(installed.load()->nap(untilDeadline), none, most);
}

SteadyTime::duration napUntil(SteadyTime deadline) { return napFor(deadline - steadyNow()); }

std::string isoTime(WallTime time)
{
    const long long all = millisecondsOf(time);
    const long long ms = (all % 1000 + 1000) % 1000;  // also before 1970
    const std::tm parts = localParts(WallTime(std::chrono::seconds((all - ms) / 1000)));
    char zone[8];
    char text[64];
    std::strftime(zone, sizeof zone, "%z", &parts);
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03lld%.3s:%.2s", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, ms, zone, zone + 3);
    return text;
}

std::optional<WallTime> parseIsoTime(std::string_view text)
{
    std::tm parts{};
    int used = 0;
    const std::string copy(text);
    if (std::sscanf(copy.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                    &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &used) != 6)
        return std::nullopt;
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    parts.tm_isdst = -1;
    text.remove_prefix(static_cast<std::size_t>(used));
    double fraction = 0;
    if (!text.empty() && text[0] == '.') {
        double unit = 0.1;
        text.remove_prefix(1);
        for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), unit /= 10)
            fraction += (text[0] - '0') * unit;
    }
    std::optional<int> offset;
    if (!parseZone(text, offset)) return std::nullopt;
    const std::time_t seconds = offset ? timegm(&parts) - *offset : mktime(&parts);
    return std::chrono::system_clock::from_time_t(seconds) +
           std::chrono::milliseconds(static_cast<long long>(std::lround(fraction * 1000)));
}

std::string clockTime(WallTime time)
{
    const std::tm parts = timesAreInUtc() ? utcParts(time) : localParts(time);
    char text[16];
    std::snprintf(text, sizeof text, "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec);
    return text;
}

Message durationText(double seconds)
{
    if (!std::isfinite(seconds)) return message("unknown");
    const double s = std::max(0.0, seconds);
    const long long whole = std::llround(s);
    if (s < 9.95) {
        char text[16];
        std::snprintf(text, sizeof text, "%.1f", s);
        return message("%1 s", text);
    }
    if (whole < 60) return message("%1 s", whole);
    if (whole < 3600 && whole % 60 == 0) return message("%1 min", whole / 60);
    if (whole < 3600) return message("%1 min %2 s", whole / 60, whole % 60);
    if (whole < 86400) return message("%1 h %2 min", whole / 3600, whole % 3600 / 60);
    return message("%1 d %2 h", whole / 86400, whole % 86400 / 3600);
}

WallTime wallFromNs(long long nanosecondsSinceEpoch)
{
    return WallTime(std::chrono::duration_cast<WallTime::duration>(std::chrono::nanoseconds(nanosecondsSinceEpoch)));
}

std::int64_t nsFromWall(WallTime time)
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

double secondsBetween(WallTime from, WallTime to) { return std::chrono::duration<double>(to - from).count(); }

WallTime secondsAfter(WallTime time, double seconds)
{
    return time + std::chrono::duration_cast<WallTime::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace rankdeck
