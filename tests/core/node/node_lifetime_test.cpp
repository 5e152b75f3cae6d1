// SPDX-License-Identifier: GPL-3.0-or-later
// Connections that end, hang, ask questions, or never succeed.
#include "tests/core/node/node_fixture.h"
#include "tests/testbed/process_count.h"

#include "core/node/protocol/probe_source.h"

#include <csignal>
#include <random>
#include <sys/stat.h>

namespace rankdeck::node_lifetime_test {
namespace {

using namespace std::chrono_literals;

// Passes all bytes on until the test cuts the link (an error) or turns it into a black hole (silence).
struct Fault {
    std::atomic<long long> bytesLeft{-1};  // bytes until the cut; negative: no cut
    std::atomic<bool> blackHole{false};
};

class FaultyTransport final : public Transport {
public:
    FaultyTransport(std::unique_ptr<Transport> inner, std::shared_ptr<Fault> fault)
        : m_inner(std::move(inner)), m_fault(std::move(fault)), m_left(m_fault->bytesLeft)
    {}
    Result<std::size_t> read(std::string &into) override
    {
        std::string bytes;
        auto got = m_inner->read(bytes);
        if (!got || m_fault->blackHole) return m_fault->blackHole ? Result<std::size_t>(std::size_t{0}) : got;
        if (m_left >= 0) {
            if (m_left == 0) return fail(ErrorKind::unreachable, "Cut by the test.");
            bytes.resize(std::min<std::size_t>(bytes.size(), static_cast<std::size_t>(m_left)));
            m_left -= static_cast<long long>(bytes.size());
        }
        into += bytes;
        return bytes.size();
    }
    Result<std::size_t> write(std::string_view bytes) override
    {
        if (m_fault->blackHole) return bytes.size();
        return m_inner->write(bytes);
    }
    void wait(bool wantWrite, std::chrono::milliseconds atMost) override
    {
        m_inner->wait(wantWrite, m_left == 0 ? 0ms : atMost);
    }
    void wake() override { m_inner->wake(); }
    [[nodiscard]] std::string errorOutput() const override { return m_inner->errorOutput(); }

private:
    std::unique_ptr<Transport> m_inner;
    std::shared_ptr<Fault> m_fault;
    long long m_left;
};

class NodeLifetime : public NodeFixture {
protected:
    std::shared_ptr<Fault> fault = std::make_shared<Fault>();
    LocalSessions::Wrap faulty()
    {
        return [fault = fault](std::unique_ptr<Transport> inner) {
            return std::make_unique<FaultyTransport>(std::move(inner), fault);
        };
    }
    bool reaches(NodeState state)
    {
        return recorder.waitFor([&] { return recorder.last.state == state; });
    }
    void open(std::shared_ptr<SessionFactory> factory, ConnectOptions options = {}, NodeSpec spec = {"n0", "local"},
              LinkTiming timing = {})
    {
        node = std::make_unique<Node>(std::move(spec), std::move(options), std::move(factory), recorder);
        node->start(timing);
    }
    int pidOfProbe()
    {
        auto all = node->processes({}).get();
        for (const ProcessInfo &process : *all)
            if (process.parent == ::getpid() && process.comm.rfind("python", 0) == 0) return process.id.pid;
        return 0;
    }
};

// A log that grows and is rotated while the link is cut at random points: the received bytes equal the file.
TEST_F(NodeLifetime, InterruptedConnectionsLoseAndDuplicateNoBytes)
{
    std::mt19937 random(20261121), cuts(20261122);  // cuts: used by the node's thread
    auto impatient = [&](std::unique_ptr<Transport> inner) -> std::unique_ptr<Transport> {
        fault->bytesLeft = 1 + static_cast<long long>(cuts() % 80000);
        return std::make_unique<FaultyTransport>(std::move(inner), fault);
    };
    std::string expected;
    const auto grow = [&](int lines) {
        std::string text;
        for (int line = 0; line < lines; ++line)
            text += "epoch: 1 step: " + std::to_string(expected.size() + text.size()) + ", loss is " +
                    std::string(random() % 300, '7') + "\n";
        expected += text;
        append(path("log"), text);
    };
    grow(500);
    auto factory = std::make_shared<LocalSessions>(impatient);
    open(factory);
    node->watch({{{1, path("log"), {}, 1u << 30, TailPace::onScreen}}, {}, false, {}});
    const auto arrived = [&] {
        for (int attempt = 0; attempt < 600; ++attempt) {
            node->retryNow();
            if (recorder.waitFor([&] { return recorder.text[1].size() >= expected.size(); }, 0s)) break;
            std::this_thread::sleep_for(50ms);
        }
        return recorder.with([&] { return recorder.text[1] == expected; });
    };
    for (int round = 0; round < 4; ++round) {
        grow(700);
        if (round % 2 == 0) { ASSERT_TRUE(arrived()) << "round " << round; }
        std::filesystem::rename(path("log"), path("log." + std::to_string(round)));
        grow(100);
        ASSERT_TRUE(arrived()) << "rotation " << round << ": " << recorder.text[1].size() << " of " << expected.size();
    }
    EXPECT_GT(factory->opened, 5);
}

TEST_F(NodeLifetime, SilentNodeBecomesStaleThenLostAndIsRetried)
{
    open(std::make_shared<LocalSessions>(faulty()), {}, {"n0", "local"}, {100ms, 300ms, 900ms, 10s, 10s});
    ASSERT_TRUE(reaches(NodeState::live));
    fault->blackHole = true;
    auto waiting = node->list({folder});
    ASSERT_TRUE(reaches(NodeState::stale));
    EXPECT_EQ(node->readFile(folder, 1).get().error().kind, ErrorKind::unreachable);
    ASSERT_TRUE(reaches(NodeState::lost));
    const auto answer = waiting.get();
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().kind, ErrorKind::unreachable);
    fault->blackHole = false;
    node->retryNow();
    EXPECT_TRUE(reaches(NodeState::live));
}

TEST_F(NodeLifetime, ReconnectsAutomaticallyAfterAKilledProbe)
{
    connect();
    const int pid = pidOfProbe();
    auto waiting = node->launch({"w", path("run"), {"sleep", "0"}});
    ASSERT_TRUE(waiting.get().has_value());
    // The probe is not in the list because it belongs to Rankdeck, so it is found as a child of this process.
    EXPECT_EQ(pid, 0) << "the probe itself is no process to report";
    for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const std::string stat = contents("/proc/" + name + "/stat");
        const std::size_t at = stat.rfind(')');
        if (at == std::string::npos ||
            contents("/proc/" + name + "/cmdline").find("rankdeck-probe") == std::string::npos)
            continue;
        if (std::atoi(stat.c_str() + at + 4) == ::getpid()) ::kill(std::atoi(name.c_str()), SIGKILL);
    }
    ASSERT_TRUE(recorder.waitFor(
        [&] { return std::count(recorder.states.begin(), recorder.states.end(), NodeState::live) == 2; }));
    EXPECT_EQ(sessions->opened, 2);
}

TEST_F(NodeLifetime, InvalidFrameEndsTheConnection)
{
    ConnectOptions options;
    options.probeSource = "import os\nos.write(1, b'this is no frame at all')\nos.read(0, 1)\n";
    open(std::make_shared<LocalSessions>(), options);
    ASSERT_TRUE(reaches(NodeState::lost));
    EXPECT_NE(node->status().reason.find("not a frame"), std::string::npos) << node->status().reason;
}

TEST_F(NodeLifetime, NodeWithoutPythonIsUnsupportedAndTheReasonSaysWhatToDo)
{
    // No usable python3: none in PATH, and a /usr/bin/python3 that the shell cannot execute.
    class NoPython final : public SessionFactory {
    public:
        Result<std::unique_ptr<Transport>> open(const NodeSpec &, const ConnectOptions &, const std::string &command,
                                                const Questions &) override
        {
            std::string changed = command;
            changed.replace(changed.find("/usr/bin/python3 python3;"), 25, "/usr/bin/pythonX pythonX;");
            return ChildProcessTransport::start({"/bin/sh", "-c", changed});
        }
    };
    open(std::make_shared<NoPython>());
    ASSERT_TRUE(reaches(NodeState::unsupported));
    EXPECT_NE(node->status().reason.find("3.6"), std::string::npos);
    EXPECT_NE(node->status().reason.find("Install"), std::string::npos);
}

// The output of its one rank is followed; the node itself stays unsupported.
class Podlike final : public SessionFactory {
public:
    explicit Podlike(std::string output) : m_output(std::move(output)) {}
    Result<std::unique_ptr<Transport>> open(const NodeSpec &, const ConnectOptions &, const std::string &,
                                            const Questions &) override
    {
        return ChildProcessTransport::start({"/bin/sh", "-c", "echo rankdeck: no python3 that is new enough >&2"});
    }
    Result<std::unique_ptr<Transport>> openOutput(const NodeSpec &, const ConnectOptions &, const Questions &) override
    {
        ++asked;
        return ChildProcessTransport::start({"/bin/sh", "-c", m_output});
    }
    std::atomic<int> asked{0};

private:
    const std::string m_output;
};

TEST_F(NodeLifetime, FollowsTheOutputOfAPodWithoutPython)
{
    const auto pod = std::make_shared<Podlike>("echo rankdeck-output a 1 2; echo one; while [ ! -e " + path("go") +
                                               " ]; do sleep 0.1; done; echo two; cat");
    node = std::make_unique<Node>(NodeSpec{.name = "p0", .host = "k8s:ns/p0", .ranks = {7}}, ConnectOptions{}, pod,
                                  recorder);
    node->watch({.tails = {{.id = 10'000'000, .path = "/other"}, {.id = 7, .path = "/job/log"}}});
    node->start();
    ASSERT_TRUE(recorder.waitFor([&] { return recorder.last.state == NodeState::unsupported; }));
    EXPECT_EQ(recorder.with([&] { return recorder.text[7]; }), "one\n") << "who looks once has what was there";
    EXPECT_NE(node->status().reason.find("follows only its output"), std::string::npos) << node->status().reason;
    EXPECT_EQ(node->readFile("/x", 1).get().error().kind, ErrorKind::unreachable);
    write(path("go"), "");
    ASSERT_TRUE(recorder.waitFor([&] { return recorder.text[7] == "one\ntwo\n"; }));
    EXPECT_EQ(recorder.text.count(10'000'000), 0U);
}

TEST_F(NodeLifetime, EndOfThePodOutputEndsTheConnection)
{
    const auto pod = std::make_shared<Podlike>("echo rankdeck-output a 1 2; echo one");
    node = std::make_unique<Node>(NodeSpec{.name = "p0", .host = "k8s:ns/p0", .ranks = {7}}, ConnectOptions{}, pod,
                                  recorder);
    node->watch({.tails = {{.id = 7, .path = "/job/log"}}});
    node->start();
    ASSERT_TRUE(recorder.waitFor([&] {
        return std::count(recorder.states.begin(), recorder.states.end(), NodeState::lost) == 2;
    })) << "it is tried again";
    EXPECT_EQ(recorder.with([&] { return recorder.text[7]; }), "one\n") << "and no line comes twice";
}

TEST_F(NodeLifetime, RefusesPodOutputOfSeveralRanks)
{
    const auto pod = std::make_shared<Podlike>("echo rankdeck-output a 1 2; echo one; cat");
    node = std::make_unique<Node>(NodeSpec{.name = "p0", .host = "k8s:ns/p0", .ranks = {6, 7}}, ConnectOptions{}, pod,
                                  recorder);
    node->watch({.tails = {{.id = 6, .path = "/job/log"}, {.id = 7, .path = "/job/log7"}}});
    node->start();
    ASSERT_TRUE(recorder.waitFor([&] { return recorder.last.state == NodeState::unsupported; }));
    EXPECT_NE(node->status().reason.find("the lines of its 2 ranks"), std::string::npos) << node->status().reason;
    EXPECT_EQ(pod->asked, 0);
}

TEST_F(NodeLifetime, ReportsTheVersionOfAnOldPython)
{
    write(path("python3.4"), "#!/bin/sh\n[ \"$1\" = -V ] && echo Python 3.4.10 && exit 0\nexit 1\n");
    ::chmod(path("python3.4").c_str(), 0755);
    class OnlyOld final : public SessionFactory {
    public:
        Result<std::unique_ptr<Transport>> open(const NodeSpec &, const ConnectOptions &, const std::string &command,
                                                const Questions &) override
        {
            std::string changed = command;
            changed.erase(changed.find("/usr/bin/python3 python3"), 24);
            return ChildProcessTransport::start({"/bin/sh", "-c", changed});
        }
    };
    NodeSpec spec{"n0", "local"};
    spec.python = path("python3.4");
    open(std::make_shared<OnlyOld>(), {}, spec);
    ASSERT_TRUE(reaches(NodeState::unsupported));
    EXPECT_NE(node->status().reason.find("Python 3.4.10"), std::string::npos) << node->status().reason;
}

TEST_F(NodeLifetime, OutputOfStartupFilesDoesNoHarm)
{
    class Chatter final : public SessionFactory {
    public:
        Result<std::unique_ptr<Transport>> open(const NodeSpec &, const ConnectOptions &, const std::string &command,
                                                const Questions &) override
        {
            return ChildProcessTransport::start(
                {"/bin/sh", "-c", "echo Welcome; head -c 100000 /dev/zero; echo; sleep 0.2; echo conda; " + command});
        }
    };
    open(std::make_shared<Chatter>());
    ASSERT_TRUE(reaches(NodeState::live));
    EXPECT_TRUE(node->list({folder}).get().has_value());
}

// open() asks a question and then returns an error, as the real factory may.
class Asking final : public SessionFactory {
public:
    Result<std::unique_ptr<Transport>> open(const NodeSpec &, const ConnectOptions &, const std::string &command,
                                            const Questions &questions) override
    {
        ++opened;
        const Answer key = questions.hostKey({"n0", "127.0.0.1", "ssh-ed25519", "SHA256:x", "/known_hosts"});
        if (!key.accept) return fail(ErrorKind::refused, "The host key of n0 is unknown. Run: ssh n0");
        const Answer code = questions.auth({"n0", "", "", {{"Code: ", true}}});
        given = code.answers;
        if (!code.accept) return fail(ErrorKind::refused, "The login was not finished.");
        return ChildProcessTransport::start({"/bin/sh", "-c", command});
    }
    std::atomic<int> opened{0};
    std::vector<std::string> given;
};

TEST_F(NodeLifetime, IsRefusedAndNotRetriedIfNoOperatorCanAnswer)
{
    auto factory = std::make_shared<Asking>();
    open(factory);
    ASSERT_TRUE(reaches(NodeState::refused));
    EXPECT_NE(node->status().reason.find("Run: ssh n0"), std::string::npos);
    std::this_thread::sleep_for(1500ms);  // longer than the first back-off could be
    EXPECT_EQ(factory->opened, 1);
    node->retryNow();
    EXPECT_TRUE(recorder.waitFor([&] { return factory->opened == 2 && recorder.last.state == NodeState::refused; }));
}

TEST_F(NodeLifetime, QuestionsWaitForTheOperator)
{
    ConnectOptions options;
    options.interactive = true;
    auto factory = std::make_shared<Asking>();
    open(factory, options);
    ASSERT_TRUE(recorder.waitFor([&] { return recorder.last.hostKey.has_value(); }));
    EXPECT_EQ(node->status().state, NodeState::needsYou);
    EXPECT_EQ(node->status().hostKey->sha256, "SHA256:x");
    node->answer({true, {}});
    ASSERT_TRUE(recorder.waitFor([&] { return recorder.last.auth.has_value(); }));
    EXPECT_FALSE(node->status().hostKey);
    node->answer({true, {"123456"}});
    ASSERT_TRUE(reaches(NodeState::live));
    EXPECT_EQ(factory->given, std::vector<std::string>{"123456"});
    EXPECT_FALSE(node->status().auth);
}

TEST_F(NodeLifetime, StopDoesNotHangWhileAQuestionIsOpen)
{
    ConnectOptions options;
    options.interactive = true;
    open(std::make_shared<Asking>(), options);
    ASSERT_TRUE(reaches(NodeState::needsYou));
    node.reset();
    EXPECT_EQ(recorder.last.state, NodeState::needsYou) << "no call after the end";
}

TEST_F(NodeLifetime, RetriesAnUnreachableNodeAutomatically)
{
    class Flaky final : public SessionFactory {
    public:
        Result<std::unique_ptr<Transport>> open(const NodeSpec &, const ConnectOptions &, const std::string &command,
                                                const Questions &) override
        {
            if (++opened < 3) return fail(ErrorKind::unreachable, "Connection refused.");
            return ChildProcessTransport::start({"/bin/sh", "-c", command});
        }
        std::atomic<int> opened{0};
    };
    open(std::make_shared<Flaky>());
    EXPECT_TRUE(reaches(NodeState::live));
    EXPECT_TRUE(recorder.with(
        [&] { return std::count(recorder.states.begin(), recorder.states.end(), NodeState::lost) == 2; }));
}

TEST_F(NodeLifetime, AllowsMoreTimeOnTheNextTryAfterASlowStart)
{
    // An overloaded machine is equally slow at each try: with the same limit for all tries it would never be live.
    const std::vector<std::string> slow = {"/bin/sh", "-c", "sleep 1.5; exec \"$@\"", "slow"};
    auto through = std::make_shared<LocalSessions>(LocalSessions::Wrap(), slow);
    LinkTiming timing;
    timing.start = 500ms;
    open(through, {}, {"n0", "local"}, timing);
    EXPECT_TRUE(reaches(NodeState::live)) << node->status().reason;
    EXPECT_GT(through->opened, 1);
}

TEST_F(NodeLifetime, ProbeEndsWhenItsLeaseExpires)
{
    // The link is alive, but no message reaches the probe any more.
    open(std::make_shared<LocalSessions>(faulty()), {}, {"n0", "local"}, {200ms, 60s, 60s, 10s, 1000ms});
    ASSERT_TRUE(reaches(NodeState::live));
    std::this_thread::sleep_for(2s);
    EXPECT_EQ(node->status().state, NodeState::live) << "heartbeats keep the lease";
    fault->blackHole = true;
    auto child = [&] {
        int count = 0;
        for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
            const std::string stat = contents(entry.path().string() + "/stat");
            const std::size_t at = stat.rfind(')');
            if (at != std::string::npos && std::atoi(stat.c_str() + at + 4) == ::getpid() && stat[at + 2] != 'Z')
                ++count;
        }
        return count;
    };
    eventually([&] { return child() == 0; });
    EXPECT_EQ(child(), 0);
}

}  // namespace
}  // namespace rankdeck::node_lifetime_test
