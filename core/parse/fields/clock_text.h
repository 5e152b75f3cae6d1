// SPDX-License-Identifier: GPL-3.0-or-later
// Recognition of numbers that are not measurements: "12:30:01", "2026-02-18T10:20", "1.12.3", "127.0.0.1:80", "10/30
// 22:21". Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace rankdeck {

// The end of a time, date, version or address that begins at `at`; `at` itself if none begins there.
std::size_t endOfClock(std::string_view line, std::size_t at);

}  // namespace rankdeck
