// SPDX-License-Identifier: GPL-3.0-or-later
// A stop through a ConfigMap as pure rules: its findings, and the time at which a rank can have read it. Tests on a
// real cluster are in tests/kubernetes.
#include "core/job/cluster_node.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/flag/flag_write.h"
#include "core/recover/stop/checks/exit_preflight.h"
#include "core/recover/stop/exit_proof.h"
#include "core/recover/stop_method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::exit_cluster_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr const char *inPods = "/user/restore/reset/config/reset.json";

// Two ranks in two pods that train without problems.
struct InPods {
    InPods()
    {
        Job &job = view.job;
        job.name = "lenet";
        job.gracefulExit.configMap = "vcjob/reset-config-lenet";
        job.gracefulExit.config = inPods;
        for (int rank = 0; rank < 2; ++rank) {
            const std::string node = "n" + std::to_string(rank);
            job.nodes.push_back({.name = node, .host = "k8s:vcjob/" + node, .ranks = {rank}});
            view.nodes.push_back(NodeStatus{.name = node, .state = NodeState::live});
            ProcessInfo process;
            process.id = {.pid = 100 + rank, .startTicks = 7};
            process.env["MS_ENABLE_GRACEFUL_EXIT"] = "1";
            process.envReadable = true;
            RankState state{.rank = rank, .node = node, .alive = true, .process = process};
            state.progress.position = 50;
            view.ranks.push_back(state);
            facts.processes.ranks.push_back({.rank = rank, .node = node, .alive = true, .process = process});
        }
        facts.way = exitWayOf(job);
        facts.copies = configPlaces(job).value();
        facts.mounted = mountedPlaces(job).value();
        facts.now = std::chrono::system_clock::now();
        says(R"({"RankList":[],"FaultFlushing":false,"GracefulExit":0})");
    }
    void says(const std::string &text, bool writable = true)
    {
        takeContent(facts.copies.at(0),
                    FileContent{.bytes = text, .sha256 = "7", .realPath = {}, .stat = {}, .writable = writable});
    }
    [[nodiscard]] Finding of(FindingCode code) const
    {
        for (const Finding &finding : exitFindings(view, facts, {}))
            if (finding.code == code) return finding;
        return {.result = Finding::Result::ok, .code = {}, .text = "not found"};
    }
    JobState view;
    ExitFacts facts;
};

TEST(ExitCluster, ConfigMapIsOneCopyForAllRanksAndPodFilesAreOnlyRead)
{
    const InPods job;
    EXPECT_EQ(job.facts.way, StopMethod::configMap);
    EXPECT_STREQ(stopMethodName(job.facts.way), "configmap");
    EXPECT_TRUE(isConfirmed(job.facts.way) && leavesAFile(job.facts.way));
    ASSERT_EQ(job.facts.copies.size(), 1u);
    EXPECT_EQ(job.facts.copies[0].node, clusterNodeName);
    EXPECT_EQ(job.facts.copies[0].path, "configmap/vcjob/reset-config-lenet/reset.json");
    EXPECT_EQ(job.facts.copies[0].ranks, (std::vector<int>{0, 1}));
    ASSERT_EQ(job.facts.mounted.size(), 2u);
    EXPECT_EQ(job.facts.mounted[1].path, inPods);
    EXPECT_FALSE(anyRefusal(exitFindings(job.view, job.facts, {})));
    EXPECT_THAT(job.of("configmap").text, HasSubstr("90 s"));

    InPods console;  // as a machine with the same files and no rank
    console.view.job.nodes.push_back({.name = "console", .host = "local"});
    EXPECT_EQ(mountedPlaces(console.view.job).value().size(), 2u);

    InPods without;
    without.view.job.gracefulExit.config.clear();
    EXPECT_TRUE(mountedPlaces(without.view.job).value().empty());
}

TEST(ExitCluster, ScriptUsesAPatchThatTheServerGuards)
{
    InPods job;
    Plan plan;
    plan.id = "exit-1";
    plan.nodes = planFlag(job.facts.copies, true).value();
    const std::string script = planAsScript(plan);
    EXPECT_THAT(script, HasSubstr("kubectl patch configmap reset-config-lenet --namespace=vcjob --type=merge "));
    EXPECT_THAT(script, HasSubstr(R"("resourceVersion":"7")"));
    EXPECT_THAT(script, HasSubstr(R"(\"GracefulExit\":1})"));
    EXPECT_THAT(script, testing::Not(HasSubstr("sha256sum")));
}

TEST(ExitCluster, DescribesObstaclesInPlainText)
{
    InPods job;
    job.says("{\"GracefulExit\":0}", false);
    EXPECT_EQ(job.of("config_not_writable").result, Finding::Result::refuse);
    EXPECT_THAT(job.of("config_not_writable").fix, HasSubstr("docs/kubernetes.md"));
    job.says("{\"GracefulExit\":1}", false);
    EXPECT_EQ(job.of("config_not_writable").text, "not found") << "there is nothing to write";
    EXPECT_EQ(job.of("already_armed").result, Finding::Result::warn);
    job.says("not json");
    EXPECT_EQ(job.of("config_invalid").result, Finding::Result::refuse);
    EXPECT_THAT(job.of("config_invalid").fix, HasSubstr("kubectl edit"));
    const auto refuses = [&](ErrorKind kind, FindingCode code) {
        takeContent(job.facts.copies[0], fail(kind, "the cluster's own words"));
        const Finding finding = job.of(code);
        EXPECT_EQ(finding.result, Finding::Result::refuse) << code.word();
        EXPECT_THAT(finding.text, HasSubstr("the cluster's own words"));
    };
    refuses(ErrorKind::notFound, "config_missing");
    refuses(ErrorKind::permission, "config_unreadable");
    refuses(ErrorKind::unreachable, "cluster_not_live");
    refuses(ErrorKind::timeout, "cluster_not_live");
}

TEST(ExitCluster, WarnsOfAFaultThatMindXHandles)
{
    InPods job;
    EXPECT_EQ(job.of("fault_flushing").text, "not found");
    job.says(R"({"RankList":[],"FaultFlushing":true,"GracefulExit":0})");
    EXPECT_THAT(job.of("fault_flushing").text, HasSubstr("FaultFlushing is true"));
    job.says(R"({"RankList":[{"RankId":1,"Status":"unrecovered"}],"FaultFlushing":false,"GracefulExit":0})");
    EXPECT_THAT(job.of("fault_flushing").text, HasSubstr("RankList names ranks"));
}

TEST(ExitCluster, RefusesAPodThatDoesNotMountTheConfigMap)
{
    InPods job;
    takeContent(job.facts.mounted[0],
                FileContent{.bytes = "{\"GracefulExit\":0}", .sha256 = "a", .realPath = {}, .stat = {}});
    takeContent(job.facts.mounted[1], fail(ErrorKind::notFound, "no such file"));
    EXPECT_EQ(job.of("configmap").result, Finding::Result::refuse);
    EXPECT_THAT(job.of("configmap").text, testing::AllOf(HasSubstr("n1"), testing::Not(HasSubstr("n0"))));
}

TEST(ExitCluster, RankHasReadTheRequestOnlyAfterItsPodSeesIt)
{
    InPods job;
    ExitBaseline baseline;
    baseline.way = StopMethod::configMap;
    baseline.armedAt = std::chrono::system_clock::now() - 30s;
    baseline.armedRanks = {0, 1};
    baseline.positions = {{0, 40}, {1, 40}};
    baseline.answer = 1;
    baseline.unseen = {1};
    const ExitProof proof = proveExit(job.view, baseline, std::chrono::system_clock::now());
    EXPECT_TRUE(proof.ranks.at(0).seen) << "ten steps since";
    EXPECT_FALSE(proof.ranks.at(1).seen) << "its pod has the old text";
    EXPECT_EQ(proof.ranks.at(1).note, "") << "the cluster has its time to copy it";
    baseline.armedAt -= 90s;
    EXPECT_THAT(proveExit(job.view, baseline, std::chrono::system_clock::now()).ranks.at(1).note, HasSubstr("late"));
    baseline.unseen.clear();
    EXPECT_TRUE(proveExit(job.view, baseline, std::chrono::system_clock::now()).ranks.at(1).seen);
}

}  // namespace
}  // namespace rankdeck::exit_cluster_test
