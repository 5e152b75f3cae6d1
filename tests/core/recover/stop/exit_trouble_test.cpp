// SPDX-License-Identifier: GPL-3.0-or-later
// Graceful exits with obstacles: a rank that is stopped, a node that is cut off, files that cannot be written. Real
// processes, real (local or sshd) nodes.
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/paths.h"
#include "tests/testbed/sshd.h"
#include "tests/testbed/tcp_proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <thread>

namespace rankdeck::exit_trouble_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

TEST(ExitTrouble, StoppedRankIsReportedAsLateAndTheExitCanBeCancelled)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const int held = host.view().ranks[1].process->id.pid;
    ::kill(held, SIGSTOP);
    ASSERT_TRUE(host.waitFor([&] { return host.view().ranks[1].process->state == 'T'; }));
    EXPECT_NE(find(planExit(host, {}).preflight, "rank_silent", "state T"), nullptr);
    std::string late;
    const FasterAfterReset settles(host);
    const ExitReport report = runExit(host, {.waitSeconds = 120}, [&](const ExitReport &now) {
        if (now.ranks.size() < 2 || now.ranks[1].lateSeconds <= 0 || !late.empty()) return;
        late = now.text;
        EXPECT_THAT(now.ranks[0].note, HasSubstr("waiting for rank 1"));
        host.stop = true;
    });
    ::kill(held, SIGCONT);
    EXPECT_THAT(late, AllOf(HasSubstr("0 of 2 ranks confirmed"), HasSubstr("rank 1: "),
                            HasSubstr("late, stopped by a signal")));
    EXPECT_EQ(report.outcome, "cancelled") << report.text;
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
}

// The request is written, then the node stops answering. The request is withdrawn when the node answers again.
class CutOff : public testing::Test {
protected:
    CutOff() : m_first({.alias = "cut-a"}), m_second({.alias = "cut-b"}), m_proxy(m_second.port())
    {
        m_first.writeSshConfig(m_first.configBlock() + m_second.configBlock(m_proxy.port()));
        EngineNodes where{.hosts = {m_first.host(), m_second.host()}, .sshConfig = m_first.sshConfigPath()};
        m_host = std::make_unique<EngineHost>(std::vector<std::vector<int>>{{0}, {1}}, "command", where);
        m_host->job.gracefulExit.config = m_host->file("job/{node}.json");
        for (NodeSpec &node : m_host->job.nodes) {
            m_host->write("job/" + node.name + ".json", R"({"GracefulExit": 0})");
            node.env["FAKE_CONFIG"] = m_host->file("job/" + node.name + ".json");
        }
        m_host->startFirst();
    }
    [[nodiscard]] std::string config(const std::string &node) const { return m_host->read("job/" + node + ".json"); }
    static bool isArmed(const ExitReport &now) { return !now.ranks.empty() && now.ranks.front().armed; }
    bool isLive(const char *node = "n1") { return m_host->node(node)->status().state == NodeState::live; }
    // The link of the second node is silent for longer than the limit of a link; the first node answers as usual.
    void cutOff()
    {
        m_proxy.blackHole();
        for (int half = 0; half < 2; ++half) {
            const WallTime before = wallNow();
            m_host->links.advance(LinkTiming{}.stale + std::chrono::seconds(1));
            EXPECT_TRUE(m_host->waitFor(
                [&] { return !isLive() && isLive("n0") && m_host->node("n0")->status().lastContact > before; }));
        }
    }

    Sshd m_first, m_second;
    TcpProxy m_proxy;
    std::unique_ptr<EngineHost> m_host;
};

TEST_F(CutOff, ReconnectInTimeProvesTheExitAndResetsTheFlag)
{
    std::thread back;
    const ExitReport report = runExit(*m_host, {.waitSeconds = 90}, [&](const ExitReport &now) {
        if (!isArmed(now) || back.joinable()) return;
        back = std::thread([this] {
            cutOff();
            m_proxy.pass();
        });
    });
    ASSERT_TRUE(back.joinable());
    back.join();
    EXPECT_EQ(report.outcome, "stopped") << report.text;
    EXPECT_TRUE(report.flagReset) << report.text;
    EXPECT_EQ(config("n0"), R"({"GracefulExit": 0})");
    EXPECT_EQ(config("n1"), R"({"GracefulExit": 0})");
}

TEST_F(CutOff, MissingReconnectIsReportedAndTheNextStartFinishes)
{
    const ExitReport report = runExit(*m_host, {.waitSeconds = 5}, [&](const ExitReport &now) {
        if (isArmed(now)) m_proxy.blackHole();
        if (now.phase == "resetting") m_host->clock.setPace(20);  // the node does not come back
    });
    m_host->clock.setPace(1);
    cutOff();  // until the console has noticed it
    EXPECT_FALSE(report.flagReset);
    EXPECT_THAT(report.text, AllOf(HasSubstr("n1.json on node n1"), HasSubstr("take it back before the next start")));
    EXPECT_EQ(config("n0"), R"({"GracefulExit": 0})");
    EXPECT_EQ(config("n1"), R"({"GracefulExit": 1})");
    EXPECT_EQ(m_host->journal().unfinished("fake")->size(), 1u);
    m_proxy.pass();
    ASSERT_TRUE(m_host->waitFor([this] {
        const auto view = m_host->view();
        return isLive() && view.ranks[0].alive == false && view.ranks[1].alive == false;
    }));
    EXPECT_THAT(finishInterrupted(*m_host), HasSubstr("put back to 0"));
    EXPECT_EQ(config("n1"), R"({"GracefulExit": 0})");
    EXPECT_TRUE(m_host->journal().unfinished("fake")->empty());
}

TEST(ExitTrouble, UnreachableNodeRefusesTheExitUnlessItIsLeftOut)
{
    EngineHost host({{0}, {1}}, "command");
    host.job.gracefulExit.config = host.file("job/{node}.json");
    const std::string off = R"({"GracefulExit": 0})";
    for (NodeSpec &node : host.job.nodes) {
        host.write("job/" + node.name + ".json", off);
        node.env["FAKE_CONFIG"] = host.file("job/" + node.name + ".json");
    }
    host.startFirst();
    host.stopNode("n1");
    const ExitReport refused = runExit(host, {.waitSeconds = 5}, {});
    EXPECT_EQ(refused.outcome, "refused");
    ASSERT_NE(find(refused.preflight, "node_not_live"), nullptr);
    EXPECT_THAT(find(refused.preflight, "node_not_live")->fix, HasSubstr("--reachable-only"));
    EXPECT_EQ(host.read("job/n0.json"), off);
    std::string written;
    const ExitReport report = runExit(host, {.waitSeconds = 2, .allowUnreachable = true}, [&](const ExitReport &now) {
        if (now.phase == "armed" && written.empty()) written = host.read("job/n0.json");
    });
    EXPECT_EQ(written, R"({"GracefulExit": 1})");
    EXPECT_EQ(report.outcome, "timed_out") << report.text;
    EXPECT_THAT(report.text, HasSubstr("did not confirm within"));
    EXPECT_EQ(host.read("job/n0.json"), off);
    EXPECT_EQ(host.read("job/n1.json"), off);
    EXPECT_EQ(host.pids().size(), 2u) << "rank 0 waits for rank 1, which was not asked";
}

// The system refuses a write halfway: no request is set, no file is torn, and the outcome reports it.
TEST(ExitTrouble, FullDiskDuringTheWriteChangesNothing)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const std::string before = host.read("job/graceful.json");
    host.putBehind("n0", {"/bin/sh", "-c", "ulimit -f 0; exec \"$@\"", "sh"});
    const ExitReport report = runExit(host, {.waitSeconds = 20}, {});
    EXPECT_EQ(report.outcome, "refused");
    EXPECT_THAT(report.text, AllOf(HasSubstr("could not be requested everywhere"), HasSubstr("nothing was changed")));
    EXPECT_EQ(host.read("job/graceful.json"), before);
    EXPECT_THAT(host.journalStates("exit"), Contains("arming_failed"));
    for (const auto &entry : fs::directory_iterator(host.file("job")))
        EXPECT_FALSE(entry.path().filename().string().ends_with(".tmp")) << entry.path();
    EXPECT_EQ(host.pids().size(), 2u);
}

TEST(ExitTrouble, KeepsASymbolicLink)
{
    EngineHost host({{0, 1}}, "command");
    fs::create_directories(host.file("job/etc"));
    fs::rename(host.file("job/graceful.json"), host.file("job/etc/real.json"));
    fs::create_symlink("etc/real.json", host.file("job/graceful.json"));
    host.startFirst();
    const ExitReport report = runExit(host, {.waitSeconds = 60}, {});
    EXPECT_EQ(report.outcome, "stopped") << report.text;
    EXPECT_TRUE(fs::is_symlink(host.file("job/graceful.json")));
    EXPECT_THAT(host.read("job/etc/real.json"), HasSubstr("\"GracefulExit\": 0"));
}

// A read-only mount. If this login may not mount even in its own namespace: a directory without permission, as for an
// ordinary user.
TEST(ExitTrouble, RefusesAReadOnlyDirectoryBeforeAnyWrite)
{
    EngineHost host({{0, 1}}, "command");
    host.job.gracefulExit.config = host.file("ro/graceful.json");
    host.write("ro/graceful.json", R"({"GracefulExit": 0})");
    host.startFirst();
    const std::string place = host.file("ro");
    const std::string mount =
        "mount --bind '" + place + "' '" + place + "' && mount -o remount,ro,bind '" + place + "'";
    const std::string space = ::geteuid() == 0 ? "-m" : "-Urm";
    if (std::system(("unshare " + space + " /bin/sh -c \"" + mount + "\" 2>/dev/null").c_str()) == 0)
        host.putBehind("n0", {"unshare", space, "/bin/sh", "-c", mount + "; exec \"$@\"", "sh"});
    else
        fs::permissions(place, fs::perms::owner_read | fs::perms::owner_exec);
    const ExitReport report = runExit(host, {.waitSeconds = 20}, {});
    fs::permissions(place, fs::perms::owner_all);
    EXPECT_EQ(report.outcome, "refused");
    const Finding *finding = find(report.preflight, "config_not_writable");
    ASSERT_NE(finding, nullptr) << report.text;
    EXPECT_THAT(finding->text, HasSubstr("mount "));
    EXPECT_EQ(host.read("ro/graceful.json"), R"({"GracefulExit": 0})");
}

TEST(ExitTrouble, ReportsThatAnotherUserWithdrewTheRequest)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    const ExitReport report = runExit(host, {.waitSeconds = 120}, [&](const ExitReport &now) {
        if (now.phase == "armed") host.write("job/graceful.json", R"({"GracefulExit": 0})");
    });
    EXPECT_EQ(report.outcome, "cancelled") << report.text;
    EXPECT_THAT(report.text, HasSubstr("has taken the request back"));
    EXPECT_TRUE(report.flagReset);
    EXPECT_THAT(host.journalStates("exit"), Contains("taken_back"));
}

// For example because its file system is unmounted: the file returns with the request that was written to it.
TEST(ExitTrouble, MissingConfigIsNotReportedAsWithdrawn)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.env["FAKE_FAULT"] = "deaf";
    host.startFirst();
    const std::string config = host.file("job/graceful.json"), away = host.file("job/away.json");
    const ExitReport report = runExit(host, {.waitSeconds = 3}, [&](const ExitReport &now) {
        if (now.phase == "armed" && fs::exists(config)) {
            fs::rename(config, away);
            host.clock.advance(std::chrono::seconds(3));
        }
        if (now.phase == "resetting") host.clock.setPace(20);  // the file does not come back
    });
    EXPECT_FALSE(report.flagReset) << report.text;
    ASSERT_EQ(report.left.size(), 1u);
    EXPECT_EQ(report.left[0].path, config);
    host.clock.setPace(1);
    EXPECT_THAT(finishInterrupted(host), HasSubstr("cannot be read")) << "the next console cannot say it either";
    EXPECT_EQ(host.journal().unfinished("fake")->size(), 1u);
    EXPECT_EQ(cancelExit(host, {}).outcome, "refused");
    fs::rename(away, config);
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("1"));
    EXPECT_EQ(cancelExit(host, {}).flagReset, true);
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
}

// A script may remove its stop file, but a missing directory means something else.
TEST(ExitTrouble, StopFileInAMissingDirectoryIsNotReportedAsRemoved)
{
    for (const bool directory : {false, true}) {
        EngineHost host({{0, 1}}, "command");
        host.job.gracefulExit = {.stopFile = host.file("job/stop/STOP")};
        host.job.launch.env["FAKE_STOP"] = host.file("job/nobody-looks-here");
        fs::create_directories(host.file("job/stop"));
        host.startFirst();
        const ExitReport report = runExit(host, {.waitSeconds = 3}, [&](const ExitReport &now) {
            if (now.phase == "resetting") host.clock.setPace(20);  // the directory does not come back
            if (now.phase != "armed") return;
            const fs::path goes = host.file(directory ? "job/stop" : "job/stop/STOP");
            if (!fs::exists(goes)) return;
            fs::rename(goes, host.file("job/away"));
            host.clock.advance(std::chrono::seconds(3));
        });
        EXPECT_EQ(report.flagReset, !directory) << report.text;
        EXPECT_EQ(report.left.size(), directory ? 1u : 0u);
    }
}

TEST(ExitTrouble, RefusesIfTheRanksNameAnotherConfig)
{
    EngineHost host({{0, 1}}, "command");
    host.job.launch.command = {"python3", sourceDirectory() + "/tests/core/recover/fake_rank.py", "--graceful",
                               host.file("job/other.json")};
    host.write("job/other.json", R"({"GracefulExit": 0})");
    host.job.launch.env["FAKE_CONFIG"] = host.file("job/other.json");
    host.startFirst(host.job.launch.command.size());
    const ExitReport report = runExit(host, {.waitSeconds = 20}, {});
    EXPECT_EQ(report.outcome, "refused");
    const Finding *finding = find(report.preflight, "config_named");
    ASSERT_NE(finding, nullptr) << report.text;
    EXPECT_THAT(finding->text,
                AllOf(HasSubstr("other.json"), HasSubstr("graceful.json"), HasSubstr("never see the stop request")));
    // Under another name it is the same file: the comparison follows links.
    fs::remove(host.file("job/graceful.json"));
    fs::create_symlink("other.json", host.file("job/graceful.json"));
    const ExitReport same = planExit(host, {});
    EXPECT_EQ(same.outcome, "dry_run") << same.text;
    EXPECT_NE(find(same.preflight, "config_named", "the same config as the job file"), nullptr);
}

}  // namespace
}  // namespace rankdeck::exit_trouble_test
