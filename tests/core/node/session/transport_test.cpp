// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/node/session/node_session.h"

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <set>
#include <thread>
#include <unistd.h>

namespace rankdeck::transport_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::unique_ptr<Transport> opened(const Sshd &server, const std::string &command)
{
    auto transport = openNode({server.host(), server.sshConfigPath(), command});
    if (!transport) throw std::runtime_error(transport.error().message);
    return std::move(*transport);
}

TEST(LibsshTransport, ReportsExitStatusAndLastErrors)
{
    const Sshd server;
    const auto transport = opened(server, "echo out; echo problem >&2; exit 3");
    const WholeOutput all = readToEnd(*transport);
    EXPECT_EQ(all.text, "out\n");
    EXPECT_EQ(all.end.kind, ErrorKind::unreachable);
    EXPECT_THAT(all.end.detail, AllOf(HasSubstr("exit status 3"), HasSubstr("problem")));
    EXPECT_THAT(transport->errorOutput(), testing::EndsWith("problem\n"));  // the login shell may print errors before
}

TEST(LibsshTransport, ReportsTheSignal)
{
    const Sshd server;
    const auto transport = opened(server, "kill -TERM $$");
    EXPECT_THAT(readToEnd(*transport).end.message, HasSubstr("signal TERM"));
}

TEST(LibsshTransport, ReportsAnExitAfterTheEndOfTheOutput)
{
    const Sshd server;
    for (const auto &[last, told] :
         {std::pair<std::string, std::string>{"exit 7", "exit status 7"}, {"kill -TERM $$", "signal TERM"}}) {
        const auto transport = opened(server, "echo out; exec >&- 2>&-; sleep 0.3; " + last);
        EXPECT_THAT(readToEnd(*transport).end.message, HasSubstr(told));
    }
}

TEST(LibsshTransport, KeepsOnlyTheEndOfTheErrorOutput)
{
    const Sshd server;
    const auto transport = opened(server, "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo last >&2");
    readToEnd(*transport);
    EXPECT_EQ(transport->errorOutput().size(), 8192u);
    EXPECT_THAT(transport->errorOutput(), testing::EndsWith("xxxx"
                                                            "last\n"));
}

TEST(LibsshTransport, AbsenceOfDataIsNotTheEnd)
{
    // With a delay of 100 ms each way, a read often finds nothing; in libssh 0.10 that looks like an end.
    const Sshd server;
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    proxy.delay(std::chrono::milliseconds(100));
    const auto transport = opened(server, "echo one; read line; echo \"two $line\"");
    EXPECT_EQ(readUntil(*transport, "one\n"), "one\n");
    std::string nothing;
    for (int i = 0; i < 20; ++i) {
        const auto got = transport->read(nothing);
        ASSERT_TRUE(got.has_value()) << got.error().message;
        EXPECT_EQ(*got, 0u);
    }
    send(*transport, "answer\n");
    EXPECT_EQ(readToEnd(*transport).text, "two answer\n");
}

TEST(LibsshTransport, CarriesLargeDataBothWaysAtOnce)
{
    const Sshd server;
    const auto transport = opened(server, "cat");
    std::string out;
    for (int i = 0; i < 600000; ++i) out += std::to_string(i) + "\n";
    std::string in;
    std::size_t sent = 0;
    const bool finished = eventually(
        [&] {
            const auto taken = transport->write(std::string_view(out).substr(sent));
            if (taken) sent += *taken;
            transport->wait(sent < out.size(), std::chrono::milliseconds(100));
            return !taken || !transport->read(in) || in.size() >= out.size();
        },
        std::chrono::seconds(60));
    EXPECT_TRUE(finished);
    EXPECT_TRUE(in == out) << in.size() << " of " << out.size();
}

TEST(LibsshTransport, DeliversManyBytesOverASlowLink)
{
    const Sshd server;
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    proxy.delay(std::chrono::milliseconds(20));
    const auto transport = opened(server, "seq 2000000");
    std::string expected;
    for (int i = 1; i <= 2000000; ++i) expected += std::to_string(i) + "\n";
    const WholeOutput all = readToEnd(*transport);
    EXPECT_TRUE(all.text == expected) << all.text.size() << " of " << expected.size();
}

TEST(LibsshTransport, WaitReturnsWhileUnreadDataRemains)
{
    // Nothing is read for a while, so more arrives than one read returns. Then the far side is silent.
    const Sshd server;
    const auto transport = opened(server, "echo ready; read go; head -c 9000000 /dev/zero; exec cat");
    readUntil(*transport, "ready\n");
    send(*transport, "go\n");
    std::string all;
    while (all.size() < 9000000) {
        transport->wait(false, std::chrono::hours(1));  // must not sleep while there is something to read
        ASSERT_TRUE(transport->read(all).has_value());
    }
    EXPECT_EQ(all.size(), 9000000u);
}

TEST(LibsshTransport, ReceiveWindowGrows)
{
    // The far side must be able to send this much without an answer. The window that libssh 0.10 opens by default (1.28
    // MB) would be too small.
    const Sshd server;
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    const auto transport = opened(server, "echo ready; read go; head -c 50000000 /dev/zero");
    readUntil(*transport, "ready\n");
    std::string more;
    ASSERT_TRUE(transport->read(more).has_value());
    send(*transport, "go\n");
    const std::uint64_t before = proxy.bytesFromServer();
    EXPECT_TRUE(eventually([&] { return proxy.bytesFromServer() - before > 1900000; }));
}

TEST(LibsshTransport, UnresponsiveServerDoesNotBlockTheThread)
{
    const Sshd server;
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    auto transport = opened(server, "echo ready; cat");
    readUntil(*transport, "ready");
    proxy.blackHole();
    const std::string block(1u << 20, 'x');
    std::size_t taken = 0;
    for (int i = 0; i < 40; ++i) {  // each write would block for ever if it waited for the peer
        const auto wrote = transport->write(block);
        ASSERT_TRUE(wrote.has_value());
        taken += *wrote;
        transport->wait(true, std::chrono::milliseconds(5));
        std::string in;
        ASSERT_TRUE(transport->read(in).has_value());
    }
    EXPECT_LT(taken, 8u << 20) << "what the peer does not take must not pile up here";
    transport.reset();
}

TEST(LibsshTransport, ContinuesAfterAStall)
{
    const Sshd server;
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    const auto transport = opened(server, "echo ready; cat");
    readUntil(*transport, "ready\n");
    proxy.stall();
    send(*transport, "through\n");
    std::string in;
    transport->wait(false, std::chrono::milliseconds(50));
    ASSERT_TRUE(transport->read(in).has_value());
    EXPECT_EQ(in, "");
    proxy.pass();
    EXPECT_EQ(readUntil(*transport, "through\n"), "through\n");
}

TEST(LibsshTransport, ResetEndsTheConnection)
{
    const Sshd server;
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    for (const bool reset : {true, false}) {
        const auto transport = opened(server, "echo ready; cat");
        readUntil(*transport, "ready");
        proxy.cutNow(reset);
        const WholeOutput all = readToEnd(*transport);
        EXPECT_EQ(all.end.kind, ErrorKind::unreachable);
        EXPECT_THAT(all.end.message, HasSubstr("node-a"));
    }
}

TEST(LibsshTransport, WakeEndsAWait)
{
    const Sshd server;
    const auto transport = opened(server, "echo ready; cat");
    readUntil(*transport, "ready\n");
    std::string in;
    ASSERT_TRUE(transport->read(in).has_value());
    std::atomic<bool> awake{false};
    std::thread sleeper([&] {
        transport->wait(false, std::chrono::hours(1));
        awake = true;
    });
    EXPECT_TRUE(eventually([&] {
        transport->wake();
        return awake.load();
    }));
    sleeper.join();
}

TEST(LibsshTransport, WaitReturnsForDataReceivedDuringAWrite)
{
    // The reply of the echo arrives during later writes. A wait that watches only the socket would miss it.
    const Sshd server;
    const auto transport = opened(server, "cat");
    for (int round = 0; round < 200; ++round) {
        const std::string text = "line " + std::to_string(round) + "\n";
        send(*transport, text);
        ASSERT_EQ(readUntil(*transport, text), text);
    }
}

TEST(LibsshTransport, FailureOfOneConnectionDoesNotAffectAnother)
{
    const Sshd a;
    Sshd b;
    const auto factory = makeSessionFactory();
    auto toA = openNode(*factory, {a.host(), a.sshConfigPath()});
    auto toB = openNode(*factory, {b.host(), b.sshConfigPath()});
    ASSERT_TRUE(toA.has_value() && toB.has_value());
    readUntil(**toA, "ready\n");
    readUntil(**toB, "ready\n");
    b.stop();
    EXPECT_EQ(readToEnd(**toB).end.kind, ErrorKind::unreachable);
    send(**toA, "still here\n");
    EXPECT_EQ(readUntil(**toA, "here\n"), "still here\n");
}

TEST(LibsshTransport, NeedsOnlyOneSessionOfAConnection)
{
    SshdOptions options;
    options.config = {"MaxSessions 1"};
    const Sshd server(options);
    const auto transport = opened(server, "echo ready; cat");
    EXPECT_THAT(readUntil(*transport, "ready"), HasSubstr("ready"));
}

TEST(LibsshTransport, RefusesALoginThatMayNotRunCommands)
{
    SshdOptions options;
    options.config = {"MaxSessions 0"};
    const Sshd server(options);
    const auto refused = openNode({server.host(), server.sshConfigPath()});
    EXPECT_EQ(kindOf(refused), ErrorKind::refused);
    EXPECT_THAT(failureOf(refused), HasSubstr("MaxSessions"));
}

TEST(LibsshTransport, OutputOfStartupFilesArrivesUnchanged)
{
    SshdOptions options;
    options.config = {"ForceCommand echo 'conda activated'; sh -c \"$SSH_ORIGINAL_COMMAND\""};
    const Sshd server(options);
    EXPECT_EQ(readToEnd(*opened(server, "echo mine")).text, "conda activated\nmine\n");
}

TEST(LibsshTransport, CommandEndsWithItsTransport)
{
    const Sshd server;
    auto transport = opened(server, "echo ready; exec cat");
    readUntil(*transport, "ready");
    EXPECT_EQ(server.processes().size(), 1u);
    transport.reset();
    EXPECT_TRUE(eventually([&] { return server.processes().empty(); }));
}

TEST(LibsshTransport, LeavesNoDescriptorOpen)
{
    const auto count = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    const Sshd server;
    const auto factory = makeSessionFactory();
    for (int i = 0; i < 2; ++i) readToEnd(**openNode(*factory, {server.host(), server.sshConfigPath(), "true"}));
    const auto before = count();
    for (int i = 0; i < 5; ++i) readToEnd(**openNode(*factory, {server.host(), server.sshConfigPath(), "true"}));
    std::filesystem::remove(server.authorizedKeysPath());
    EXPECT_FALSE(openNode(*factory, {server.host(), server.sshConfigPath(), "true"}).has_value());
    EXPECT_EQ(count(), before);
}

// The number of a closed descriptor is soon reused. Closing it twice would close a pipe or a file that another thread
// has just opened.
TEST(LibsshTransport, ClosesADescriptorOnlyOnceAfterThePeerEndedIt)
{
    const auto numbers = [] {
        std::set<int> all;
        for (int fd = 0; fd < 1024; ++fd)
            if (fcntl(fd, F_GETFD) != -1) all.insert(fd);
        return all;
    };
    Sshd server;
    auto transport = opened(server, "echo ready; exec cat");
    readUntil(*transport, "ready");
    const std::set<int> before = numbers();
    server.dropConnections();
    readToEnd(*transport);
    std::set<int> closed;
    const std::set<int> after = numbers();
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::inserter(closed, closed.end()));
    ASSERT_EQ(closed.size(), 1u) << "libssh closes the connection";
    const int taken = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, *closed.begin());
    ASSERT_EQ(taken, *closed.begin());
    transport.reset();
    EXPECT_NE(fcntl(taken, F_GETFD), -1) << "somebody else's descriptor was closed";
    close(taken);
}

}  // namespace
}  // namespace rankdeck::transport_test
