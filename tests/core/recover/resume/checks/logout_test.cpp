// SPDX-License-Identifier: GPL-3.0-or-later
// A node that ends the processes of a login at logout: this is reported before the launch, and never assumed without
// evidence.
#include "core/recover/resume/checks/resume_checks.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::logout_test {
namespace {

using ::testing::HasSubstr;

TEST(LogoutCheck, RefusesIfTheRunWouldEndWithTheConsole)
{
    const std::map<std::string, LogoutRule> rules{
        {"n0",
         {.endsLaunches = Known::yes,
          .text = "KillUserProcesses=yes: processes that this login starts are ended with it"}},
        {"n1", {.endsLaunches = Known::no, .text = "KillUserProcesses=no"}}};
    const auto findings = logoutFindings(rules, {});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].code, "logout_ends_run");
    EXPECT_EQ(findings[0].result, Finding::Result::refuse);
    EXPECT_EQ(findings[0].node, "n0");
    EXPECT_THAT(findings[0].text, HasSubstr("KillUserProcesses=yes"));
    EXPECT_EQ(logoutFindings(rules, {.fixes = {"logout_ends_run"}})[0].result, Finding::Result::warn);
}

TEST(LogoutCheck, WarnsIfTheSettingsOfTheNodeAreUnknown)
{
    const auto findings = logoutFindings({{"n0", {.text = "the settings cannot be read"}}}, {});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].code, "logout_unknown");
    EXPECT_EQ(findings[0].result, Finding::Result::warn);
    EXPECT_THAT(findings[0].text, HasSubstr("cannot tell"));
}

TEST(LogoutCheck, QueriesOnlyNodesThatStartProcesses)
{
    EngineHost host({{0}, {1}}, "command");
    LaunchPlan launch;
    launch.nodes.push_back({.node = "n0"});
    launch.nodes.back().launches.push_back({.id = "a", .runDirectory = "/r", .argv = {"true"}});
    launch.nodes.push_back({.node = "n1"});
    const auto rules = readLogoutRules(host, launch, std::chrono::steady_clock::now() + std::chrono::seconds(30));
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_FALSE(rules.at("n0").text.empty());
}

}  // namespace
}  // namespace rankdeck::logout_test
