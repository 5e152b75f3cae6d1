// SPDX-License-Identifier: GPL-3.0-or-later
// Stops of one job from several consoles, of which some were killed. Real processes.
#include "core/recover/stop/exit_consoles.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sys/wait.h>

namespace rankdeck::exit_consoles_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

// A journal entry of another console, which is a child process that may run or be gone.
class OtherConsole {
public:
    OtherConsole(const EngineHost &host, std::vector<std::string> states, const std::string &kind = "exit")
    {
        m_pid = ::fork();
        if (m_pid != 0) return;
        auto journal = Journal::open(host.file("state"));
        for (const std::string &state : states)
            if (!(*journal)->append(
                    {.action = kind + "-other", .job = "fake", .kind = kind, .state = state, .text = ""}))
                ::_exit(1);
        for (;;) ::pause();
    }
    ~OtherConsole() { kill(); }
    void kill()
    {
        if (m_pid <= 0) return;
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
        m_pid = -1;
    }

private:
    pid_t m_pid = -1;
};

TEST(ExitConsoles, SecondConsoleIsRefusedWhileTheFirstExitRuns)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    OtherConsole other(host, {"planned", "arming", "armed"});
    ASSERT_TRUE(host.waitFor([&] { return host.journalStates("exit").size() == 3; }));
    const ExitReport refused = runExit(host, {.waitSeconds = 20}, {});
    EXPECT_EQ(refused.outcome, "refused");
    const Finding *finding = find(refused.preflight, "other_console");
    ASSERT_NE(finding, nullptr) << refused.text;
    EXPECT_THAT(finding->text, AllOf(HasSubstr("armed by exit-other at "), HasSubstr("@")));
    ASSERT_EQ(refused.elsewhere.size(), 1u);
    EXPECT_TRUE(refused.elsewhere.front().live);
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));

    // The other console was killed halfway, and its request remains. This exit takes it over, proves the stop and ends
    // both.
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    other.kill();
    const ExitReport report = runExit(host, {.waitSeconds = 60}, {});
    EXPECT_THAT(std::string(report.outcome.word()), testing::AnyOf("stopped", "refused"))
        << report.text;  // refused: the run was over already
    EXPECT_EQ(host.read("job/graceful.json"), R"({"GracefulExit": 0})");
    EXPECT_TRUE(host.journal().unfinished("fake")->empty());
    EXPECT_TRUE(host.pids().empty());
}

// Regression: a stop was refused, and the request of the killed console stayed, if one rank had obeyed and another had
// not.
TEST(ExitConsoles, TakesOverAStopThatOnlyOneRankHasObeyed)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_GATES"] = host.file("gates");
    host.write("gates/hold-0-trigger", "0");
    host.startFirst();
    {
        const OtherConsole other(host, {"planned", "arming", "armed"});
        ASSERT_TRUE(host.waitFor([&] { return host.journalStates("exit").size() == 3; }));
    }
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    ASSERT_TRUE(host.waitFor([&] { return host.pids().size() == 1; }));
    const ExitReport report = runExit(host, {.waitSeconds = 60}, [&](const ExitReport &now) {
        if (now.phase != "preflight") fs::remove(host.file("gates/hold-0-trigger"));
    });
    EXPECT_EQ(report.outcome, "stopped") << report.text;
    EXPECT_EQ(report.ranks[1].savedVerdict, Verdict::valid) << "it saved before this stop began";
    EXPECT_EQ(host.read("job/graceful.json"), R"({"GracefulExit": 0})");
    EXPECT_TRUE(host.journal().unfinished("fake")->empty());
    EXPECT_TRUE(host.pids().empty());
}

TEST(ExitConsoles, JournalLetsOnlyOneOfTwoSimultaneousExitsContinue)
{
    EngineHost host({{0}}, "command");
    OtherConsole other(host, {"planned", "arming"});
    ASSERT_TRUE(host.waitFor([&] { return host.journalStates("exit").size() == 2; }));
    ASSERT_TRUE(host.journal()
                    .append({.action = "exit-mine", .job = "fake", .kind = "exit", .state = "arming", .text = ""})
                    .has_value());
    const auto earlier = earlierAct(host.journal(), host.view().job, "exit-mine");
    ASSERT_TRUE(earlier.has_value() && earlier->has_value());
    EXPECT_EQ((*earlier)->action, "exit-other");
    EXPECT_FALSE(earlierAct(host.journal(), host.view().job, "exit-other").value().has_value());
    other.kill();
    EXPECT_FALSE(earlierAct(host.journal(), host.view().job, "exit-mine").value().has_value());
}

// A resume edits the config and starts ranks: no exit sets its request between the first edit and the launch.
TEST(ExitConsoles, IsRefusedUntilAResumeOfAnotherConsoleHasStarted)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    {
        const OtherConsole other(host, {"planned", "preparing"}, "resume");
        ASSERT_TRUE(host.waitFor([&] { return host.journalStates("resume").size() == 2; }));
        const ExitReport refused = runExit(host, {.waitSeconds = 20}, {});
        EXPECT_EQ(refused.outcome, "refused");
        ASSERT_NE(find(refused.preflight, "other_console"), nullptr) << refused.text;
        EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
        EXPECT_TRUE(earlierAct(host.journal(), host.job, "exit-mine").value().has_value());
    }
    EXPECT_EQ(find(planExit(host, {}).preflight, "other_console"), nullptr) << "that console is gone";
}

}  // namespace
}  // namespace rankdeck::exit_consoles_test
