// SPDX-License-Identifier: GPL-3.0-or-later
// An alarm in the JSON: its text, and the format and parts of that text.
#include "app/ctl/alarm_json.h"

#include <gtest/gtest.h>

namespace rankdeck::ctl::alarm_json_test {
namespace {

TEST(AlarmJson, HasTheTextAndItsParts)
{
    Alarm alarm{.code = AlarmCode::rankDied, .ranks = {3}};
    alarm.fact = message("Rank %1 died", 3);
    EXPECT_EQ(alarmJson(alarm)["text"], "Rank 3 died.");
    EXPECT_EQ(alarmJson(alarm)["message"], Json::parse(R"(["%1.", ["Rank %1 died", "3"]])"));
    alarm.rest = message("Reason: %1.", "boom\x1b[2J\nand more");
    EXPECT_EQ(alarmJson(alarm)["text"], R"(Rank 3 died. Reason: boom\nand more.)");
    EXPECT_EQ(alarmJson(alarm)["message"][2], Json::parse(R"(["Reason: %1.", "boom\\nand more"])"));
}

TEST(AlarmJson, NoteIsPrintedAsItIs)
{
    Alarm alarm{.code = AlarmCode::note, .severity = Severity::info};
    alarm.fact = "unknown key \"worldsize\"";
    EXPECT_EQ(alarmJson(alarm)["text"], "unknown key \"worldsize\"");
    EXPECT_FALSE(alarmJson(alarm).contains("message"));
}

}  // namespace
}  // namespace rankdeck::ctl::alarm_json_test
