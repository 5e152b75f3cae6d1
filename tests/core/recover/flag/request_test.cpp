// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a stop request is set: an unreadable place counts neither as yes nor as no.
#include "core/recover/flag/config_copies.h"
#include "core/recover/stop/exit_consoles.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace rankdeck::request_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Regression: a single node whose file said 0 was enough, whatever the files of the other nodes said.
TEST(Request, IsWithdrawnByOthersOnlyIfEveryCopyShowsIt)
{
    std::vector<ConfigCopy> copies{{.node = "n0", .path = "/a", .asked = true},
                                   {.node = "n1", .path = "/b", .asked = true}};
    const auto seen = [](std::optional<int> first, std::optional<int> second) {
        JobState view;
        view.flags.push_back({.node = "n0", .path = "/a", .value = first, .armed = first == 1});
        view.flags.push_back({.node = "n1", .path = "/b", .value = second, .armed = second == 1});
        return view;
    };
    EXPECT_TRUE(requestStands(seen(0, 1), copies).isYes());
    EXPECT_TRUE(requestStands(seen({}, 1), copies).isYes());
    EXPECT_TRUE(requestStands(seen(0, {}), copies).isUnknown());
    EXPECT_TRUE(requestStands(seen(0, 0), copies).isNo());
    EXPECT_TRUE(requestStands({}, copies).isUnknown());
    copies[1].asked = false;  // on a node that was left out of the request
    EXPECT_TRUE(requestStands(seen(0, {}), copies).isNo());
}

// Regression: an unreadable config was reported as a cancel: "GracefulExit is 1 on no node that could be read: there is
// nothing to cancel".
TEST(Request, InAnUnreadableConfigDoesNotCountAsCancelled)
{
    EngineHost host({{0, 1}}, "command");
    host.write("job/graceful.json", R"({"GracefulExit": 1)");
    const ExitReport report = cancelExit(host, {});
    EXPECT_EQ(report.outcome, "refused") << report.text;
    EXPECT_THAT(report.text, AllOf(HasSubstr("may still be 1 on n0"), HasSubstr("cannot be read")));
    EXPECT_FALSE(report.flagReset);
}

// Regression: "The flag is 0 again" was reported when only one of two flags had been put back.
TEST(Request, WithdrawnOnOneOfTwoNodesIsNotReportedAsZero)
{
    EngineHost host({{0}, {1}}, "command");
    host.job.gracefulExit.config = host.file("job/{node}.json");
    host.write("job/n0.json", R"({"GracefulExit": 1})");
    host.write("job/n1.json", R"({"GracefulExit": 1)");
    host.catchUp();
    host.stop = true;  // do not wait until the other file becomes readable
    const FasterAfterReset settles(host);
    const ExitReport report = cancelExit(host, {});
    EXPECT_EQ(host.read("job/n0.json"), R"({"GracefulExit": 0})");
    EXPECT_FALSE(report.flagReset);
    ASSERT_EQ(report.left.size(), 1u);
    EXPECT_EQ(report.left.front().node, "n1");
    EXPECT_FALSE(report.left.front().value.has_value());
    EXPECT_THAT(report.text, AllOf(Not(HasSubstr("is 0 again")), HasSubstr("may still be set")));
    EXPECT_EQ(host.journal().unfinished("fake")->size(), 1u) << "the next console looks there";
}

// Regression: a resume did not mention a config that it could not read, and the new attempt exited after its first
// step.
TEST(Request, InAnUnreadableConfigIsReportedBeforeAResume)
{
    EngineHost host({{0, 1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    EXPECT_EQ(find(planResume(host, {}).preflight, "config_unreadable"), nullptr);
    std::filesystem::remove(host.file("job/graceful.json"));
    std::filesystem::create_directory(host.file("job/graceful.json"));
    const ResumeReport report = planResume(host, {});
    const Finding *finding = find(report.preflight, "config_unreadable");
    ASSERT_NE(finding, nullptr);
    EXPECT_THAT(finding->text, HasSubstr("whether GracefulExit is 1"));
}

// Regression: other actions were searched only in the readable part of the journal, which was empty.
TEST(Request, IsRefusedIfTheJournalCannotBeRead)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    ASSERT_TRUE(host.journal()
                    .append({.action = "exit-mine", .job = "fake", .kind = "exit", .state = "arming", .text = ""})
                    .has_value());
    const auto mine = earlierAct(host.journal(), host.job, "exit-mine");
    ASSERT_TRUE(mine.has_value());
    EXPECT_FALSE(mine->has_value());
    EXPECT_FALSE(earlierAct(host.journal(), host.job, "exit-moved-away").has_value()) << "its own entry is not there";
    const std::string path = host.file("state/journal.jsonl");
    std::filesystem::remove(path);
    std::filesystem::create_symlink(path, path);
    EXPECT_FALSE(earlierAct(host.journal(), host.job, "exit-mine").has_value());
    const ExitReport report = planExit(host, {});
    const Finding *finding = find(report.preflight, "journal");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->result, Finding::Result::refuse);
}

}  // namespace
}  // namespace rankdeck::request_test
