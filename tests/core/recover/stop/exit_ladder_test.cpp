// SPDX-License-Identifier: GPL-3.0-or-later
// Force stops on the real engine. The signalled list is the list that was shown, a stop escalates within the same
// action, and an interrupted escalation ends at its current step.
#include "core/recover/launch/recipe.h"
#include "core/recover/stop/escalate.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <set>

namespace rankdeck::exit_ladder_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const ExitRung &rung(const ExitReport &report, const std::string &name)
{
    return *std::find_if(report.ladder.begin(), report.ladder.end(),
                         [&](const ExitRung &other) { return other.name == name; });
}

std::set<int> pidsOf(const std::vector<ProcessTarget> &targets)
{
    std::set<int> pids;
    for (const ProcessTarget &target : targets) pids.insert(target.process.pid);
    return pids;
}

TEST(ExitEscalation, ListsEveryProcessWithPidUserStartAndCommand)
{
    EngineHost host({{0, 1}}, "msrun");
    host.startFirst();
    const ExitReport report = planExit(host, {});
    const std::vector<ProcessTarget> &kill = rung(report, "kill").targets;
    const auto pids = host.pids();
    EXPECT_EQ(rung(report, "term").targets.size(), 2u);
    EXPECT_EQ(pidsOf(kill), std::set<int>(pids.begin(), pids.end())) << "the launcher and the scheduler too";
    for (const ProcessTarget &target : kill) {
        EXPECT_NE(target.started, WallTime{});
        EXPECT_FALSE(target.user.empty());
        EXPECT_FALSE(target.command.empty());
        if (target.rank >= 0) {
            EXPECT_EQ(target.log, host.file("job/log/worker_" + std::to_string(target.rank) + ".log"));
        }
    }
    EXPECT_THAT(targetText(kill.front()),
                AllOf(HasSubstr("pid "), HasSubstr("started "), HasSubstr("user "), HasSubstr("fake_rank.py")));
}

TEST(ExitEscalation, TargetIsOneLineForAnyProcessName)
{
    const ProcessTarget target{.node = "n0", .comm = "x\nrm -rf\n#", .command = "a\nb\tc\rd", .log = "/log\nfile"};
    EXPECT_EQ(targetText(target).find_first_of("\n\r\t"), std::string::npos);
}

TEST(ExitEscalation, SignalsExactlyTheConfirmedListAndReportsMissedProcesses)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    const ExitReport shown = planExit(host, {});
    ConfirmedRung confirmed{.signal = Signal::kill, .targets = rung(shown, "kill").targets};
    ASSERT_EQ(confirmed.targets.size(), 2u);
    const ProcessTarget later = confirmed.targets.back();  // as if the process had appeared after the list was made
    confirmed.targets.pop_back();
    ExitOptions options;
    options.confirmed = confirmed;
    const ExitReport report = host.exit(options, [&](const ExitReport &now) {
        // The signalled rank ends within its time limit. After that, the exit waits for its last output.
        if (now.text.find("SIGKILL") != std::string::npos) host.clock.setPace(5);
    });
    host.clock.setPace(1);
    EXPECT_EQ(host.pids(), std::vector<int>{later.process.pid});
    EXPECT_THAT(report.text, HasSubstr("SIGKILL to " + targetName(confirmed.targets.front())));
    EXPECT_THAT(report.text, HasSubstr("after the list was made: " + targetName(later)));
    EXPECT_EQ(host.read("job/graceful.json"), "{\n  \"comment\": \"kept\",\n  \"GracefulExit\": 0\n}\n");
    EXPECT_THAT(host.journalStates("exit"), AllOf(Contains("signalled"), Not(Contains("arming"))));
}

TEST(ExitEscalation, RunningExitEscalatesItsOwnStop)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    bool confirmed = false;
    const ExitReport report = host.exit({.waitSeconds = 120}, [&](const ExitReport &now) {
        if (now.phase != "armed" || confirmed) return;
        confirmed = true;
        EXPECT_EQ(rung(now, "kill").targets.size(), 2u);
        EXPECT_TRUE(host.engine().escalate({.signal = Signal::kill, .targets = rung(now, "kill").targets}).has_value());
    });
    EXPECT_TRUE(confirmed);
    EXPECT_TRUE(host.pids().empty());
    EXPECT_EQ(report.outcome, "timed_out") << report.text;
    EXPECT_THAT(report.text, HasSubstr("SIGKILL to rank 0"));
    EXPECT_TRUE(report.flagReset);
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
    std::set<std::string> actions;
    for (const JournalEntry &entry : host.journal().read().value())
        if (entry.kind == "exit") actions.insert(entry.action);
    EXPECT_EQ(actions.size(), 1u) << "one click, one act";
}

TEST(ExitEscalation, RefusesAnEmptyList)
{
    EngineHost host({{0}}, "command");
    EXPECT_FALSE(host.engine().escalate({.signal = Signal::kill}).has_value());
}

// Regression: an interrupted wait counted as a wait whose time was over, so SIGKILL was sent at once.
TEST(ExitEscalation, InterruptedEscalationStopsAtItsStepAndNamesTheRemainingRanks)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "swallow";
    host.startFirst();
    const auto before = host.pids();
    bool cancelled = false;
    const ExitReport report = host.exit({.waitSeconds = 1, .escalate = "kill"}, [&](const ExitReport &now) {
        if (now.phase != "escalating" || cancelled) return;
        cancelled = true;
        EXPECT_TRUE(host.engine().cancelExit().has_value());
    });
    EXPECT_EQ(report.outcome, "cancel_too_late") << report.text;
    EXPECT_THAT(report.text, AllOf(HasSubstr("SIGTERM to rank 0"), Not(HasSubstr("SIGKILL"))));
    for (const int pid : before)
        EXPECT_THAT(report.text.substr(report.text.find("May still be running")),
                    HasSubstr("pid " + std::to_string(pid)));
    EXPECT_EQ(host.pids(), before);
    EXPECT_TRUE(report.flagReset);
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
    EXPECT_THAT(host.journalStates("exit"), Contains("ladder_ended"));
}

// Regression: after the wait the list was made again, and contained processes that another console had started in the
// meantime.
TEST(ExitEscalation, DoesNotSignalProcessesOfANewerAttempt)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    Job plain = host.job;
    plain.launch.command.resize(2);
    const JobState picture{.job = plain};
    const CheckpointSet none;
    const LaunchPlan again = planCommand({.view = picture, .set = none, .id = "resume-other"});
    const std::vector<int> before = host.rankPids();
    int begun = 0;
    const ExitReport report = host.exit({.waitSeconds = 15, .escalate = "kill"}, [&](const ExitReport &now) {
        if (now.phase != "armed" || begun != 0) return;
        ::kill(before.at(0), SIGKILL);
        const auto started = host.node("n0")->launch(again.nodes.front().launches.front()).get();
        ASSERT_TRUE(started.has_value()) << started.error().message;
        begun = started->process.pid;
        host.clock.advance(std::chrono::seconds(12));
    });
    ASSERT_NE(begun, 0);
    EXPECT_THAT(report.text, AllOf(HasSubstr("Another attempt of this job"), HasSubstr("resume-other"),
                                   HasSubstr("pid " + std::to_string(begun)), Not(HasSubstr("SIGTERM to"))));
    const std::vector<int> now = host.pids();
    EXPECT_THAT(now, testing::UnorderedElementsAre(before.at(1), begun));
    EXPECT_THAT(host.journalStates("exit"), AllOf(Contains("ladder_ended"), Not(Contains("signalled"))));
}

TEST(ExitEscalation, SilentNodeDoesNotMeanThatItsProcessIsGone)
{
    EngineHost host({{0}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    std::vector<ProcessTarget> list = rung(planExit(host, {}), "kill").targets;
    ASSERT_EQ(list.size(), 1u);
    host.stopNode("n0");
    eraseGone(host, list);
    EXPECT_EQ(list.size(), 1u);
}

// Its environment was overwritten after the list was made, as setproctitle does, so only its pid identifies it.
TEST(ExitEscalation, ProcessThatCanNoLongerBeIdentifiedIsNotGone)
{
    EngineHost host({{0}}, "command");
    host.startFirst();
    const pid_t other = ::fork();
    if (other == 0) {
        char *const words[] = {const_cast<char *>("sleep"), const_cast<char *>("60"), nullptr};
        char *const none[] = {nullptr};
        ::execve("/bin/sleep", words, none);
        ::_exit(127);
    }
    const auto seen = host.node("n0")->findProcesses({.pids = {other}}).get();
    ASSERT_TRUE(seen.has_value() && seen->processes.size() == 1u);
    std::vector<ProcessTarget> list{{.node = "n0", .process = seen->processes.front().id}};
    eraseGone(host, list);
    EXPECT_EQ(list.size(), 1u);
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
    eraseGone(host, list);
    EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace rankdeck::exit_ladder_test
