// SPDX-License-Identifier: GPL-3.0-or-later
// A node that does not answer takes no time from the other nodes: all are asked in parallel, and the answers that
// arrive are used.
#include "core/node/node.h"
#include "core/recover/forwarding_context.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::slow_node_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::SizeIs;

// The client of a node that never answers requests for its processes.
class Silent final : public NodeClient {
public:
    void set(NodeClient *real) { m_real = real; }
    [[nodiscard]] NodeStatus status() const override { return m_real->status(); }
    Reply<FileContent> readFile(std::string path, std::uint32_t most) override { return m_real->readFile(path, most); }
    Reply<ReplaceReply> replaceFile(ReplaceRequest request) override { return m_real->replaceFile(request); }
    Reply<Listing> list(ListRequest request) override { return m_real->list(request); }
    Reply<std::vector<RangeReply>> read(std::vector<RangeRequest> ranges) override { return m_real->read(ranges); }
    Reply<std::vector<ScanReply>> scanRecords(std::vector<ScanRequest> files) override
    {
        return m_real->scanRecords(files);
    }
    Reply<std::vector<DiskSpace>> diskSpace(std::vector<std::string> places) override
    {
        return m_real->diskSpace(places);
    }
    Reply<Done> applyFileStep(FileActionRequest request) override { return m_real->applyFileStep(request); }
    Reply<Done> append(AppendRequest request) override { return m_real->append(request); }
    Reply<HashReply> hash(HashRequest request) override { return m_real->hash(request); }
    Reply<std::vector<ProcessInfo>> processes(std::vector<std::string>) override { return never(m_processes); }
    Reply<ProcessList> findProcesses(ProcessQuery) override { return never(m_found); }
    Reply<SignalReply> signal(SignalRequest request) override { return m_real->signal(request); }
    Reply<LaunchReply> launch(LaunchRequest request) override { return m_real->launch(request); }
    Reply<LaunchReply> launchStatus(std::string id, std::string directory) override
    {
        return m_real->launchStatus(id, directory);
    }
    Reply<LaunchReply> callOffLaunch(std::string id, std::string directory) override
    {
        return m_real->callOffLaunch(id, directory);
    }
    Reply<JobHolder> jobHolder(JobClaim job, std::string directory) override
    {
        return m_real->jobHolder(job, directory);
    }
    Reply<Done> reserveJob(JobClaim job, std::string directory) override { return m_real->reserveJob(job, directory); }
    Reply<Done> releaseJob(JobClaim job, std::string directory) override { return m_real->releaseJob(job, directory); }
    Reply<LogoutRule> logoutRule() override { return m_real->logoutRule(); }

private:
    template <class T>
    static Reply<T> never(std::vector<std::promise<Result<T>>> &kept)
    {
        return kept.emplace_back().get_future();
    }
    NodeClient *m_real = nullptr;
    std::vector<std::promise<Result<std::vector<ProcessInfo>>>> m_processes;
    std::vector<std::promise<Result<ProcessList>>> m_found;
};

class SilentFirst final : public ForwardingContext {
public:
    using ForwardingContext::ForwardingContext;
    NodeClient *node(const std::string &name) override
    {
        NodeClient *real = m_host.node(name);
        if (name != "n0" || !real) return real;
        m_silent.set(real);
        return &m_silent;
    }

private:
    Silent m_silent;
};

SteadyTime soon() { return std::chrono::steady_clock::now() + std::chrono::seconds(1); }

// Regression: all requests of a resume shared one time limit, so after one unanswered request no node had time left.
TEST(OneSlowNode, LeavesTheOtherNodesTimeToAnswer)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    SilentFirst slow(host);
    const ResumeFacts facts = readResumeFacts(slow, host.view(), {}, "resume-7", soon());
    EXPECT_TRUE(facts.processes.nodes.at("n0").problem.has_value());
    EXPECT_FALSE(facts.processes.nodes.at("n1").problem.has_value());
    ASSERT_THAT(facts.running.claims, SizeIs(2));
    for (const ClaimFact &claim : facts.running.claims) EXPECT_TRUE(claim.held.isNo()) << claim.node << claim.problem;
    for (const SavePlace &place : facts.places.places) EXPECT_TRUE(place.known) << place.node << place.path;
    EXPECT_THAT(facts.places.members, SizeIs(2));
    EXPECT_THAT(facts.programs.scriptTexts, ElementsAre(Key("n0"), Key("n1")));
    EXPECT_THAT(facts.survivors.unasked, ElementsAre(Key("n0")));
    std::vector<std::string> refused;
    for (const Finding &finding : resumeFindings(facts))
        if (finding.result == Finding::Result::refuse) {
            EXPECT_EQ(finding.node, "n0") << finding.text;
            refused.push_back(finding.text);
        }
    EXPECT_THAT(refused, ElementsAre(AllOf(HasSubstr("cannot tell whether the old attempt is still running on node n0"),
                                           HasSubstr("did not answer in time"))));
}

// Regression: nodes were asked one after another, and those after the slow one had no time left. A request without an
// answer was dropped.
TEST(OneSlowNode, IsTheOnlyNodeWithUnknownLeftovers)
{
    EngineHost host({{0}, {1}}, "command");
    host.catchUp();
    SilentFirst slow(host);
    EXPECT_THAT(readLeftovers(slow, host.view(), {}, {}, soon()).unasked, ElementsAre(Key("n0")));
}

}  // namespace
}  // namespace rankdeck::slow_node_test
