// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/node/session/gateway_limit.h"
#include "core/node/session/ssh_child_transport.h"
#include "tests/core/node/session/node_session.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace rankdeck::ssh_child_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

Opening throughSsh(const Sshd &server)
{
    Opening opening{server.host(), server.sshConfigPath()};
    opening.transport = TransportKind::sshChild;
    return opening;
}

TEST(SshChild, RunsACommandEndToEnd)
{
    const Sshd server;
    auto opened = openNode(throughSsh(server));
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_THAT(readUntil(**opened, "ready\n"), HasSubstr("ready\n"));
    send(**opened, "back and forth\n");
    EXPECT_EQ(readUntil(**opened, "forth\n"), "back and forth\n");
    opened->reset();
    EXPECT_TRUE(eventually([&] { return server.processes().empty(); }));
}

TEST(SshChild, ReachesHostsThatLibsshCannotReach)
{
    // An authority certifies the host, which is reached through a ProxyCommand.
    const TempDir dir;
    ASSERT_EQ(runProgram({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", dir.file("ca")}).exitCode, 0);
    SshdOptions options;
    options.known = false;
    Sshd server(options);
    ASSERT_EQ(runProgram({"ssh-keygen", "-q", "-s", dir.file("ca"), "-I", "host", "-h", "-n", "node-a",
                          server.hostKeyPath() + ".pub"})
                  .exitCode,
              0);
    const std::string certificate = server.directory() + "/host_key-cert.pub";
    std::ofstream(server.directory() + "/sshd_config", std::ios::app) << "HostCertificate " << certificate << "\n";
    server.stop();
    server.start();
    std::ofstream(server.knownHostsPath(), std::ios::trunc) << "@cert-authority node-a " << dir.read("ca.pub");
    Sshd relay;
    server.writeSshConfig("Host node-a\n  HostKeyAlias node-a\n  ProxyCommand ssh -F " + relay.sshConfigPath() +
                          " -W 127.0.0.1:" + std::to_string(server.port()) + " -- node-a\n" + server.configBlock());
    EXPECT_EQ(kindOf(openNode({server.host(), server.sshConfigPath()})), ErrorKind::unsupported);
    const auto opened = openNode(throughSsh(server));
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_THAT(readUntil(**opened, "ready"), HasSubstr("ready"));
}

// Configuration entries for interactive use: a terminal multiplexer on each login, a local command, no session, a
// banner.
TEST(InteractiveSshConfig, DoesNotPreventANodeFromBeingWatched)
{
    const char *const entries[] = {"RemoteCommand tmux new -A -s main",
                                   "RequestTTY force",
                                   "RemoteCommand bash -l\n  RequestTTY yes",
                                   "PermitLocalCommand yes\n  LocalCommand touch {mark}",
                                   "SessionType none",
                                   "StdinNull yes",
                                   "ForkAfterAuthentication yes",
                                   "ControlMaster auto\n  ControlPath {control}\n  ControlPersist 5"};
    const TempDir dir;
    std::ofstream(dir.file("banner")) << "Authorised use only.\n";
    Sshd server;
    std::ofstream(server.directory() + "/sshd_config", std::ios::app) << "Banner " << dir.file("banner") << "\n";
    server.stop();
    server.start();
    const std::string mark = dir.file("local_command_ran");
    for (const char *entry : entries) {
        server.writeSshConfig("Host *\n  " +
                              replaceAll(replaceAll(entry, "{mark}", mark), "{control}", dir.file("control-%C")) +
                              "\n" + server.configBlock());
        for (const TransportKind kind : {TransportKind::sshChild, TransportKind::libssh}) {
            Opening opening{server.host(), server.sshConfigPath()};
            opening.transport = kind;
            const auto opened = openNode(opening);
            ASSERT_TRUE(opened.has_value()) << entry << ": " << failureOf(opened);
            EXPECT_THAT(readUntil(**opened, "ready\n"), HasSubstr("ready\n")) << entry;
            EXPECT_FALSE(std::filesystem::exists(mark)) << entry;
        }
    }
}

TEST(SshChild, ReportsRefusalsWhenTheConnectionIsOpened)
{
    SshdOptions options;
    options.known = false;
    Sshd server(options);
    EXPECT_EQ(kindOf(openNode(throughSsh(server))), ErrorKind::refused);
    EXPECT_THAT(failureOf(openNode(throughSsh(server))), HasSubstr("--accept-new-host-keys"));
    Opening accepting = throughSsh(server);
    accepting.acceptNewHostKeys = true;
    EXPECT_TRUE(openNode(accepting).has_value());
    server.replaceHostKey();
    EXPECT_EQ(kindOf(openNode(accepting)), ErrorKind::refused);
    EXPECT_THAT(failureOf(openNode(accepting)), HasSubstr("CHANGED"));
    std::ofstream(server.knownHostsPath(), std::ios::trunc) << server.knownHostsLine() << "\n";
    std::filesystem::remove(server.authorizedKeysPath());
    EXPECT_EQ(kindOf(openNode(accepting)), ErrorKind::refused);
    EXPECT_THAT(failureOf(openNode(accepting)), AllOf(HasSubstr("refused the login"), HasSubstr("Permission denied")));
    server.stop();
    EXPECT_EQ(kindOf(openNode(accepting)), ErrorKind::unreachable);
    EXPECT_THAT(failureOf(openNode(accepting)), HasSubstr("Connection refused"));
}

TEST(SshChild, CommandLineContainsNoInjectedOptions)
{
    ConnectOptions options;
    options.sshConfig = "/tmp/c";
    const auto argv = sshChildCommand(*parseSshTarget("bob@node:2200"), options, "run me");
    const std::vector<std::string> end(argv.end() - 3, argv.end());
    EXPECT_THAT(end, testing::ElementsAre("--", "node", "echo; run me"));
    EXPECT_THAT(argv, Contains("BatchMode=yes"));
    EXPECT_THAT(argv, Contains("StrictHostKeyChecking=yes"));
    EXPECT_THAT(argv, Contains("/tmp/c"));
    EXPECT_THAT(argv, Contains("2200"));
    options.interactive = true;
    options.sshProgram = "/opt/ssh/bin/ssh";
    EXPECT_THAT(sshChildCommand(*parseSshTarget("node"), options, "x"), Contains("/opt/ssh/bin/ssh"));
    EXPECT_THAT(sshChildCommand(*parseSshTarget("node"), options, "x"), testing::Not(Contains("BatchMode=yes")));
    Opening opening{"-oProxyCommand=touch${IFS}x", "/dev/null"};
    opening.transport = TransportKind::sshChild;
    EXPECT_EQ(kindOf(openNode(opening)), ErrorKind::invalid);
}

TEST(LocalNode, RunsAShellOnThisMachine)
{
    Opening opening{"local", ""};
    opening.transport = TransportKind::local;
    const auto opened = openNode(opening);
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_EQ(readUntil(**opened, "ready\n"), "ready\n");
    send(**opened, "echoed\n");
    EXPECT_EQ(readUntil(**opened, "echoed\n"), "echoed\n");
}

TEST(GatewayLimit, LetsSixConnectionsThroughAtOnce)
{
    GatewayLimit limit;
    const auto noLonger = [] { return true; };
    std::vector<decltype(limit.acquire("gate:22", noLonger))> inside;
    for (int i = 0; i < 6; ++i) inside.push_back(limit.acquire("gate:22", noLonger));
    for (const auto &permit : inside) EXPECT_TRUE(permit.has_value());
    EXPECT_EQ(limit.acquire("gate:22", noLonger).error().kind, ErrorKind::cancelled);
}

TEST(GatewayLimit, LetsEveryConnectionThroughEventually)
{
    GatewayLimit limit;
    std::atomic<int> inside{0}, most{0}, through{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 24; ++i)
        threads.emplace_back([&] {
            const auto permit = limit.acquire("gate:22", {});
            const int now = ++inside;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
            std::this_thread::yield();
            --inside;
            if (permit) ++through;
        });
    for (std::thread &each : threads) each.join();
    EXPECT_LE(most, 6);
    EXPECT_EQ(through, 24);
}

TEST(GatewayLimit, LimitsEachGatewayAndTheTotal)
{
    GatewayLimit limit(1, 2);
    auto a = limit.acquire("a", {});
    auto b = limit.acquire("b", {});
    ASSERT_TRUE(a.has_value() && b.has_value());
    const auto stop = [] { return true; };
    EXPECT_EQ(limit.acquire("a", stop).error().kind, ErrorKind::cancelled);
    EXPECT_EQ(limit.acquire("c", stop).error().kind, ErrorKind::cancelled);
    a->reset();
    EXPECT_TRUE(limit.acquire("c", stop).has_value());
    EXPECT_TRUE(limit.acquire("a", stop).has_value());
}

TEST(GatewayLimit, ServesConnectionsInTheOrderOfArrival)
{
    GatewayLimit limit(1, 1);
    auto inside = limit.acquire("gate", {});
    std::mutex mutex;
    std::condition_variable changed;
    int waiting = 0;
    std::vector<int> order;
    std::vector<std::thread> threads;
    for (int i = 0; i < 5; ++i) {
        threads.emplace_back([&, i] {
            bool told = false;
            const auto permit = limit.acquire(i % 2 == 0 ? "gate" : "another", [&] {  // asked while it waits
                const std::lock_guard lock(mutex);
                waiting += std::exchange(told, true) ? 0 : 1;
                changed.notify_all();
                return false;
            });
            const std::lock_guard lock(mutex);
            order.push_back(i);
        });
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return waiting == i + 1; });
    }
    inside->reset();
    for (std::thread &each : threads) each.join();
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

SshdOptions turnsTheSeventhAway(const std::string &alias)
{
    SshdOptions options;
    options.alias = alias;
    options.config = {"MaxStartups 6:100:7"};
    return options;
}

class ColdStart : public testing::Test {
protected:
    static constexpr int sessions = 12;
    // Starts sessions at the same time, and returns how many of them are open in the end.
    static int opened(const Opening &opening)
    {
        const auto factory = makeSessionFactory();
        std::atomic<int> good{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < sessions; ++i)
            threads.emplace_back([&] {
                if (openNode(*factory, opening)) ++good;
            });
        for (std::thread &each : threads) each.join();
        return good;
    }
};

TEST_F(ColdStart, ServerRejectsNoneOfManySessions)
{
    const Sshd server(turnsTheSeventhAway("node-a"));
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    proxy.delay(std::chrono::milliseconds(20));
    EXPECT_EQ(opened({server.host(), server.sshConfigPath(), "echo hi"}), sessions) << server.log();
}

// Regression: one ssh per node was started, all at the same time.
TEST_F(ColdStart, SystemSshOpensManySessionsWithoutRejection)
{
    const Sshd server(turnsTheSeventhAway("node-a"));
    Opening opening = throughSsh(server);
    opening.command = "echo hi";
    EXPECT_EQ(opened(opening), sessions) << server.log();
}

TEST_F(ColdStart, JumpHostRejectsNoneOfManySessions)
{
    const Sshd gate(turnsTheSeventhAway("gate"));
    SshdOptions behind;
    behind.proxyJump = "gate";
    const Sshd node(behind);
    const TempDir dir;
    Opening opening{node.host(), writeSshConfigOf({&gate, &node}, dir.path()), "echo hi"};
    opening.transport = TransportKind::sshChild;
    EXPECT_EQ(opened(opening), sessions) << gate.log();
}

}  // namespace
}  // namespace rankdeck::ssh_child_test
