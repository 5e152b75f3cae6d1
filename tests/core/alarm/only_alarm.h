// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the alarms say often. Nothing here throws.
#pragma once

#include "core/alarm/alarm.h"
#include "tests/core/state/states.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace rankdeck {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The only alarm; more or none is a failure of the test.
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
