// SPDX-License-Identifier: GPL-3.0-or-later
// From answers of a real API server about vcjobs and their pods to jobs and job files. No cluster is asked here;
// tests/kubernetes does that.
#include "core/discover/cluster_draft.h"
#include "core/discover/cluster_jobs.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace rankdeck::cluster_jobs_test {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string dataOf(const std::string &name)
{
    std::ifstream file(testData() + "/kubernetes/" + name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<ClusterJob> jobsOf(const json &pods, const std::string &vcjobs = dataOf("vcjobs.json"))
{
    auto jobs = clusterJobs("vcjob", pods.dump(), vcjobs);
    EXPECT_TRUE(jobs.has_value());
    return jobs ? *jobs : std::vector<ClusterJob>{};
}

json realPods() { return json::parse(dataOf("pods.json")); }

DiscoveredJob draft(const std::string &saves = "/job/ckpt/rank_{rank}")
{
    DiscoveredJob found;
    found.job.name = "anything";
    found.job.nodes = {{.name = "lenet-worker-0", .host = "k8s:vcjob/lenet-worker-0", .ranks = {0}}};
    found.job.logs.path = "/job/log/worker_{rank}.log";
    found.job.checkpoints.path = saves;
    return found;
}

TEST(ClusterJobs, NamespaceIsNotTakenForAPod)
{
    EXPECT_EQ(clusterNamespaceOf("k8s:vcjob"), "vcjob");
    for (const char *other : {"k8s:vcjob/pod", "k8s:", "vcjob", "k8s:Upper", "k8s:a b"})
        EXPECT_EQ(clusterNamespaceOf(other), "") << other;
}

TEST(ClusterJobs, FindsThePodsOfAVcjobByTheirOwner)
{
    const auto jobs = jobsOf(realPods());
    ASSERT_EQ(jobs.size(), 1u);
    const ClusterJob &job = jobs.front();
    EXPECT_EQ(job.name, "lenet");
    EXPECT_EQ(job.phase, "Running");
    EXPECT_TRUE(job.isThere);
    EXPECT_THAT(job.pods,
                ElementsAre(Field(&ClusterPod::name, "lenet-worker-0"), Field(&ClusterPod::name, "lenet-worker-1")));
    for (const ClusterPod &pod : job.pods) {
        EXPECT_EQ(pod.state, "");
        EXPECT_EQ(pod.container, "") << "there is one only";
        EXPECT_EQ(pod.ip, "") << "hostNetwork: it is the machine's";
    }
    EXPECT_EQ(job.configMap, "reset-config-lenet");
    EXPECT_EQ(job.configPath, "/user/restore/reset/config/reset.json");
    EXPECT_FALSE(job.configFrozen);
    EXPECT_EQ(volumeOf(job, "/dev/shm/x"), "emptyDir");
    EXPECT_EQ(volumeOf(job, "/opt/ckpt"), "") << "the container's own layer";
    const json object = json::parse(job.object);
    EXPECT_FALSE(object.contains("status"));
    for (const char *key : {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"})
        EXPECT_FALSE(object["metadata"].contains(key)) << key;
    EXPECT_EQ(object["spec"]["tasks"][0]["replicas"], 2);
}

TEST(ClusterJobs, ExcludesPodsOfAnEarlierJobWithTheSameName)
{
    json pods = realPods();
    pods["items"][0]["metadata"]["ownerReferences"][0]["uid"] = "of the one before";
    const auto jobs = jobsOf(pods);
    ASSERT_EQ(jobs.size(), 2u);
    EXPECT_EQ(jobs[0].pods.size(), 1u);
    EXPECT_TRUE(jobs[0].isThere);
    EXPECT_EQ(jobs[1].name, "lenet");
    EXPECT_FALSE(jobs[1].isThere);
}

TEST(ClusterJobs, ReportsWhyAPodDoesNotRun)
{
    const auto stateWith = [](const json &status) {
        json pods = realPods();
        pods["items"][0]["status"] = status;
        return jobsOf(pods).front().pods.front().state;
    };
    EXPECT_EQ(stateWith({{"phase", "Failed"}, {"reason", "Evicted"}, {"message", "The node was low on memory"}}),
              "Failed (Evicted: The node was low on memory)");
    EXPECT_EQ(stateWith({{"phase", "Running"},
                         {"containerStatuses",
                          {{{"name", "main"},
                            {"state", {{"waiting", {{"reason", "CrashLoopBackOff"}}}}},
                            {"lastState", {{"terminated", {{"reason", "OOMKilled"}, {"exitCode", 137}}}}}}}}}),
              "Running, CrashLoopBackOff, before that OOMKilled, exit code 137");
    EXPECT_THAT(
        stateWith({{"phase", "Pending"},
                   {"conditions",
                    {{{"type", "PodScheduled"}, {"status", "False"}, {"message", "0/2 nodes are available\x1b"}}}}}),
        testing::AllOf(HasSubstr("Pending, not scheduled: 0/2 nodes are available"), Not(HasSubstr("\x1b"))));
}

TEST(ClusterJobs, FindsPodsWithoutAListOfVcjobs)
{
    const auto jobs = jobsOf(realPods(), "");
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_FALSE(jobs.front().isThere);
    EXPECT_EQ(jobs.front().pods.size(), 2u);
}

TEST(ClusterJobs, HandlesTwoContainersPodOrderAndSubPaths)
{
    json pods = realPods();
    for (json &pod : pods["items"]) {
        pod["spec"]["containers"].push_back({{"name", "sidecar"}, {"image", "x"}});
        pod["metadata"]["name"] = pod["metadata"]["name"] == "lenet-worker-0" ? "lenet-worker-10" : "lenet-worker-9";
        pod["spec"]["hostNetwork"] = false;
        for (json &mount : pod["spec"]["containers"][0]["volumeMounts"])
            if (mount["name"] == "reset")
                mount = {{"name", "reset"}, {"mountPath", "/x/reset.json"}, {"subPath", "reset.json"}};
    }
    const ClusterJob job = jobsOf(pods).front();
    EXPECT_THAT(job.pods,
                ElementsAre(Field(&ClusterPod::name, "lenet-worker-9"), Field(&ClusterPod::name, "lenet-worker-10")));
    EXPECT_EQ(job.pods.front().container, "main");
    EXPECT_NE(job.pods.front().ip, "");
    EXPECT_TRUE(job.configFrozen);
    EXPECT_EQ(job.configPath, "/x/reset.json");
}

TEST(ClusterJobs, RefusesTextThatIsNotAList)
{
    for (const char *text : {"", "no resources", "{}", "[]", R"({"items": 3})"})
        EXPECT_FALSE(clusterJobs("vcjob", text, "").has_value()) << text;
    EXPECT_TRUE(clusterJobs("vcjob",
                            R"({"items": [3, null, {}, {"metadata": {"labels": {"volcano.sh/job-name": "../x"}}}]})",
                            "")
                    ->empty());
}

TEST(ClusterDraft, ReachesNodesThroughTheCluster)
{
    ClusterJob job = jobsOf(realPods()).front();
    job.mounts["/job"] = "nfs";
    job.pods.front().ip = "10.244.1.7";
    DiscoveredJob found = draft();
    found.job.launch.env = {
        {"MS_SCHED_HOST", "10.244.1.7"}, {"HOSTNAME", "lenet-worker-0"}, {"VC_TASK_INDEX", "0"}, {"LR", "0.1"}};
    found.notes.push_back({"no_graceful_config", "…", true});
    fitToCluster(found, job, {.kubeconfig = "/k", .context = "c"}, true);
    EXPECT_EQ(found.job.name, "lenet");
    EXPECT_EQ(found.job.nodes.front().kubernetes.context, "c");
    EXPECT_EQ(found.job.gracefulExit.configMap, "vcjob/reset-config-lenet");
    EXPECT_EQ(found.job.gracefulExit.config, "/user/restore/reset/config/reset.json");
    EXPECT_EQ(found.job.launch.recipe, "volcano");
    EXPECT_EQ(found.job.launch.submitOn, "console");
    EXPECT_EQ(found.job.nodes.back().host, "local");
    EXPECT_THAT(found.job.nodes.back().ranks, IsEmpty());
    EXPECT_TRUE(found.job.pathsShared);
    EXPECT_THAT(found.job.launch.env, ElementsAre(std::pair<const std::string, std::string>("LR", "0.1")))
        << "addresses and names of pods are new with each of them";
    EXPECT_EQ(found.vcjob, job.object);
    for (const DiscoveryNote &note : found.notes) EXPECT_FALSE(note.act) << note.code << note.text;
}

TEST(ClusterDraft, ReportsMissingFacts)
{
    ClusterJob job = jobsOf(realPods(), "").front();
    job.configMap.clear();
    job.rankTable = "initializing";
    job.pods.back().state = "Failed (Evicted)";
    DiscoveredJob found = draft("/root/ckpt");
    fitToCluster(found, job, {.via = "bastion"}, false);
    for (const DiscoveryCode code :
         std::initializer_list<DiscoveryCode>{"pod_not_running", "vcjob_gone", "rank_table", "in_the_pod"})
        EXPECT_THAT(found.notes, Contains(Field(&DiscoveryNote::code, code)));
    EXPECT_EQ(found.job.gracefulExit.configMap, "");
    EXPECT_NE(found.job.launch.recipe, "volcano");
    EXPECT_EQ(found.job.nodes.front().via, "bastion");
}

}  // namespace
}  // namespace rankdeck::cluster_jobs_test
