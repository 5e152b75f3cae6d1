// SPDX-License-Identifier: GPL-3.0-or-later
// Wall time for what people read, steady time for what we wait for. Pure; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

using WallTime = std::chrono::system_clock::time_point;
using SteadyTime = std::chrono::steady_clock::time_point;

// ISO 8601 in local time with zone and milliseconds: 2026-11-21T03:12:07.031+08:00
std::string isoTime(WallTime time);
// The reverse; nullopt unless the whole text is such a time (fraction and zone optional, then local).
std::optional<WallTime> parseIsoTime(std::string_view text);
// 03:12:07 in local time
std::string clockTime(WallTime time);
// "0.4 s", "7 min 52 s", "1 h 52 min", "3 d 4 h"
std::string durationText(double seconds);
WallTime wallFromNs(long long nanosecondsSinceEpoch);
std::int64_t nsFromWall(WallTime time);
double secondsBetween(WallTime from, WallTime to);
// Negative seconds: before it.
WallTime secondsAfter(WallTime time, double seconds);

}  // namespace rankdeck
