// SPDX-License-Identifier: GPL-3.0-or-later
// The relay over real logins: head nodes and neighbours have their own sshd, and the ssh of the head nodes has its own
// configuration.
#include "core/node/node.h"
#include "core/node/protocol/bootstrap.h"
#include "core/node/protocol/node_link.h"
#include "core/node/protocol/probe_source.h"
#include "core/node/session/relay/relay.h"
#include "core/node/transport/child_process_transport.h"
#include "tests/core/node/local_sessions.h"
#include "tests/core/node/session/node_session.h"

#include <csignal>
#include <numeric>

namespace rankdeck::relay_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

SshdOptions neighbourCalled(const std::string &alias)
{
    SshdOptions options;
    options.alias = alias;
    return options;
}

// A node behind a relay, its reports, and the file that it follows.
struct Follower {
    Follower(const std::string &host, const std::string &relay, const std::string &sshConfig, std::string logFile,
             std::shared_ptr<SessionFactory> factory, const LinkTiming &timing)
        : log(std::move(logFile))
    {
        NodeSpec spec{.name = host, .host = host};
        spec.relay = {.name = relay, .host = relay};
        ConnectOptions options;
        options.sshConfig = sshConfig;
        node = std::make_unique<Node>(spec, options, std::move(factory), recorder);
        WatchSpec watch;
        watch.tails.push_back({.id = 1, .path = log, .lastBytes = 1u << 30, .pace = TailPace::onScreen});
        node->watch(watch);
        node->start(timing);
    }
    bool becomes(NodeState state)
    {
        return recorder.waitFor([&] { return recorder.last.state == state; }, std::chrono::seconds(60));
    }
    bool hears(const std::string &all)
    {
        return recorder.waitFor([&] { return recorder.text[1].size() >= all.size(); }, std::chrono::seconds(60)) &&
               recorder.with([&] { return recorder.text[1] == all; });
    }
    std::string log;
    Recorder recorder;
    std::unique_ptr<Node> node;
};

class RelayOverSsh : public testing::Test {
protected:
    // The user of the relay has a configuration with all neighbours, as on a real head node.
    SshdOptions headCalled(const std::string &alias)
    {
        std::filesystem::create_directory(dir.file("bin"));
        std::ofstream(dir.file("bin/ssh"))
            << "#!/bin/sh\nexec /usr/bin/ssh -F '" << dir.file("cluster_config") << "' \"$@\"\n";
        ::chmod(dir.file("bin/ssh").c_str(), 0755);
        SshdOptions options;
        options.alias = alias;
        options.environment = {"PATH=" + dir.file("bin") + ":/usr/bin:/bin"};
        return options;
    }
    void addNeighbour(const Sshd &server, const std::string &host)
    {
        std::string block = server.configBlock();
        block.replace(0, block.find('\n'), "Host " + host);
        std::ofstream(dir.file("cluster_config"), std::ios::app) << block;
        ::chmod(dir.file("cluster_config").c_str(), 0600);
    }
    std::string logOf(const std::string &host, const std::string &bytes)
    {
        const std::string path = dir.file(host + ".log");
        std::ofstream(path, std::ios::app) << bytes;
        logs[host] += bytes;
        return path;
    }
    Follower &follow(const std::string &host, const std::string &relay, const std::string &config,
                     const LinkTiming &timing = {})
    {
        followers.push_back(
            std::make_unique<Follower>(host, relay, config, logOf(host, "first of " + host + "\n"), factory, timing));
        return *followers.back();
    }
    static std::vector<int> relaysOf(const Sshd &head)
    {
        std::vector<int> found;
        for (const int pid : head.processes())
            if (const std::string line = commandLine(pid);
                line.find("rankdeck-probe") != std::string::npos && line.find("BatchMode") == std::string::npos)
                found.push_back(pid);  // its children also name the probe
        return found;
    }
    void writeOnAndExpectAll(const std::string &words)
    {
        for (const auto &follower : followers) {
            const std::string host = follower->node->status().name;
            logOf(host, words + " of " + host + "\n");
        }
        for (const auto &follower : followers) {
            const std::string host = follower->node->status().name;
            EXPECT_TRUE(follower->hears(logs[host]))
                << host << ": " << follower->recorder.with([&] { return follower->recorder.text[1]; });
        }
    }

    TempDir dir;
    std::map<std::string, std::string> logs;
    std::shared_ptr<SessionFactory> factory = makeSessionFactory();
    std::vector<std::unique_ptr<Follower>> followers;
};

// head-a ── a1 … a6, head-b ── b1 … b6
class TwoRelays : public RelayOverSsh {
protected:
    TwoRelays()
    {
        for (int i = 1; i <= 6; ++i) {
            servers.push_back(std::make_unique<Sshd>(neighbourCalled("x" + std::to_string(i))));
            addNeighbour(*servers.back(), "a" + std::to_string(i));
            addNeighbour(*servers.back(), "b" + std::to_string(i));
        }
    }
    void followAll(const LinkTiming &timing = {})
    {
        std::ofstream(dir.file("console_config")) << headA.configBlock(proxy.port()) << headB.configBlock();
        ::chmod(dir.file("console_config").c_str(), 0600);
        for (const std::string side : {"a", "b"})
            for (int i = 1; i <= 6; ++i)
                follow(side + std::to_string(i), "head-" + side, dir.file("console_config"), timing);
        for (const auto &follower : followers)
            ASSERT_TRUE(follower->becomes(NodeState::live)) << follower->node->status().reason;
    }
    Sshd headA{headCalled("head-a")};
    Sshd headB{headCalled("head-b")};
    TcpProxy proxy{headA.port()};
    std::vector<std::unique_ptr<Sshd>> servers;
};

// Twelve sshds take long to start, so one test covers every event of two relays.
TEST_F(TwoRelays, ReachTwelveNodesAndLoseNoData)
{
    followAll();
    writeOnAndExpectAll("second");
    EXPECT_EQ(headA.logins(), 1);
    EXPECT_EQ(headB.logins(), 1);
    EXPECT_EQ(proxy.accepted(), 1);
    for (const auto &server : servers) EXPECT_EQ(server->logins(), 2);
    const std::size_t probe = packedSource(builtInProbe()).size();
    EXPECT_LT(proxy.bytesFromClient(), 2 * probe + 60000) << "six neighbours; the probe has " << probe << " bytes";
    EXPECT_THAT(followers[0]->node->status().facts.security, HasSubstr("ssh from head-a"));

    // All nodes send many bytes at once.
    std::string block(1u << 16, '-');
    std::iota(block.begin(), block.end(), '\0');
    std::string many;
    for (int times = 0; times < 64; ++times) many += block;
    writeOnAndExpectAll(many);

    // A relay is killed.
    const std::vector<int> relays = relaysOf(headA);
    ASSERT_EQ(relays.size(), 1u);
    ::kill(relays[0], SIGKILL);
    for (int i = 0; i < 6; ++i)
        EXPECT_TRUE(followers[i]->recorder.waitFor([&] {
            const auto &states = followers[i]->recorder.states;
            return std::find(states.begin(), states.end(), NodeState::lost) != states.end();
        })) << i;
    writeOnAndExpectAll("without the relay");
    for (const auto &follower : followers) EXPECT_TRUE(follower->becomes(NodeState::live));
    writeOnAndExpectAll("with it again");
    EXPECT_EQ(relaysOf(headA).size(), 1u);
    for (int i = 6; i < 12; ++i)
        EXPECT_EQ(followers[i]->recorder.with([&] { return followers[i]->recorder.states.size(); }), 2u)
            << "behind the other relay nothing happened";
    EXPECT_EQ(headB.logins(), 1);

    // A link is cut.
    proxy.cutNow();
    writeOnAndExpectAll("without a link");
    for (const auto &follower : followers) EXPECT_TRUE(follower->becomes(NodeState::live));
    proxy.cutAfter(10000);
    writeOnAndExpectAll(std::string(5000, 'x'));
    writeOnAndExpectAll("after the cuts");
    // The remains of the cut on the head node end automatically: the end of its input ends the relay.
    EXPECT_TRUE(eventually([&] { return relaysOf(headA).size() == 1; }));

    followers.clear();
    factory.reset();
    EXPECT_TRUE(eventually([&] { return headA.processes().empty() && headB.processes().empty(); }));
    for (const auto &server : servers) EXPECT_TRUE(eventually([&] { return server->processes().empty(); }));
}

// head ── near, far
class OneRelay : public RelayOverSsh {
protected:
    OneRelay()
    {
        addNeighbour(near, "near");
        addNeighbour(far, "far");
    }
    std::string reasonOf(const std::string &host, NodeState state)
    {
        Follower &follower = follow(host, "head", head.sshConfigPath());
        EXPECT_TRUE(follower.becomes(state)) << nodeStateName(follower.node->status().state);
        return follower.node->status().reason;
    }
    Sshd near{neighbourCalled("near")};
    Sshd far{neighbourCalled("far")};
    Sshd head{headCalled("head")};
};

TEST_F(OneRelay, HangingNeighbourDelaysNoOther)
{
    LinkTiming timing;
    timing.heartbeat = std::chrono::milliseconds(500);
    timing.stale = std::chrono::milliseconds(2000);
    Follower &slow = follow("far", "head", head.sshConfigPath(), timing);
    Follower &other = follow("near", "head", head.sshConfigPath());
    ASSERT_TRUE(slow.becomes(NodeState::live)) << slow.node->status().reason;
    ASSERT_TRUE(other.becomes(NodeState::live)) << other.node->status().reason;
    const std::vector<int> stopped = far.processes();
    for (const int pid : stopped) ::kill(pid, SIGSTOP);
    // Sends more bytes than the windows take, so that the rest stays on this side.
    const std::string much(1u << 20, 'x');
    std::vector<Reply<Done>> unanswered;
    for (int i = 0; i < 8; ++i) {
        Reply<Done> reply = slow.node->append({.path = dir.file("never"), .bytes = much});
        // A request to a node that is already stale is refused at once.
        if (slow.node->status().state == NodeState::live) unanswered.push_back(std::move(reply));
    }
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(other.node->readFile(other.log, 1000).get().has_value());
    EXPECT_TRUE(slow.becomes(NodeState::stale));
    logOf("near", "still here\n");
    EXPECT_TRUE(other.hears(logs["near"]));
    EXPECT_EQ(other.node->status().state, NodeState::live);
    for (const int pid : stopped) ::kill(pid, SIGCONT);
    EXPECT_TRUE(slow.becomes(NodeState::live));
    for (auto &reply : unanswered) {
        const auto answer = reply.get();
        EXPECT_TRUE(answer || answer.error().kind != ErrorKind::unreachable) << answer.error().message;
    }
}

TEST_F(OneRelay, InteractiveSshConfigBlocksNoNeighbour)
{
    std::ofstream(dir.file("cluster_config"), std::ios::app)
        << "Host *\n  RemoteCommand tmux new -A\n  RequestTTY force\n  PermitLocalCommand yes\n  LocalCommand touch "
        << dir.file("mark") << "\n";
    Follower &neighbour = follow("far", "head", head.sshConfigPath());
    EXPECT_TRUE(neighbour.becomes(NodeState::live)) << neighbour.node->status().reason;
    EXPECT_FALSE(std::filesystem::exists(dir.file("mark")));
}

TEST_F(OneRelay, SshOfTheRelayRefusesAChangedHostKey)
{
    far.replaceHostKey();
    EXPECT_THAT(reasonOf("far", NodeState::refused),
                AllOf(HasSubstr("The ssh of the relay head refused the host key of far: it has CHANGED")));
    EXPECT_EQ(far.logins(), 0);
    follow("near", "head", head.sshConfigPath());
    EXPECT_TRUE(followers.back()->becomes(NodeState::live));
    EXPECT_EQ(head.logins(), 1);
}

TEST_F(OneRelay, UnknownHostKeyIsRefusedAndNotWritten)
{
    std::filesystem::resize_file(far.knownHostsPath(), 0);
    EXPECT_THAT(reasonOf("far", NodeState::refused),
                HasSubstr("The host key of far is not known to the ssh of the relay head."));
    EXPECT_EQ(std::filesystem::file_size(far.knownHostsPath()), 0u);
}

TEST_F(OneRelay, EachNeighbourReportsItsOwnReason)
{
    std::filesystem::resize_file(far.authorizedKeysPath(), 0);
    EXPECT_THAT(reasonOf("far", NodeState::refused), HasSubstr("far refused the login from the relay head"));
    near.stop();
    EXPECT_THAT(reasonOf("near", NodeState::lost),
                AllOf(HasSubstr("The relay head did not reach near"), HasSubstr("Connection refused")));
    EXPECT_THAT(reasonOf("nowhere.invalid", NodeState::lost), HasSubstr("nowhere.invalid"));
    near.start();
    EXPECT_TRUE(followers[1]->becomes(NodeState::live)) << followers[1]->node->status().reason;
    EXPECT_EQ(head.logins(), 1);
}

TEST_F(OneRelay, ReportsAnUnreachableRelayByName)
{
    head.stop();
    EXPECT_THAT(reasonOf("near", NodeState::lost), HasSubstr("At the relay head:"));
}

TEST_F(RelayOverSsh, ReportsARelayWithoutSsh)
{
    SshdOptions options;
    options.alias = "head";
    options.environment = {"PATH=/nonexistent"};
    const Sshd head(options);
    Follower &follower = follow("near", "head", head.sshConfigPath());
    EXPECT_TRUE(follower.becomes(NodeState::unsupported));
    EXPECT_THAT(follower.node->status().reason, HasSubstr("There is no ssh on the relay head"));
}

TEST(RelayProgram, SilentRelayCountsAsGone)
{
    auto outer = ChildProcessTransport::start({"/bin/sh", "-c", *probeCommand({})});
    ASSERT_TRUE(outer.has_value());
    RelayTiming timing{std::chrono::milliseconds(100), std::chrono::milliseconds(1000), std::chrono::seconds(60)};
    const auto relay =
        Relay::start("here", std::move(*outer), "text", Phase::lasting(std::chrono::seconds(60), {}), timing);
    ASSERT_TRUE(relay.has_value()) << relay.error().message;
    const auto shell = (*relay)->run({"sh", "-c", "echo $PPID; exec cat"});
    ASSERT_TRUE(shell.has_value());
    const int pid = std::stoi(readUntil(**shell, "\n"));
    ::kill(pid, SIGSTOP);
    const WholeOutput all = readToEnd(**shell);
    EXPECT_THAT(all.end.message, HasSubstr("The relay here is gone: no contact for 1"));
    EXPECT_FALSE((*relay)->isAlive());
    EXPECT_THAT(failureOf((*relay)->run({"cat"})), HasSubstr("The relay here is gone"));
    ::kill(pid, SIGCONT);
}

TEST(RelayProgram, EndsWithItsConsoleAndClosesItsSessions)
{
    auto outer = ChildProcessTransport::start({"/bin/sh", "-c", *probeCommand({})});
    ASSERT_TRUE(outer.has_value());
    auto relay = Relay::start("here", std::move(*outer), {}, Phase::lasting(std::chrono::seconds(60), {}));
    ASSERT_TRUE(relay.has_value()) << relay.error().message;
    auto shell = (*relay)->run({"sh", "-c", "echo $$; exec sleep 1000"});
    ASSERT_TRUE(shell.has_value());
    const int pid = std::stoi(readUntil(**shell, "\n"));
    std::shared_ptr<Relay> last = *relay;
    relay = Result<std::shared_ptr<Relay>>(std::shared_ptr<Relay>());
    shell = Result<std::unique_ptr<Transport>>(std::unique_ptr<Transport>());
    last.reset();
    EXPECT_TRUE(eventually([&] { return ::kill(pid, 0) != 0; }));
}

TEST(RelayProgram, ReportsExitAndLastErrors)
{
    auto outer = ChildProcessTransport::start({"/bin/sh", "-c", *probeCommand({})});
    ASSERT_TRUE(outer.has_value());
    const auto relay = Relay::start("here", std::move(*outer), {}, Phase::lasting(std::chrono::seconds(60), {}));
    ASSERT_TRUE(relay.has_value()) << relay.error().message;
    const auto ended = (*relay)->run({"sh", "-c", "seq 300000; echo problem >&2; exit 3"});
    ASSERT_TRUE(ended.has_value());
    const WholeOutput all = readToEnd(**ended);
    EXPECT_EQ(all.text.size(), 1988895u);
    EXPECT_THAT(all.end.message, HasSubstr("exit code 3"));
    EXPECT_EQ((*ended)->errorOutput(), "problem\n");
}

}  // namespace
}  // namespace rankdeck::relay_test
