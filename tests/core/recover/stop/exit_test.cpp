// SPDX-License-Identifier: GPL-3.0-or-later
// Graceful exits of real processes on real (local) nodes.
#include "core/base/files.h"
#include "core/node/wait_for.h"
#include "core/recover/flag/flag_write.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <thread>

namespace rankdeck::exit_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(Exit, StopsTwoNodesProvesTheStopAndResetsTheFlag)
{
    EngineHost host({{0, 1}, {2, 3}}, "command");
    host.startFirst();
    std::vector<std::string> phases;
    const ExitReport report =
        runExit(host, {.waitSeconds = 60}, [&](const ExitReport &now) { phases.push_back(now.phase.word()); });
    ASSERT_EQ(report.outcome, "stopped") << report.text;
    ASSERT_EQ(report.ranks.size(), 4u);
    for (const RankExit &rank : report.ranks) {
        EXPECT_TRUE(rank.armed && rank.confirmed && rank.exited) << rank.rank;
        EXPECT_EQ(rank.savedVerdict, Verdict::valid);
        EXPECT_THAT(rank.savedPath, HasSubstr("lenet-"));  // not the exit's own file, which a next start cannot load
    }
    for (const RankExit &rank : report.ranks) {
        EXPECT_TRUE(rank.seen && rank.seenAt && rank.savedAt && rank.exitedAt) << rank.rank;
        EXPECT_THAT(rank.confirmedBy, HasSubstr("worker_" + std::to_string(rank.rank)));
        EXPECT_THAT(rank.savedBy, HasSubstr("VALID"));
        EXPECT_THAT(rank.exitedBy, HasSubstr("is gone"));
    }
    EXPECT_TRUE(report.flagReset);
    EXPECT_TRUE(report.set.has_value());
    EXPECT_EQ(host.read("job/graceful.json"), "{\n  \"comment\": \"kept\",\n  \"GracefulExit\": 0\n}\n");
    for (const char *phase : {"preflight", "arming", "resetting", "done"}) EXPECT_THAT(phases, Contains(phase));
    const auto states = host.journalStates("exit");
    EXPECT_THAT(states, testing::IsSupersetOf({"planned", "arming", "armed", "progress", "reset", "stopped"}));
    EXPECT_EQ(states.back(), "stopped");
    EXPECT_TRUE(host.journal().unfinished("fake")->empty());
    EXPECT_TRUE(host.pids().empty());
}

TEST(Exit, WritesASharedFileOnce)
{
    EngineHost host({{0}, {1}}, "command");
    host.startFirst();
    const ExitReport report = planExit(host, {});
    ASSERT_EQ(report.outcome, "dry_run") << report.text;
    ASSERT_NE(find(report.preflight, "config_shared"), nullptr);
    ASSERT_EQ(report.plan.nodes.size(), 1u);
    EXPECT_EQ(report.plan.nodes.front().node, "n0");
    EXPECT_THAT(report.plan.nodes.front().edits.front().diff, HasSubstr("+  \"GracefulExit\": 1\n"));
    EXPECT_THAT(report.plan.summary, HasSubstr("graceful.json on node n0"));
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
    EXPECT_TRUE(host.journal().read()->empty());
}

TEST(Exit, KeepsConfigsOfRanksSeparate)
{
    EngineHost host({{0, 1}}, "command");
    host.job.gracefulExit.config = host.file("job/graceful_{rank}.json");
    host.write("job/graceful_0.json", R"({"mine": 0})");
    host.write("job/graceful_1.json", R"({"mine": 1, "GracefulExit": 0})");
    auto places = configPlaces(host.job);
    ASSERT_TRUE(places.has_value());
    ASSERT_EQ(places->size(), 2u);
    readConfigs(host, places.value(), inSeconds(20));
    const auto writes = writeFlag(host, places.value(), true, inSeconds(20));
    EXPECT_TRUE(allAsWanted(writes));
    EXPECT_EQ(host.read("job/graceful_0.json"), R"({"mine": 0, "GracefulExit": 1})");
    EXPECT_EQ(host.read("job/graceful_1.json"), R"({"mine": 1, "GracefulExit": 1})");
}

struct BadConfig {
    const char *name;
    std::function<void(EngineHost &)> make;
    FindingCode code;
};
class ExitRefuses : public testing::TestWithParam<BadConfig> {};

TEST_P(ExitRefuses, WithoutWritingAnything)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    GetParam().make(host);
    const bool there = host.exists("job/graceful.json");
    const std::string before = there ? host.read("job/graceful.json") : "";
    const ExitReport report = runExit(host, {.waitSeconds = 5}, {});
    EXPECT_TRUE(refusedWith(report, GetParam().code));
    EXPECT_EQ(host.exists("job/graceful.json"), there);
    if (there) { EXPECT_EQ(host.read("job/graceful.json"), before); }
    EXPECT_EQ(host.journalStates("exit").back(), "refused");
}

INSTANTIATE_TEST_SUITE_P(
    Configs, ExitRefuses,
    testing::Values(BadConfig{"NotJson",
                              [](EngineHost &host) { host.write("job/graceful.json", "{\"GracefulExit\": "); },
                              "config_invalid"},
                    BadConfig{"BadPlaceholder",
                              [](EngineHost &host) { host.job.gracefulExit.config = "/x/{rnk}.json"; }, "job_file"},
                    BadConfig{"NodeGone", [](EngineHost &host) { host.stopNode("n0"); }, "node_not_live"}),
    [](const auto &one) { return std::string(one.param.name); });

TEST(Exit, RefusesARunWithoutTheEnvironmentSwitch)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env.erase("MS_ENABLE_GRACEFUL_EXIT");
    host.startFirst();
    const ExitReport report = runExit(host, {.waitSeconds = 5}, {});
    EXPECT_TRUE(refusedWith(report, "graceful_env"));
    EXPECT_THAT(report.text, HasSubstr("the stop would do nothing"));
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
}

TEST(Exit, RefusesWhenNothingRunsOrARankIsDead)
{
    EngineHost host({{0, 1}}, "command");
    EXPECT_TRUE(refusedWith(runExit(host, {}, {}), "ranks_unknown"));  // its state is unknown
    host.startFirst();
    ::kill(host.view().ranks[1].process->id.pid, SIGKILL);
    ASSERT_TRUE(host.waitFor([&] { return host.view().ranks[1].alive == false; }));
    const ExitReport report = runExit(host, {}, {});
    EXPECT_TRUE(refusedWith(report, "rank_dead"));
    EXPECT_THAT(report.text, HasSubstr("rank 1"));
}

TEST(Exit, ReportsSinceWhenTheStopIsAlreadyArmed)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    const ExitReport report = planExit(host, {});
    const Finding *finding = find(report.preflight, "already_armed");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->result, Finding::Result::warn);
    EXPECT_THAT(finding->text, HasSubstr("since 20"));
    EXPECT_TRUE(report.plan.nodes.empty());
}

TEST(Exit, IsNotReportedAsStoppedIfARankDies)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "die";
    host.job.launch.env["FAKE_RANK"] = "1";
    host.startFirst();
    bool gone = false;
    const ExitReport report = runExit(host, {.waitSeconds = 60}, [&](const ExitReport &now) {
        if (gone || now.ranks.size() < 2 || now.ranks[1].note.find("its log has no exit line") == std::string::npos)
            return;
        gone = true;
        host.clock.advance(std::chrono::seconds(60));
    });
    EXPECT_EQ(report.outcome, "timed_out");
    EXPECT_TRUE(report.ranks[1].exited);
    EXPECT_FALSE(report.ranks[1].confirmed);
    EXPECT_THAT(report.ranks[1].note, HasSubstr("its log has no exit line"));
    EXPECT_TRUE(report.flagReset);
}

TEST(Exit, EscalationSignalsExactlyTheRankProcesses)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    const auto before = host.pids();
    const ExitReport report = runExit(host, {.waitSeconds = 1, .escalate = "kill"}, {});
    EXPECT_EQ(report.outcome, "timed_out") << report.text;
    EXPECT_TRUE(host.waitFor([&] { return host.pids().empty(); }));
    for (const int pid : before) EXPECT_THAT(report.text, HasSubstr("pid " + std::to_string(pid)));
    EXPECT_TRUE(report.flagReset);
    EXPECT_THAT(host.journalStates("exit"), testing::IsSupersetOf({"escalating", "signalled"}));
    EXPECT_NE(find(report.preflight, "force_stop", "no handler for SIGTERM"),
              nullptr);  // these scripts install no handler
    EXPECT_THAT(report.text, HasSubstr("group "));
}

TEST(Exit, ReportsThatSigtermIsIgnoredAndContinuesWithSigkill)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "swallow";
    host.job.launch.env.erase("MS_ENABLE_GRACEFUL_EXIT");
    host.startFirst();
    const ExitReport dry = planExit(host, {});
    ASSERT_EQ(dry.ladder.size(), 3u);
    EXPECT_FALSE(dry.ladder[0].available);
    EXPECT_TRUE(dry.ladder[1].available && dry.ladder[2].available);
    EXPECT_EQ(dry.ladder[1].targets.size(), 2u);
    EXPECT_EQ(dry.ladder[2].targets.front().process.pid, host.view().ranks[0].process->id.pid);
    EXPECT_NE(find(dry.ladder[1].findings, "force_stop", "ignores SIGTERM"), nullptr);
    EXPECT_NE(find(dry.ladder[2].findings, "force_stop", "SIGKILL ends"), nullptr);
    const ExitReport report = runExit(host, {.waitSeconds = 60, .escalate = "kill"}, [&](const ExitReport &now) {
        // SIGTERM ends no rank here; SIGKILL does within its own time limit.
        host.clock.setPace(
            now.text.find("SIGTERM") != std::string::npos && now.text.find("SIGKILL") == std::string::npos ? 20 : 1);
    });
    EXPECT_EQ(report.outcome, "timed_out") << report.text;
    EXPECT_THAT(report.text, testing::AllOf(HasSubstr("SIGTERM to rank 0"), HasSubstr("SIGKILL to rank 0")));
    EXPECT_TRUE(host.pids().empty());
}

TEST(Exit, EscalatesImmediatelyIfAGracefulStopIsImpossible)
{
    EngineHost host({{0, 1}}, "command");
    host.job.gracefulExit.config.clear();
    host.startFirst();
    const ExitReport report = runExit(host, {.waitSeconds = 60, .escalate = "term"}, {});
    EXPECT_EQ(report.outcome, "timed_out") << report.text;
    EXPECT_THAT(report.text, HasSubstr("SIGTERM to rank 0"));
    EXPECT_TRUE(host.pids().empty());
}

TEST(Exit, ReportsACancelBeforeAnyRankReadTheRequest)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_PACE"] = "0.05";
    host.startFirst();
    for (const int pid : host.pids()) ::kill(pid, SIGSTOP);
    const FasterAfterReset settles(host);
    const ExitReport report = runExit(host, {.waitSeconds = 30}, [&](const ExitReport &now) {
        if (now.phase == "armed") host.stop = true;
    });
    for (const int pid : host.pids()) ::kill(pid, SIGCONT);
    EXPECT_EQ(report.outcome, "cancelled") << report.text;
    EXPECT_THAT(report.text, HasSubstr("no rank had read the request"));
    EXPECT_TRUE(report.flagReset);
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
}

TEST(Exit, CancelThatIsTooLateNamesTheConfirmedRanks)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const ExitReport report = runExit(host, {.waitSeconds = 30}, [&](const ExitReport &now) {
        host.stop = now.phase == "saving" || now.phase == "proving";
    });
    EXPECT_THAT(std::string(report.outcome.word()), testing::AnyOf("cancel_too_late", "stopped")) << report.text;
    if (report.outcome == "cancel_too_late") { EXPECT_THAT(report.text, HasSubstr("had already confirmed the stop")); }
    EXPECT_TRUE(report.flagReset);
}

TEST(Exit, CancelNamesTheRanksThatMayHoldTheRequest)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.job.launch.env["FAKE_RANK"] = "1";
    host.startFirst();
    const ExitReport report = runExit(host, {.waitSeconds = 30}, [&](const ExitReport &now) {
        if (now.phase != "armed") return;
        host.waitStep(host.view().ranks[0].progress.position.value_or(0) + 3);
        host.stop = true;
    });
    // Both ranks have begun a step since the request, so each may have read it. The run goes on, so not all of them
    // have read it.
    EXPECT_EQ(report.outcome, "cancelled") << report.text;
    EXPECT_THAT(report.text, HasSubstr("the run goes on, but ranks 0"));
    EXPECT_THAT(report.text, HasSubstr("The run stops as soon as every rank has one."));
    EXPECT_THAT(report.ranks[0].note, HasSubstr("may still hold"));
    EXPECT_EQ(host.pids().size(), 2u);
}

TEST(Exit, CancelWithdrawsARequestOfAnotherUser)
{
    EngineHost host({{0, 1}}, "command");
    host.write("job/graceful.json", R"({"GracefulExit": true, "x": 2})");
    const ExitReport report = [&] {
        const FasterAfterReset settles(host);
        return cancelExit(host, {});
    }();
    EXPECT_EQ(report.outcome, "cancelled") << report.text;
    EXPECT_TRUE(report.flagReset);
    EXPECT_EQ(host.read("job/graceful.json"), R"({"GracefulExit": 0, "x": 2})");
    EXPECT_THAT(cancelExit(host, {}).text, HasSubstr("nothing to cancel"));
}

TEST(Exit, FlagUpdatesLoseNoChangeOfAnotherWriter)
{
    EngineHost host({{0}}, "command");
    host.catchUp();
    std::atomic<bool> done = false;
    int written = 0;
    std::thread other([&] {
        NodeClient *node = host.node("n0");
        const std::string path = host.file("job/graceful.json");
        while (!done) {
            auto asked = node->readFile(path, 1u << 20);
            const auto now = waitFor(asked, inSeconds(20), "n0");
            if (!now) continue;
            std::string bytes = now->bytes;
            const std::size_t at = bytes.find("\"kept");
            bytes.insert(at + 5, "!");
            auto reply = node->replaceFile({.path = path, .expectedSha256 = now->sha256, .bytes = bytes});
            if (const auto replaced = waitFor(reply, inSeconds(20), "n0"); replaced && replaced->replaced) ++written;
        }
    });
    auto copies = configPlaces(host.job).value();
    bool armed = false;
    for (int round = 0; round < 20; ++round) {
        readConfigs(host, copies, inSeconds(20));
        armed = allAsWanted(writeFlag(host, copies, round % 2 == 0, inSeconds(20)));
        if (!armed) break;
    }
    done = true;
    other.join();
    EXPECT_TRUE(armed);
    const std::string text = host.read("job/graceful.json");
    EXPECT_THAT(text, HasSubstr("\"GracefulExit\": 0"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '!'), written);  // no write of the other writer is lost
    EXPECT_GT(written, 0);
}

TEST(Interrupted, ResetsTheFlagWhenAllRanksAreGone)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    ASSERT_TRUE(host.journal()
                    .append({.action = "exit-1", .job = "fake", .kind = "exit", .state = "armed", .text = ""})
                    .has_value());
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    host.waitFor([&] { return host.pids().empty(); });
    EXPECT_THAT(finishInterrupted(host, false), HasSubstr("all ranks are gone. The next stop, cancel or resume"));
    EXPECT_EQ(host.read("job/graceful.json"), R"({"GracefulExit": 1})") << "who only looks changes nothing";
    EXPECT_THAT(finishInterrupted(host), HasSubstr("put back to 0"));
    EXPECT_EQ(host.read("job/graceful.json"), R"({"GracefulExit": 0})");
    EXPECT_EQ(finishInterrupted(host), "");
}

TEST(Interrupted, KeepsTheFlagWhileRanksRun)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    ASSERT_TRUE(host.journal()
                    .append({.action = "exit-1", .job = "fake", .kind = "exit", .state = "armed", .text = ""})
                    .has_value());
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    EXPECT_THAT(finishInterrupted(host), HasSubstr("still running"));
    EXPECT_EQ(host.read("job/graceful.json"), R"({"GracefulExit": 1})");
    EXPECT_EQ(host.journal().unfinished("fake")->size(), 1u);
}

}  // namespace
}  // namespace rankdeck::exit_test
