// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for tests of the alarms. They do not throw.
#pragma once

#include "core/alarm/alarm.h"
#include "tests/core/state/states.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace rankdeck {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Returns the only alarm; the test fails if there are more or none.
inline Alarm only(const Picture &picture)
{
    const std::vector<Alarm> all = findAlarms(picture);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Alarm{} : all.front();
}

inline std::vector<AlarmCode> codes(const Picture &picture)
{
    std::vector<AlarmCode> all;
    for (const Alarm &alarm : findAlarms(picture)) all.push_back(alarm.code);
    return all;
}

}  // namespace rankdeck
