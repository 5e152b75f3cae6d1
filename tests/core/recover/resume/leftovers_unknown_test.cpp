// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that do not report their processes: such a node may still run ranks.
#include "core/recover/forwarding_context.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::leftovers_unknown_test {
namespace {

std::map<std::string, Finding::Result> unknownOn(const std::vector<Finding> &findings)
{
    std::map<std::string, Finding::Result> nodes;
    for (const Finding &finding : findings)
        if (finding.code == "survivors_unknown") nodes[finding.node] = finding.result;
    return nodes;
}

TEST(LeftoversUnknown, RefuseUnlessTheirOwnFixIsAccepted)
{
    using ::testing::ElementsAre;
    using ::testing::Pair;
    ProcessSnapshot picture;
    picture.nodes["n0"].problem = fail(ErrorKind::timeout, "no answer in time");
    picture.nodes["n1"].problem = fail(ErrorKind::unreachable, "it is away");  // the node has a finding of its own
    LeftoverFacts facts;
    facts.unasked["n2"] = "no answer in time";
    EXPECT_THAT(unknownOn(leftoverFindings(facts, picture, {}, {})),
                ElementsAre(Pair("n0", Finding::Result::refuse), Pair("n2", Finding::Result::refuse)));
    EXPECT_THAT(unknownOn(leftoverFindings(facts, picture, {}, {.fixes = {"all"}})),
                ElementsAre(Pair("n0", Finding::Result::refuse), Pair("n2", Finding::Result::refuse)));
    EXPECT_THAT(unknownOn(leftoverFindings(facts, picture, {}, {.fixes = {"survivors_unknown"}})),
                ElementsAre(Pair("n0", Finding::Result::warn), Pair("n2", Finding::Result::warn)));
    EXPECT_TRUE(unknownOn(leftoverFindings({}, {}, {}, {})).empty());
}

// A port without an answer does not count as free. If the launch uses no port, nothing is asked.
TEST(LeftoversUnknown, UncheckedPortIsReportedAsUnknown)
{
    const auto ofPort = [](const LeftoverFacts &facts, const LaunchPlan &launch) {
        std::vector<std::string> codes;
        for (const Finding &finding : leftoverFindings(facts, {}, launch, {}))
            codes.push_back(finding.node + " " + std::string(finding.code.word()));
        return codes;
    };
    LaunchPlan launch;
    launch.masterPort = 8118;
    launch.masterNode = "n0";
    EXPECT_THAT(ofPort({}, launch), testing::ElementsAre("n0 port"));
    EXPECT_FALSE(anyRefusal(leftoverFindings({}, {}, launch, {})));
    LeftoverFacts known;
    known.portBusy = false;
    EXPECT_THAT(ofPort(known, launch), testing::ElementsAre(" port"));
    known.portBusy = true;
    EXPECT_THAT(ofPort(known, launch), testing::ElementsAre("n0 port_in_use"));
    EXPECT_THAT(ofPort({}, {}), testing::IsEmpty());
}

// Regression: a link that broke between the first check and the request was mistaken for a node that the preflight
// reports itself.
TEST(LeftoversUnknown, LiveNodeWithoutAnAnswerIsUnknown)
{
    JobState view;
    view.nodes.push_back({.name = "n0", .state = NodeState::live});
    view.nodes.push_back({.name = "n1", .state = NodeState::lost});
    const Error error = fail(ErrorKind::unreachable, "it is away");
    EXPECT_EQ(unanswered(view, "n0", error).kind, ErrorKind::timeout);
    EXPECT_EQ(unanswered(view, "n1", error).kind, ErrorKind::unreachable);
    EXPECT_EQ(unanswered(view, "n0", fail(ErrorKind::permission, "no")).kind, ErrorKind::permission);
}

// When the node is asked, the engine still shows it as live, although it is gone.
class LostMeanwhile final : public ForwardingContext {
public:
    using ForwardingContext::ForwardingContext;
    NodeClient *node(const std::string &) override { return nullptr; }
};

TEST(LeftoversUnknown, NodeThatIsLostDuringTheCheckIsReported)
{
    EngineHost host({{0}, {1}}, "command");
    host.catchUp();
    LostMeanwhile lost(host);
    const SteadyTime soon = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const JobState view = host.view();
    EXPECT_EQ(readRunning(lost, view, "", soon).claims.size(), 2u);
    const ProcessSnapshot picture = askProcesses(lost, view, soon);
    const LeftoverFacts facts = readLeftovers(lost, view, picture, {}, soon);
    EXPECT_EQ(facts.unasked.size(), 2u);
    EXPECT_THAT(unknownOn(leftoverFindings({}, picture, {}, {})), testing::SizeIs(2));
}

// Regression: after the stop of another console, a resume was refused as long as the launcher was still there. This
// console had never seen the ranks, and the exit lines in their logs did not count.
TEST(LeftoversUnknown, RankThatIsKnownNotToRunIsGone)
{
    EngineHost host({{0}, {1}}, "command");
    host.catchUp();
    JobState view = host.view();
    for (RankState &rank : view.ranks) rank = {.rank = rank.rank, .node = rank.node};
    view.ranks[0].alive = Known::no;
    const ProcessSnapshot processes =
        askProcesses(host, view, std::chrono::steady_clock::now() + std::chrono::seconds(60));
    EXPECT_TRUE(processes.ranks[0].gone);
    EXPECT_FALSE(processes.ranks[1].gone) << "its state is unknown";
}

}  // namespace
}  // namespace rankdeck::leftovers_unknown_test
