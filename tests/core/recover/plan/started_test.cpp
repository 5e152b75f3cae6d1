// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of the nodes to launches, as the journal stores them.
#include "core/recover/plan/plan_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rankdeck::started_test {
namespace {

// Regression: a boot id that is not UTF-8 text ended the console.
TEST(PlanJson, StoresLaunchRepliesThatAreNotUtf8AsText)
{
    const std::string odd = "a\xff\xc3";
    Started answered{.node = odd, .request = {.id = odd, .runDirectory = odd, .argv = {}}};
    answered.reply =
        LaunchReply{.startedNow = true, .process = {.pid = 7, .startTicks = 9, .bootId = odd}, .bootId = odd};
    Started refused{.node = "n1", .request = {.id = "r", .runDirectory = "", .argv = {}}};
    refused.problem = fail(ErrorKind::refused, odd);
    const auto kept = nlohmann::json::parse(startedToJson({answered, refused}), nullptr, false);
    ASSERT_TRUE(kept.is_array());
    EXPECT_EQ(kept.at(0).at("pid"), 7);
    EXPECT_NE(kept.at(0).at("boot_id"), odd);
    EXPECT_TRUE(kept.at(1).contains("problem"));
}

}  // namespace
}  // namespace rankdeck::started_test
