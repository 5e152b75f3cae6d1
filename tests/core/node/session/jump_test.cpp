// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/node/session/node_session.h"

#include <thread>

namespace rankdeck::jump_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

SshdOptions named(const std::string &alias, const std::string &jump = {}, const std::vector<std::string> &config = {})
{
    SshdOptions options;
    options.alias = alias;
    options.proxyJump = jump;
    options.config = config;
    return options;
}

// gate ── one, two
class Jump : public testing::Test {
protected:
    Result<std::unique_ptr<Transport>> open(const std::string &host, const std::string &command = "echo ready; cat")
    {
        return openNode(*factory, {host, config, command});
    }
    std::unique_ptr<Transport> live(const std::string &host)
    {
        auto opened = open(host);
        if (!opened) throw std::runtime_error(opened.error().message);
        readUntil(**opened, "ready\n");
        return std::move(*opened);
    }
    static std::string echoed(Transport &transport, const std::string &text)
    {
        send(transport, text);
        return readUntil(transport, text);
    }

    Sshd gate{named("gate")};
    Sshd one{named("one", "gate")};
    Sshd two{named("two", "gate")};
    TempDir dir;
    std::string config = writeSshConfigOf({&gate, &one, &two}, dir.path());
    std::shared_ptr<SessionFactory> factory = makeSessionFactory();
};

TEST_F(Jump, AllNodesShareOneLoginAtTheBastion)
{
    const auto a = live("one");
    const auto b = live("two");
    const auto c = live("one");
    EXPECT_EQ(echoed(*a, "to a\n"), "to a\n");
    EXPECT_EQ(echoed(*b, "to b\n"), "to b\n");
    EXPECT_EQ(echoed(*c, "to c\n"), "to c\n");
    EXPECT_EQ(gate.logins(), 1);
    EXPECT_EQ(one.logins(), 2);
    EXPECT_EQ(two.logins(), 1);
}

TEST_F(Jump, SimultaneousConnectionsShareOneLogin)
{
    std::vector<std::thread> threads;
    std::vector<std::string> heard(6);
    for (std::size_t i = 0; i < heard.size(); ++i)
        threads.emplace_back([this, &heard, i] {
            const auto opened = open(i % 2 ? "one" : "two");
            heard[i] = opened ? Message(readUntil(**opened, "ready\n")) : opened.error().message;
        });
    for (std::thread &each : threads) each.join();
    EXPECT_THAT(heard, testing::Each("ready\n"));
    EXPECT_EQ(gate.logins(), 1);
}

TEST_F(Jump, DisconnectingOneNodeDoesNotAffectAnother)
{
    auto a = live("one");
    const auto b = live("two");
    a.reset();
    EXPECT_TRUE(eventually([this] { return one.processes().empty(); }));
    EXPECT_EQ(echoed(*b, "still here\n"), "still here\n");
    two.dropConnections();
    EXPECT_EQ(readToEnd(*b).end.kind, ErrorKind::unreachable);
    const auto again = live("one");
    EXPECT_EQ(echoed(*again, "and again\n"), "and again\n");
    EXPECT_EQ(gate.logins(), 1);
}

TEST_F(Jump, DeadBastionEndsAllConnectionsAndIsReopened)
{
    const auto a = live("one");
    const auto b = live("two");
    gate.dropConnections();
    EXPECT_EQ(readToEnd(*a).end.kind, ErrorKind::unreachable);
    EXPECT_EQ(readToEnd(*b).end.kind, ErrorKind::unreachable);
    const auto again = live("one");
    EXPECT_EQ(echoed(*again, "again\n"), "again\n");
    EXPECT_EQ(gate.logins(), 2);
}

TEST_F(Jump, CarriesLargeOutputForSeveralNodesAtOnce)
{
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([this, &good, i] {
            auto opened = open(i % 2 ? "one" : "two", "seq 1000000");
            if (opened && readToEnd(**opened).text.size() == 6888896u) ++good;
        });
    for (std::thread &each : threads) each.join();
    EXPECT_EQ(good, 4);
}

TEST_F(Jump, ErrorsNameTheHop)
{
    gate.stop();
    const auto opened = open("one");
    EXPECT_EQ(kindOf(opened), ErrorKind::unreachable);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("At the jump host gate:"), HasSubstr("Connection refused")));
}

TEST_F(Jump, ReportsAMachineBehindTheBastionThatIsOff)
{
    two.stop();
    const auto opened = open("two");
    EXPECT_EQ(kindOf(opened), ErrorKind::unreachable);
    EXPECT_THAT(failureOf(opened),
                AllOf(HasSubstr("The jump host gate cannot reach 127.0.0.1:" + std::to_string(two.port()))));
    EXPECT_TRUE(open("one").has_value());
    EXPECT_EQ(gate.logins(), 1);
}

TEST_F(Jump, ChecksTheHostKeyOfTheBastion)
{
    gate.replaceHostKey();
    const auto opened = open("one");
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("At the jump host gate:"), HasSubstr("CHANGED")));
    EXPECT_EQ(one.logins(), 0);
}

TEST_F(Jump, UnresponsiveBastionBlocksNoThread)
{
    TcpProxy proxy(gate.port());
    std::ofstream(config, std::ios::trunc) << gate.configBlock(proxy.port()) << one.configBlock();
    const auto a = live("one");
    proxy.blackHole();
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(a->write(std::string(200000, 'x')).has_value());
        a->wait(true, std::chrono::milliseconds(5));
    }
    Opening opening{"one", config};
    std::atomic<int> asked{0};
    opening.questions.stopped = [&asked] { return ++asked > 20; };
    EXPECT_EQ(kindOf(openNode(*factory, opening)), ErrorKind::cancelled);
}

TEST(JumpOver, ConnectsThroughSeveralHops)
{
    const Sshd outer(named("outer"));
    const Sshd inner(named("inner"));
    const Sshd node(named("node", "outer,inner"));
    const TempDir dir;
    const auto opened = openNode({"node", writeSshConfigOf({&outer, &inner, &node}, dir.path()), "echo far"});
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_EQ(readToEnd(**opened).text, "far\n");
    EXPECT_EQ(outer.logins(), 1);
    EXPECT_EQ(inner.logins(), 1);
}

TEST(JumpOver, UsesTheProxyJumpOfAHop)
{
    const Sshd outer(named("outer"));
    const Sshd inner(named("inner", "outer"));
    const Sshd node(named("node", "inner"));
    const TempDir dir;
    const auto opened = openNode({"node", writeSshConfigOf({&outer, &inner, &node}, dir.path()), "echo far"});
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_EQ(outer.logins(), 1);
}

TEST(JumpOver, ReportsACircleOfHops)
{
    const Sshd a(named("a", "b"));
    const Sshd b(named("b", "a"));
    const TempDir dir;
    const auto opened = openNode({"a", writeSshConfigOf({&a, &b}, dir.path())});
    EXPECT_EQ(kindOf(opened), ErrorKind::invalid);
    EXPECT_THAT(failureOf(opened), HasSubstr("loop"));
}

TEST(JumpOver, ReportsForbiddenForwardingWithoutAnAlternativePath)
{
    const Sshd gate(named("gate", {}, {"AllowTcpForwarding no"}));
    const Sshd node(named("node", "gate"));
    const TempDir dir;
    const auto opened = openNode({"node", writeSshConfigOf({&gate, &node}, dir.path())});
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened),
                AllOf(HasSubstr("Forwarding is disabled on the jump host gate"), HasSubstr("administrator")));
    EXPECT_EQ(node.logins(), 0);
}

}  // namespace
}  // namespace rankdeck::jump_test
