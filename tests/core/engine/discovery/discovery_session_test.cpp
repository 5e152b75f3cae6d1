// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that are searched together, through real sshd and real processes. The job on the hosts that answer appears,
// whatever the other hosts do. Watching it needs no second login.
#include "core/engine/discovery/discovery_session.h"

#include "core/engine.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/process_count.h"
#include "tests/testbed/sshd.h"
#include "tests/testbed/tcp_proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

namespace rankdeck::discovery_session_test {
namespace {

using ::testing::HasSubstr;

class Discovering : public testing::Test {
protected:
    DiscoverySession &session(const std::string &sshConfig = {})
    {
        DiscoverySetup setup;
        setup.connect.sshConfig = sshConfig;
        m_session = std::make_unique<DiscoverySession>(std::move(setup), [] {});
        return *m_session;
    }
    // Other jobs may run on this machine, so the test's job is recognised by its directory.
    static std::optional<JobScan> jobIn(const DiscoveryPicture &picture, const EngineHost &host)
    {
        for (const JobScan &job : picture.jobs)
            if (job.found.job.launch.workdir == host.file("job")) return job;
        return {};
    }
    static std::optional<HostScan> hostIn(const DiscoveryPicture &picture, const std::string &host)
    {
        for (const HostScan &one : picture.hosts)
            if (one.host == host) return one;
        return {};
    }
    std::optional<JobScan> waitForJob(const EngineHost &host, const std::function<bool(const JobScan &)> &is)
    {
        std::optional<JobScan> found;
        const bool there = eventually(
            [&] {
                found = jobIn(*m_session->picture(), host);
                return found && is(*found);
            },
            std::chrono::seconds(60));
        if (there) return found;
        const auto picture = m_session->picture();
        for (const HostScan &one : picture->hosts)
            ADD_FAILURE() << one.host << " is " << nodeStateName(one.node.state) << ": " << one.node.reason
                          << one.problem << ", " << one.ranks << " ranks";
        for (const JobScan &one : picture->jobs)
            ADD_FAILURE() << one.found.job.name << " in " << one.found.job.launch.workdir << ", "
                          << one.found.ranks.size() << " ranks, looked " << one.looked;
        return std::nullopt;
    }
    [[nodiscard]] std::vector<EndedJobScan> endedIn(const EngineHost &host) const
    {
        std::vector<EndedJobScan> found;
        const auto picture = m_session->picture();
        for (const EndedJobScan &ended : picture->ended)
            if (ended.job.launch.workdir == host.file("job")) found.push_back(ended);
        return found;
    }
    bool waitForHost(const std::string &name, const std::function<bool(const HostScan &)> &is)
    {
        return eventually(
            [&] {
                const auto look = hostIn(*m_session->picture(), name);
                return look && is(*look);
            },
            std::chrono::seconds(60));
    }
    static bool judged(const JobScan &job) { return job.checkpoints && job.checkpoints->judged; }

    std::unique_ptr<DiscoverySession> m_session;
};

TEST_F(Discovering, FindsLogsNewestValidSetAndGracefulExitOfAJob)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    host.waitStep(12);  // a set is saved at step 10
    session().add("local");
    const auto job = waitForJob(host, judged);
    ASSERT_TRUE(job.has_value());
    EXPECT_EQ(job->found.job.worldSize, 2);
    EXPECT_TRUE(job->looked);
    ASSERT_TRUE(job->logs.has_value());
    EXPECT_EQ(job->logs->asked, 2u);
    EXPECT_EQ(job->logs->readable, 2u);
    EXPECT_EQ(job->logs->withLoss, 2u);
    EXPECT_TRUE(job->logs->newest.has_value());
    ASSERT_NE(job->checkpoints->report.newestValid(), nullptr);
    EXPECT_EQ(job->found.stopSwitch.variable, "MS_ENABLE_GRACEFUL_EXIT");
    EXPECT_EQ(job->found.stopSwitch.on, 2u);
    EXPECT_EQ(job->found.stopSwitch.off, 0u);
    EXPECT_EQ(job->found.job.gracefulExit.config, host.file("job/graceful.json"));
    EXPECT_TRUE(waitForHost("local", [](const HostScan &look) { return look.reachedAs == "this machine"; }));
}

TEST_F(Discovering, ChecksTheJobFileOnItsNodesWhileItIsEdited)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    host.waitStep(12);
    DiscoverySession &looking = session();
    looking.add("local");
    Job job = host.job;
    job.nodes.push_back({.name = "elsewhere", .host = "not-ticked", .ranks = {2}});
    job.worldSize = 3;
    looking.check(7, job);
    const auto found = [&looking](JobCheck::What what) {
        JobCheck none;
        const auto picture = looking.picture();
        if (!picture->check || picture->check->id != 7) return none;
        for (const JobCheck &check : picture->check->checks)
            if (check.what == what) return check;
        return none;
    };
    using What = JobCheck::What;
    ASSERT_TRUE(eventually([&] { return found(What::nodes).good == 1; }, std::chrono::seconds(60)));
    EXPECT_EQ(found(What::nodes).named, 2u);
    EXPECT_EQ(found(What::nodes).bad, 0u) << "who is not asked is not known";
    EXPECT_THAT(found(What::nodes).problem, HasSubstr("elsewhere"));
    EXPECT_EQ(found(What::logs).named, 3u);
    EXPECT_EQ(found(What::logs).good, 2u);
    EXPECT_EQ(found(What::logs).more, 2u);
    EXPECT_EQ(found(What::checkpoints).good, 2u);
    EXPECT_EQ(found(What::checkpoints).bad, 0u);
    EXPECT_GE(found(What::checkpoints).more, 2u);
    EXPECT_EQ(found(What::config).good, 1u);
    EXPECT_EQ(found(What::config).more, 1u) << "writable";
    EXPECT_EQ(found(What::workdir).good, 1u);
    EXPECT_EQ(found(What::command).good, 1u) << found(What::command).problem;
    // Problems are reported for the text of the latest request.
    job.logs.path = "/nowhere/worker_{rank}.log";
    job.checkpoints.path = "/nowhere/rank_{rank}";
    job.launch.command = {"/nowhere/python", "train.py"};
    looking.check(8, job);
    const auto wrong = [&] {
        const auto picture = looking.picture();
        return picture->check && picture->check->id == 8 ? picture->check->checks : std::vector<JobCheck>();
    };
    ASSERT_TRUE(eventually([&] { return !wrong().empty(); }, std::chrono::seconds(60)));
    const std::vector<JobCheck> checks = wrong();
    const auto of = [&checks](JobCheck::What what) {
        const auto one =
            std::find_if(checks.begin(), checks.end(), [&](const auto &check) { return check.what == what; });
        return one == checks.end() ? JobCheck{} : *one;
    };
    EXPECT_EQ(of(What::logs).named, 3u);
    EXPECT_EQ(of(What::logs).good, 0u);
    EXPECT_EQ(of(What::checkpoints).bad, 2u);
    EXPECT_EQ(of(What::command).bad, 1u);
    EXPECT_THAT(of(What::command).problem, HasSubstr("/nowhere/python"));
    // A script that could not be checked is neither there nor missing.
    std::filesystem::create_symlink("loop.py", host.file("job/loop.py"));
    job.launch.command = {"python3", host.file("job/loop.py")};
    looking.check(9, job);
    const auto picture = [&] { return looking.picture(); };
    ASSERT_TRUE(
        eventually([&] { return picture()->check && picture()->check->id == 9 && !picture()->check->checks.empty(); },
                   std::chrono::seconds(60)));
    const JobCheck unknown = picture()->check->checks.back();
    EXPECT_EQ(unknown.what, What::command);
    EXPECT_EQ(unknown.good, 0u);
    EXPECT_EQ(unknown.bad, 0u);
    EXPECT_THAT(unknown.problem, HasSubstr("loop.py"));
    looking.checkNothing();
    EXPECT_TRUE(eventually([&] { return !looking.picture()->check; }, std::chrono::seconds(60)));
}

TEST_F(Discovering, UnreachableSlowOrUnusualHostsDoNotDelayOthers)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const Sshd good({.alias = "good"});
    const Sshd slow({.alias = "slow"});
    TcpProxy hole(slow.port());
    hole.blackHole();
    Sshd down({.alias = "down"});
    Sshd strange({.alias = "strange"});
    down.stop();
    strange.replaceHostKey();
    const TempDir directory;
    const std::string config = directory.write("ssh_config", good.configBlock() + slow.configBlock(hole.port()) +
                                                                 down.configBlock() + strange.configBlock());
    DiscoverySession &looking = session(config);
    for (const char *name : {"slow", "down", "strange", "-oProxyCommand=evil", "good"}) looking.add(name);
    const auto job = waitForJob(host, [](const JobScan &look) { return look.looked; });
    ASSERT_TRUE(job.has_value());
    EXPECT_EQ(job->found.job.nodes.front().host, "good");
    EXPECT_EQ(job->found.job.sshConfig, config) << "who opens its file must find the host";
    EXPECT_TRUE(waitForHost("strange", [](const HostScan &look) {
        return look.node.state == NodeState::refused && look.node.reason.find("SHA256:") != std::string::npos;
    }));
    EXPECT_TRUE(waitForHost(
        "down", [](const HostScan &look) { return look.node.state == NodeState::lost && !look.node.reason.empty(); }));
    EXPECT_TRUE(
        waitForHost("-oProxyCommand=evil", [](const HostScan &look) { return look.node.state == NodeState::refused; }));
    EXPECT_FALSE(hostIn(*looking.picture(), "slow")->scanned);
    EXPECT_TRUE(waitForHost(
        "good", [](const HostScan &look) { return look.reachedAs.find("@127.0.0.1:") != std::string::npos; }));
}

TEST_F(Discovering, FiveHangingHostsOfSixtyDoNotDelayOthers)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const Sshd good({.alias = "good-*"});
    const Sshd slow({.alias = "slow-*"});
    TcpProxy hole(slow.port());
    hole.blackHole();
    const TempDir directory;
    DiscoverySession &looking =
        session(directory.write("ssh_config", good.configBlock() + slow.configBlock(hole.port())));
    for (int number = 0; number < 60; ++number)  // every twelfth hangs
        looking.add((number % 12 == 0 ? "slow-" : "good-") + std::to_string(number));
    EXPECT_TRUE(waitForJob(host, judged).has_value());
    const auto seen = [&] {
        const auto picture = looking.picture();
        return std::count_if(picture->hosts.begin(), picture->hosts.end(),
                             [](const HostScan &look) { return look.scanned; });
    };
    EXPECT_TRUE(eventually([&] { return seen() == 55; }, std::chrono::seconds(60)));
    EXPECT_EQ(looking.picture()->hosts.size(), 60u);
    const auto picture = looking.picture();
    for (const HostScan &look : picture->hosts)
        EXPECT_EQ(look.scanned, look.host.starts_with("good-")) << look.host << ": " << look.node.reason;
}

TEST_F(Discovering, EngineTakesOverTheConnections)
{
    EngineHost host({{0, 1}, {2, 3}}, "msrun");
    host.startFirst();
    const Sshd one({.alias = "n0"}), two({.alias = "n1"});
    const TempDir directory;
    DiscoverySession &looking = session(writeSshConfigOf({&one, &two}, directory.path()));
    looking.add("n0");
    looking.add("n1");
    // Both aliases are this machine, so the first one that answers shows all four ranks.
    const auto job = waitForJob(host, [](const JobScan &look) {
        return look.looked && look.found.ranks.size() == 4 && look.found.job.nodes.size() == 2;
    });
    ASSERT_TRUE(job.has_value());
    ASSERT_EQ(one.logins(), 1);
    ASSERT_EQ(two.logins(), 1);
    EngineOptions options;
    options.stateDirectory = directory.file("state");
    options.connected = looking.nodesFor(job->found.job);
    options.sessions = looking.sessions();
    ASSERT_EQ(options.connected.size(), 2u);
    auto engine = Engine::make(job->found.job, std::move(options));
    ASSERT_TRUE(engine.has_value());
    (*engine)->start();
    EXPECT_EQ((*engine)->snapshot()->view.nodes.size(), 2u);
    m_session.reset();  // as when the start page of the window is closed
    ASSERT_TRUE((*engine)->waitSettled(60));
    const auto seen = (*engine)->snapshot();
    for (const NodeStatus &node : seen->view.nodes) EXPECT_EQ(node.state, NodeState::live) << node.reason;
    EXPECT_EQ(seen->view.nodes[0].name, job->found.job.nodes[0].name);
    EXPECT_GT(seen->samples, 0u);
    EXPECT_EQ(one.logins(), 1);
    EXPECT_EQ(two.logins(), 1);
    (*engine)->stop();
    EXPECT_TRUE(eventually([&] { return one.processes().empty() && two.processes().empty(); }));
}

TEST_F(Discovering, RemovedHostIsDisconnectedAndItsJobDisappears)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const Sshd good({.alias = "good"});
    DiscoverySession &looking = session(good.sshConfigPath());
    looking.add("good");
    ASSERT_TRUE(waitForJob(host, judged).has_value());
    looking.remove("good");
    EXPECT_TRUE(eventually([&] { return looking.picture()->hosts.empty() && looking.picture()->jobs.empty(); }));
    EXPECT_TRUE(eventually([&] { return good.processes().empty(); }, std::chrono::seconds(60)));
}

TEST_F(Discovering, SeparatesTwoJobsWithOneName)
{
    EngineHost one({{0}}, "command"), two({{0}}, "command");
    one.startFirst();
    two.startFirst();
    session().add("local");
    const auto first = waitForJob(one, [](const JobScan &) { return true; });
    const auto second = waitForJob(two, [](const JobScan &) { return true; });
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->id, second->id);
    EXPECT_NE(first->found.job.name, second->found.job.name);
    for (const auto &job : {first, second})
        EXPECT_EQ(job->found.job.name.substr(0, 9), "fake_rank") << "the name is there before the files were looked at";
}

TEST_F(Discovering, ReportsMissingRanksAsRunningElsewhere)
{
    EngineHost host({{0, 1, 2, 3}}, "command");
    host.startFirst();
    const std::vector<int> pids = host.rankPids();
    ASSERT_EQ(pids.size(), 4u);
    for (const int rank : {2, 3}) ::kill(pids[static_cast<std::size_t>(rank)], SIGKILL);
    ASSERT_TRUE(host.waitFor([&] { return host.rankPids()[2] < 0 && host.rankPids()[3] < 0; }));
    session().add("local");
    const auto job = waitForJob(host, [](const JobScan &look) { return look.checkpoints.has_value(); });
    ASSERT_TRUE(job.has_value());
    EXPECT_EQ(job->found.ranks.size(), 2u);
    EXPECT_EQ(job->found.job.worldSize, 4);
    ASSERT_FALSE(job->found.notes.empty());
    EXPECT_EQ(job->found.notes.front().code, DiscoveryCode("ranks_elsewhere"));
    EXPECT_THAT(job->found.notes.front().text, HasSubstr("ranks 2, 3"));
    // The ranks on the scanned hosts can be watched.
    const TempDir state;
    EngineOptions options;
    options.stateDirectory = state.path();
    options.connected = m_session->nodesFor(job->found.job);
    auto engine = Engine::make(job->found.job, std::move(options));
    ASSERT_TRUE(engine.has_value());
    (*engine)->start();
    EXPECT_TRUE((*engine)->waitSettled(60));
    EXPECT_GT((*engine)->snapshot()->samples, 0u);
}

// Jobs of earlier searches: one that ended during the search, and one that another console saw on another day.
TEST_F(Discovering, SearchesTheDisksOfAnEndedJob)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    host.waitStep(12);  // a set is saved at step 10
    session().add("local");
    const auto running = waitForJob(host, judged);
    ASSERT_TRUE(running.has_value());
    Job elsewhere = running->found.job;
    elsewhere.nodes[0].host = "never-looked-at";
    m_session->setPast({running->found.job, elsewhere});
    EXPECT_TRUE(endedIn(host).empty()) << "it runs";
    host.endAll();
    const auto looked = [&] {
        const auto ended = endedIn(host);
        return ended.size() == 1 && ended.front().looked;
    };
    const auto expectWhole = [&] {
        const auto ended = endedIn(host);
        ASSERT_EQ(ended.size(), 1u) << "of a host that nobody looks at nothing is said";
        EXPECT_EQ(ended.front().logs.readable, 2u);
        EXPECT_GT(ended.front().logs.writtenNs, 0);
        EXPECT_TRUE(ended.front().logs.newest.has_value());
        EXPECT_NE(ended.front().checkpoints.report.newestValid(), nullptr);
    };
    ASSERT_TRUE(eventually(looked, std::chrono::seconds(60)));
    expectWhole();
    session().setPast({running->found.job});
    m_session->add("local");
    ASSERT_TRUE(eventually(looked, std::chrono::seconds(60)));
    expectWhole();
}

}  // namespace
}  // namespace rankdeck::discovery_session_test
