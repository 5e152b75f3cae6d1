// SPDX-License-Identifier: GPL-3.0-or-later
// A running job is discovered, and the resulting job file is sufficient to stop and resume the job without any edit.
#include "core/discover/discover.h"
#include "core/job/job_file.h"
#include "core/node/wait_for.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::discovered_test {
namespace {

using ::testing::HasSubstr;

// Other jobs may run on this machine, so the test's job is recognised by its directory.
std::optional<DiscoveredJob> discovered(EngineHost &host, const std::vector<std::string> &nodes)
{
    std::vector<DiscoverHost> hosts;
    for (const std::string &node : nodes) hosts.push_back({node, host.node(node)});
    for (DiscoveredJob &job : discover(hosts, inSeconds(60)).jobs)
        if (job.job.launch.workdir == host.file("job")) return std::move(job);
    return {};
}

void adopt(EngineHost &host, const Job &found)
{
    const auto read = parseJob(jobToJson(found));
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_TRUE(read->warnings.empty());
    host.job = read->job;
    host.job.name = "fake";
    host.job.stepsPerEpoch = 10;
    host.job.launch.masterPort = 1;          // a job of another test may have msrun's default
    for (NodeSpec &node : host.job.nodes) {  // the hosts that were asked
        node.host = "local";
        node.transport = TransportKind::local;
    }
}

TEST(Discovered, MsrunJobOfTwoNodesIsStoppedAndResumed)
{
    EngineHost host({{0, 1}, {2, 3}}, "msrun");
    host.startFirst();
    const auto found = discovered(host, {"n0", "n1"});
    ASSERT_TRUE(found.has_value());
    const Job &job = found->job;
    EXPECT_EQ(job.worldSize, 4);
    ASSERT_EQ(job.nodes.size(), 2u);
    EXPECT_EQ(job.nodes[0].name, "n0");
    EXPECT_EQ(job.nodes[1].ranks, (std::vector<int>{2, 3}));
    EXPECT_EQ(job.logs.path, host.file("job/log/worker_{rank}.log"));
    EXPECT_EQ(job.checkpoints.path, host.file("job/ckpt/rank_{rank}"));
    EXPECT_EQ(job.checkpoints.prefix, "lenet");
    EXPECT_EQ(job.gracefulExit.config, host.file("job/graceful.json"));
    EXPECT_EQ(job.launch.recipe, "msrun");
    EXPECT_EQ(job.launch.msrun, host.file("job/bin/msrun"));
    EXPECT_EQ(job.launch.masterPort, host.job.launch.masterPort);
    EXPECT_EQ(job.launch.command, host.job.launch.command);
    EXPECT_EQ(job.launch.env.at("FAKE_JOB"), host.file("job"));
    EXPECT_EQ(job.launch.env.at("MS_ENABLE_GRACEFUL_EXIT"), "1");
    for (const DiscoveryNote &note : found->notes) EXPECT_FALSE(note.act) << note.code << ": " << note.text;
    adopt(host, job);
    const ExitReport stopped = runExit(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(stopped.outcome, "stopped") << stopped.text;
    ASSERT_TRUE(host.waitFor([&] { return host.pids().empty(); }));
    const ResumeReport resumed = runResume(host, {.waitSeconds = 90}, {});
    ASSERT_EQ(resumed.outcome, "proven") << resumed.text;
    EXPECT_THAT(host.read("job/log/worker_3.log"), HasSubstr("job/ckpt/rank_3/lenet-"));
    // The command of a resumed run already names the checkpoint.
    host.waitStep(12);
    const auto again = discovered(host, {"n0", "n1"});
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->job.launch.command, job.launch.command);
    EXPECT_EQ(again->job.logs.path, job.logs.path);
}

TEST(Discovered, JobWithOneCommandPerRankIsResumed)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const auto found = discovered(host, {"n0"});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->job.launch.recipe, "command");
    host.endLongAgo();
    adopt(host, found->job);
    const ResumeReport resumed = runResume(host, {.waitSeconds = 60}, {});
    EXPECT_EQ(resumed.outcome, "proven") << resumed.text;
}

TEST(Discovered, JobHasProcessAndLogOfEachRank)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const auto found = discovered(host, {"n0"});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->ranks.size(), 2u);
    for (const DiscoveredRank &rank : found->ranks) {
        EXPECT_EQ(rank.node, "n0");
        EXPECT_GT(rank.pid, 1);
        EXPECT_EQ(rank.log, host.file("job/log/worker_" + std::to_string(rank.rank) + ".log"));
    }
}

}  // namespace
}  // namespace rankdeck::discovered_test
