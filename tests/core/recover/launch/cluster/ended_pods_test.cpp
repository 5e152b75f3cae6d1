// SPDX-License-Identifier: GPL-3.0-or-later
// Pods of a job that need not exist again before it is resumed, and the facts that are assumed about them. Tests on a
// real cluster are in tests/kubernetes/vcjob_test.py.
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/cluster/pod_stand_ins.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::ended_pods_test {
namespace {

// A context in which no node answers: any request to one of the ended pods is an error.
class NobodyAnswers : public ActionContext {
public:
    explicit NobodyAnswers(JobState view) : state(std::move(view)) {}
    [[nodiscard]] JobState view() const override { return state; }
    void waitForChange(SteadyTime) override {}
    NodeClient *node(const std::string &name) override
    {
        asked.push_back(name);
        return nullptr;
    }
    FileStore *cluster() override { return nullptr; }
    [[nodiscard]] SchedulerState scheduler() const override { return {}; }
    Journal &journal() override { std::abort(); }
    void attemptLaunched(WallTime, std::optional<std::int64_t>) override {}
    void attemptCountsAnew(std::int64_t) override {}
    void expectLoads(const std::map<int, std::vector<std::string>> &) override {}
    void refreshFlags() override {}
    [[nodiscard]] bool stopRequested() const override { return false; }
    [[nodiscard]] std::optional<ConfirmedRung> takeConfirmedRung() override { return {}; }
    [[nodiscard]] std::vector<PlacedSample> lossesBefore(int, std::int64_t, std::int64_t) const override { return {}; }

    JobState state;
    std::vector<std::string> asked;
};

JobState endedPods()
{
    JobState view;
    view.job.launch.recipe = "volcano";
    view.job.launch.submitOn = "console";
    view.job.pathsShared = true;
    view.job.worldSize = 2;
    view.job.nodes = {{.name = "p0", .host = "k8s:vcjob/p0", .ranks = {0}},
                      {.name = "p1", .host = "k8s:vcjob/p1", .ranks = {1}},
                      {.name = "console", .host = "local"}};
    for (const NodeSpec &node : view.job.nodes)
        view.nodes.push_back({.name = node.name, .state = NodeState::lost, .container = ContainerFate::ended});
    view.nodes[2] = {.name = "console", .state = NodeState::live};
    for (int rank = 0; rank < 2; ++rank) {
        RankState state;
        state.rank = rank;
        state.node = "p" + std::to_string(rank);
        view.ranks.push_back(state);
    }
    return view;
}

std::vector<Finding> findingsOf(const JobState &view, const std::string &vcjob = {})
{
    ResumeFacts facts;
    facts.view = view;
    facts.scheduler.state = vcjob;
    std::vector<Finding> findings;
    checkNodes(findings, facts);
    return findings;
}

bool refuses(const JobState &view) { return anyRefusal(findingsOf(view)); }

TEST(EndedPods, SubmittingNodeAnswersForEndedPods)
{
    const JobState view = endedPods();
    NobodyAnswers host(view);
    WithStandIns pods(host);
    for (const char *name : {"p0", "p1", "console"}) pods.node(name);
    EXPECT_THAT(host.asked, testing::ElementsAre("console", "console", "console"));
    EXPECT_FALSE(refuses(view));
}

TEST(EndedPods, RequireAnAnswerIfTheirEndIsUnproven)
{
    const auto changed = [](const std::function<void(JobState &)> &change) {
        JobState view = endedPods();
        change(view);
        return view;
    };
    const JobState silent = changed([](JobState &view) { view.nodes[1].container = ContainerFate::notKnown; });
    EXPECT_EQ(standInFor(silent, "p1"), "");
    EXPECT_EQ(standInFor(silent, "p0"), "console");
    EXPECT_TRUE(refuses(silent));
    for (const JobState &view : {changed([](JobState &one) { one.job.pathsShared = false; }),
                                 changed([](JobState &one) { one.job.launch.recipe = "command"; }),
                                 changed([](JobState &one) { one.nodes[2].state = NodeState::stale; })}) {
        EXPECT_EQ(standInFor(view, "p0"), "");
        EXPECT_TRUE(refuses(view));
    }
}

// The state after a start that was killed after it had deleted the old vcjob. Whether the deletion was forced is
// unknown.
TEST(EndedPods, DeletedPodsNeedNotReturnAndTheirRanksAreUnknown)
{
    JobState view = endedPods();
    for (std::size_t i : {0u, 1u}) view.nodes[i].container = ContainerFate::gone;
    EXPECT_EQ(standInFor(view, "p0"), "console");
    for (const char *state : {"", "Completed", "Failed", "Terminated", "Aborted"}) {
        const auto findings = findingsOf(view, state);
        ASSERT_EQ(findings.size(), 2u) << state;
        for (const Finding &finding : findings) EXPECT_TRUE(finding.code == "node_not_live") << finding.text;
        EXPECT_FALSE(anyRefusal(findings)) << state;
    }
    for (const char *state : {"Running", "Restarting", "Pending", "Aborting"})
        EXPECT_TRUE(anyRefusal(findingsOf(view, state))) << state << ": Volcano may make them anew";
    NobodyAnswers host(view);
    WithStandIns pods(host);
    const ProcessSnapshot processes = askProcesses(pods, view, std::chrono::steady_clock::now());
    EXPECT_THAT(host.asked, testing::ElementsAre("console")) << "for its own processes alone";
    ASSERT_EQ(processes.ranks.size(), 2u);
    for (const RankProcess &rank : processes.ranks) {
        EXPECT_TRUE(rank.alive.isUnknown());
        EXPECT_FALSE(rank.gone);
    }
}

// Pods with the same names that another console has started do not have the files of this action.
TEST(EndedPods, UndoesStepsThroughTheNodeThatMadeThem)
{
    NobodyAnswers host(endedPods());
    WithStandIns pods(host);
    pods.hold();
    for (NodeStatus &node : host.state.nodes) node = {.name = node.name, .state = NodeState::live};
    pods.node("p0");
    pods.letGo();
    pods.node("p0");
    EXPECT_THAT(host.asked, testing::ElementsAre("console", "p0"));
}

TEST(EndedPods, ProcessesAreNotSearchedOnOtherNodes)
{
    const JobState view = endedPods();
    NobodyAnswers host(view);
    const ProcessSnapshot processes = askProcesses(host, view, std::chrono::steady_clock::now());
    EXPECT_THAT(host.asked, testing::ElementsAre("console"));
    ASSERT_EQ(processes.ranks.size(), 2u);
    for (const RankProcess &rank : processes.ranks) {
        EXPECT_TRUE(rank.alive.isNo());
        EXPECT_TRUE(rank.gone);
    }
}

}  // namespace
}  // namespace rankdeck::ended_pods_test
