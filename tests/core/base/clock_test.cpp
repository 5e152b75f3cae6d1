// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include <gtest/gtest.h>

namespace rankdeck::clock_test {
namespace {

TEST(Clock, IsoTimeRoundTrips)
{
    const WallTime time = wallFromNs(1795253040283LL * 1000000);
    const std::string text = isoTime(time);
    ASSERT_EQ(text.size(), 29u) << text;
    EXPECT_EQ(parseIsoTime(text), time);
}

TEST(Clock, FormatsMillisecondsBefore1970Correctly)
{
    const WallTime before = WallTime(std::chrono::milliseconds(-250));
    EXPECT_NE(isoTime(before).find(":59.750"), std::string::npos) << isoTime(before);
}

TEST(Clock, ParsesTimeZones)
{
    EXPECT_EQ(parseIsoTime("2026-11-21T03:12:07+08:00"), parseIsoTime("2026-11-20T19:12:07Z"));
    EXPECT_EQ(parseIsoTime("2026-11-21T03:12:07.5+0800"),
              *parseIsoTime("2026-11-20T19:12:07Z") + std::chrono::milliseconds(500));
    EXPECT_FALSE(parseIsoTime("yesterday"));
    EXPECT_FALSE(parseIsoTime("2026-11-21T03:12:07 and more"));
}

TEST(Clock, FormatsDurationsInReadableUnits)
{
    EXPECT_EQ(durationText(0.42), "0.4 s");
    EXPECT_EQ(durationText(59.2), "59 s");
    EXPECT_EQ(durationText(472), "7 min 52 s");
    EXPECT_EQ(durationText(6720), "1 h 52 min");
    EXPECT_EQ(durationText(3 * 86400 + 4 * 3600), "3 d 4 h");
}

}  // namespace
}  // namespace rankdeck::clock_test
