// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/container_host.h"
#include "core/job/job_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::container_host_test {
namespace {

using testing::HasSubstr;

std::string read(const std::string &json)
{
    const Result<JobFile> file = parseJob(json, "j");
    return file.has_value() ? "accepted" : file.error().message;
}

std::string withNode(const std::string &node, const std::string &more = "")
{
    return R"({"rankdeck": 1, "name": "x", )" + more + R"("nodes": [)" + node + "]}";
}

TEST(ContainerHost, ParsesNamespaceNameAndOptionalContainerOfAPod)
{
    const auto pod = parseContainerHost("k8s:vcjob/lenet-worker-0");
    ASSERT_TRUE(pod.has_value()) << pod.error().message;
    EXPECT_TRUE(pod->pod);
    EXPECT_EQ(pod->nameSpace + "|" + pod->name + "|" + pod->container, "vcjob|lenet-worker-0|");
    const auto container = parseContainerHost("k8s:ns/a.b-c:main");
    ASSERT_TRUE(container.has_value());
    EXPECT_EQ(container->nameSpace + "|" + container->name + "|" + container->container, "ns|a.b-c|main");
}

TEST(ContainerHost, PodSelectedByLabelsHasNoName)
{
    const auto pod = parseContainerHost("k8s:vcjob/volcano.sh/task-index=1,volcano.sh/job-name=le.Net_5:main");
    ASSERT_TRUE(pod.has_value()) << pod.error().message;
    EXPECT_EQ(pod->nameSpace + "|" + pod->name + "|" + pod->container, "vcjob||main");
    EXPECT_EQ(selectorOf(pod->labels), "volcano.sh/job-name=le.Net_5,volcano.sh/task-index=1");
    for (const char *host :
         {"k8s:ns/a=", "k8s:ns/=b", "k8s:ns/a=b,", "k8s:ns/a=b,c", "k8s:ns/a=b c", "k8s:ns/a=$(id)", "k8s:ns/a=b'c",
          "k8s:ns/-a=b", "k8s:ns/a!=b", "k8s:ns/X/a=b", "k8s:ns/x/y/a=b", "k8s:ns/a=b;id", "k8s:NS/a=b", "k8s:ns/a=b:"})
        EXPECT_FALSE(parseContainerHost(host).has_value()) << host;
}

TEST(ContainerHost, RefusesNamesThatAShellOrKubectlCouldMisinterpret)
{
    for (const char *host : {"k8s:",          "k8s:pod",       "k8s:/pod",        "k8s:ns/",       "k8s:NS/pod",
                             "k8s:ns/-pod",   "k8s:ns/pod;id", "k8s:ns/pod$(id)", "k8s:ns/pod:",   "k8s:ns/pod:a.b",
                             "k8s:ns/pod:-c", "k8s:--all/pod", "k8s:ns/pod:a:b",  "k8s:ns/a b",    "k8s:ns/pod\n",
                             "container:",    "container:-it", "container:a b",   "container:a/b", "container:'x'"})
        EXPECT_FALSE(parseContainerHost(host).has_value()) << host;
    EXPECT_FALSE(parseContainerHost("k8s:ns/" + std::string(254, 'a')).has_value());
    EXPECT_FALSE(parseContainerHost("k8s:" + std::string(64, 'n') + "/a").has_value());
    EXPECT_TRUE(parseContainerHost("container:My_box.1-a").has_value());
    EXPECT_FALSE(isContainerHost("k8s.example.org"));
    EXPECT_FALSE(isContainerHost("local"));
}

TEST(ContainerHost, JobFileSetsTheHostOfKubectl)
{
    const auto file = parseJob(
        withNode(
            R"({"host": "k8s:ns/a"}, {"host": "k8s:ns/b", "via": "other"}, {"host": "container:c", "via": "h"}, {"host": "d"})",
            R"("kubernetes": {"via": "bastion", "context": "team@cluster", "kubeconfig": "/etc/kube conf", "kubectl": "/opt/kubectl"}, )"),
        "j");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    const auto &nodes = file->job.nodes;
    EXPECT_EQ(nodes[0].via, "bastion");
    EXPECT_EQ(nodes[0].kubernetes.context, "team@cluster");
    EXPECT_EQ(nodes[0].kubernetes.kubeconfig, "/etc/kube conf");
    EXPECT_EQ(nodes[0].kubernetes.kubectl, "/opt/kubectl");
    EXPECT_EQ(nodes[1].via, "other");
    EXPECT_EQ(nodes[2].via, "h");
    EXPECT_EQ(nodes[2].kubernetes, KubernetesSpec());
    EXPECT_EQ(nodes[3].via, "");

    const auto again = parseJob(jobToJson(file->job), "j");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(again->job.kubernetes, file->job.kubernetes);
    for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(again->job.nodes[i].via, nodes[i].via) << i;
}

TEST(ContainerHost, ReportsErrorsOfTheJobFileWithTheirKey)
{
    EXPECT_THAT(read(withNode(R"({"host": "k8s:ns"})")), HasSubstr("nodes[0].host: expected k8s:NAMESPACE/POD"));
    EXPECT_THAT(read(withNode(R"({"host": "node-a", "via": "bastion"})")),
                HasSubstr("nodes[0].via: expected a host that is a pod"));
    EXPECT_THAT(read(withNode(R"({"host": "k8s:ns/a", "via": "k8s:ns/b"})")),
                HasSubstr("nodes[0].via: expected an ssh host"));
    EXPECT_THAT(read(withNode(R"({"host": "k8s:ns/a"})", R"("kubernetes": {"kubectl": "kubectl; id"}, )")),
                HasSubstr("kubernetes.kubectl: expected the name or absolute path of a program"));
    EXPECT_THAT(read(withNode(R"({"host": "k8s:ns/a"})", R"("kubernetes": {"kubectl": "./kubectl"}, )")),
                HasSubstr("kubernetes.kubectl: expected the name or absolute path of a program"));
    EXPECT_THAT(read(withNode(R"({"host": "k8s:ns/a"})", R"("kubernetes": {"kubeconfig": "conf"}, )")),
                HasSubstr("kubernetes.kubeconfig: expected an absolute path"));
    EXPECT_THAT(read(withNode(R"({"host": "k8s:ns/a"})", R"("kubernetes": {"context": "a\u001bb"}, )")),
                HasSubstr("kubernetes.context: expected the name of a context"));
}

TEST(ContainerHost, ConfigMapDefaultsToTheNamespaceOfTheFirstPod)
{
    const auto nameIn = [](const std::string &nodes, const std::string &configMap) {
        const auto file = parseJob(withNode(nodes, R"("graceful_exit": {"configmap": ")" + configMap + R"("}, )"), "j");
        return file.has_value() ? file->job.gracefulExit.configMap : file.error().message;
    };
    EXPECT_EQ(nameIn(R"({"host": "bastion", "ranks": []}, {"host": "k8s:vcjob/a"})", "reset-config-lenet"),
              "vcjob/reset-config-lenet");
    EXPECT_EQ(nameIn(R"({"host": "k8s:vcjob/a"})", "other/reset-config-lenet"), "other/reset-config-lenet");
    EXPECT_EQ(nameIn(R"({"host": "node-a"})", "r"), "default/r");
    EXPECT_THAT(nameIn(R"({"host": "k8s:vcjob/a"})", "a/b/c"),
                HasSubstr("graceful_exit.configmap: expected the name of a ConfigMap"));
    EXPECT_THAT(nameIn(R"({"host": "k8s:vcjob/a"})", "--all"), HasSubstr("expected the name of a ConfigMap"));
    EXPECT_THAT(nameIn(R"({"host": "k8s:vcjob/a", "name": "kubernetes"})", "r"),
                HasSubstr("nodes[0].name: expected a different name"));
}

TEST(ContainerHost, AcceptsAConfigPathNextToAConfigMapButNoSignal)
{
    const std::string node = R"({"host": "k8s:vcjob/a"})";
    EXPECT_EQ(read(withNode(
                  node, R"("graceful_exit": {"configmap": "r", "config": "/user/restore/reset/config/reset.json"}, )")),
              "accepted");
    EXPECT_THAT(read(withNode(node, R"("graceful_exit": {"configmap": "r", "signal": "USR1"}, )")),
                HasSubstr("found configmap and signal"));
}

}  // namespace
}  // namespace rankdeck::container_host_test
