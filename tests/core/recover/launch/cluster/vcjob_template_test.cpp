// SPDX-License-Identifier: GPL-3.0-or-later
// The operator's own YAML as a template: the example in the MindX DL documentation, which begins with its ConfigMaps.
#include "core/recover/edit/yaml_json.h"
#include "core/recover/launch/cluster/vcjob_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rankdeck::vcjob_template_test {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char *a800 = R"(apiVersion: v1
kind: ConfigMap
metadata:
  name: rings-config-mindx-dls-test   # The value of JobName must be the same as the name attribute of the following job.
  namespace: vcjob
  labels:
    ring-controller.atlas: ascend-910
data:
  hccl.json: |
    {
        "status":"initializing"
    }
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: mindx-dls-test   # must be consistent with the name of ConfigMap.
  namespace: vcjob
  labels:
    ring-controller.atlas: ascend-910
    fault-scheduling: "force"
spec:
  minAvailable: 1
  schedulerName: volcano
  policies:
    - event: PodEvicted
      action: RestartJob
  plugins:
    ssh: []
    env: []
    svc: []
  maxRetry: 3
  queue: default
  tasks:
  - name: "default-test"
    replicas: 2
    template:
      metadata:
        labels:
          app: mindspore
      spec:
        terminationGracePeriodSeconds: 600
        containers:
        - image: mindspore:b035
          imagePullPolicy: IfNotPresent
          name: mindspore
          env:
          - name: XDL_IP
            valueFrom:
              fieldRef:
                fieldPath: status.hostIP
          - name: A
            value: old
          command:
          - "/bin/bash"
          - "-c"
          - "cd /job/code/resnet/scripts; chmod +x train_start.sh; ./train_start.sh;"
          args: [ "while true; do sleep 30000; done;" ]
          resources:
            limits:
              huawei.com/Ascend910: 2   # as in requests
          volumeMounts:
          - {mountPath: /job, name: job}
          - mountPath: /dev/shm
            name: shm
        volumes:
        - name: shm
          emptyDir: {medium: Memory, sizeLimit: 16Gi}
        - name: job
          nfs: {server: 10.0.0.9, path: /export}
)";

std::string with(std::string text, const std::string &from, const std::string &to)
{
    const std::size_t where = text.find(from);
    EXPECT_NE(where, std::string::npos) << from;
    return text.replace(where, from.size(), to);
}

// The texts of the findings, with their codes; "!" marks a refusal.
std::vector<std::string> findingsOf(const std::string &yaml, std::size_t pods = 2, std::size_t ranks = 2)
{
    const auto own = parseVcjobTemplate(yaml);
    if (!own) return {own.error().message};
    std::vector<std::string> found;
    for (const Finding &finding : vcjobFindings(own->json, "huawei.com/Ascend910", pods, ranks))
        found.push_back(std::string(finding.result == Finding::Result::refuse ? "!" : "") + finding.code.word() + ": " +
                        finding.text);
    return found;
}

TEST(VcjobTemplate, ChangesOnlyTheCommandAndTheOwnership)
{
    const auto own = parseVcjobTemplate(a800);
    ASSERT_TRUE(own.has_value()) << own.error().message;
    EXPECT_EQ(own->nameSpace + "/" + own->name + "/" + own->task + "/" + own->image,
              "vcjob/mindx-dls-test/default-test/mindspore:b035");
    EXPECT_EQ(own->pods, 2u);
    EXPECT_EQ(own->mounts.at("/job"), "job");
    EXPECT_EQ(own->labels.at("ring-controller.atlas"), "ascend-910");

    ordered_json expected = ordered_json::parse(own->json);
    expected["metadata"]["annotations"] = {{"rankdeck/action", "resume-1"}, {"rankdeck/set", "0:3-10"}};
    auto &container = expected["spec"]["tasks"][0]["template"]["spec"]["containers"][0];
    container["command"] = {"python3", "/job/pod.py"};
    container.erase("args");
    container["env"][1]["value"] = "new";
    container["env"].push_back({{"name", "B"}, {"value", "x"}});
    EXPECT_EQ(ordered_json::parse(
                  vcjobOf(*own, {"python3", "/job/pod.py"}, {{"A", "new"}, {"B", "x"}}, "resume-1", "0:3-10")),
              expected);
    EXPECT_EQ(expected["spec"]["tasks"][0]["template"]["spec"]["volumes"][0]["emptyDir"]["sizeLimit"], "16Gi");
}

TEST(VcjobTemplate, ReportsKnownProblemsBeforehand)
{
    EXPECT_THAT(findingsOf(a800), ElementsAre(HasSubstr("vcjob: minAvailable is 1"),
                                              HasSubstr("vcjob_policy: fault-scheduling is \"force\""),
                                              HasSubstr("vcjob_policy: Volcano will restart")));
    std::string calm = with(with(with(a800, "minAvailable: 1", "minAvailable: 2"), "\"force\"", "\"grace\""),
                            "RestartJob", "AbortJob");
    EXPECT_THAT(findingsOf(calm), IsEmpty());
    EXPECT_THAT(findingsOf(with(calm, "Seconds: 600", "Seconds: 900")), ElementsAre(HasSubstr("found 900")));
    EXPECT_THAT(findingsOf(with(calm, "Seconds: 600", "Seconds: 0")), ElementsAre(HasSubstr("found 0")));
    EXPECT_THAT(findingsOf(with(calm, "        terminationGracePeriodSeconds: 600\n", "")), IsEmpty())
        << "30, Kubernetes' own";
    EXPECT_THAT(findingsOf(with(calm, "medium: Memory, ", "")),
                ElementsAre(HasSubstr("vcjob: the pods have no /dev/shm")));
    EXPECT_THAT(findingsOf(with(calm, "        terminationGrace",
                                "        restartPolicy: OnFailure\n        terminationGrace")),
                ElementsAre(HasSubstr("Volcano will restart")));
    EXPECT_THAT(findingsOf(with(calm, "\"grace\"", "\"off\"")), IsEmpty());
    EXPECT_THAT(findingsOf(with(calm, "\"grace\"", "\"Grace\"")), ElementsAre(HasSubstr("expected fault-scheduling")))
        << "no such value";
    EXPECT_THAT(findingsOf(with(calm, "mindspore:b035", "registry:5000/mindspore@sha256:0")), IsEmpty());
    for (const char *image : {"mindspore", "registry:5000/mindspore", "mindspore:latest"})
        EXPECT_THAT(findingsOf(with(calm, "mindspore:b035", image)), ElementsAre(HasSubstr("vcjob: image"))) << image;
    EXPECT_THAT(findingsOf(calm, 3), ElementsAre(HasSubstr("!recipe_ranks: ")));
    EXPECT_THAT(findingsOf(calm, 2, 8), ElementsAre(HasSubstr("!vcjob: expected 8 of")));
}

// An emergency checkpoint in a preStop hook needs a command, enough time, and a component that deletes the pod.
TEST(VcjobTemplate, ReportsAPreStopThatSavesNothing)
{
    const std::string calm = with(with(with(a800, "minAvailable: 1", "minAvailable: 2"), "\"force\"", "\"grace\""),
                                  "RestartJob", "AbortJob");
    const std::string own = "          env:\n";
    const std::string gasp = with(
        calm, own,
        "          lifecycle:\n            preStop:\n              exec: {command: [sh, /job/pre_stop.sh]}\n" + own);
    EXPECT_THAT(findingsOf(gasp), IsEmpty());
    EXPECT_THAT(findingsOf(with(gasp, "        terminationGracePeriodSeconds: 600\n", "")),
                ElementsAre(HasSubstr("30 s")));
    EXPECT_THAT(findingsOf(with(gasp, "\"grace\"", "\"off\"")), ElementsAre(HasSubstr("fault-scheduling")));
    EXPECT_THAT(findingsOf(with(gasp, "    fault-scheduling: \"grace\"\n", "")),
                ElementsAre(HasSubstr("fault-scheduling")));
    EXPECT_THAT(findingsOf(with(gasp, "exec: {command: [sh, /job/pre_stop.sh]}", "httpGet: {port: 80}")),
                ElementsAre(HasSubstr("command")));
}

// MindX DL's own labels and annotations that restart the job, and others that have no effect.
TEST(VcjobTemplate, ReportsSettingsThatRestartTheJob)
{
    const std::string calm = with(with(with(a800, "minAvailable: 1", "minAvailable: 2"), "\"force\"", "\"grace\""),
                                  "RestartJob", "AbortJob");
    const auto label = [&](const std::string &line) {
        return findingsOf(with(calm, "    fault-scheduling", "    " + line + "\n    fault-scheduling"));
    };
    const auto annotation = [&](const std::string &line) {
        return findingsOf(with(calm, "  namespace: vcjob\n  labels:\n    ring-controller.atlas: ascend-910\n    fault",
                               "  namespace: vcjob\n  annotations:\n    " + line + "\n  labels:\n    fault"));
    };
    EXPECT_THAT(label("pod-rescheduling: \"on\""), ElementsAre(HasSubstr("MindX DL will restart")));
    EXPECT_THAT(label("pod-rescheduling: \"off\""), IsEmpty());
    EXPECT_THAT(annotation("recover-strategy: \"retry,dump, exit\""), IsEmpty()) << "none of them loads a set";
    EXPECT_THAT(annotation("recover-strategy: \"retry,recover\""), ElementsAre(HasSubstr("MindX DL will restart")));
    EXPECT_THAT(annotation("recover-strategy: \"recovr\""), ElementsAre(HasSubstr("has no effect")));
    EXPECT_THAT(label("subHealthyStrategy: \"ignore\""), IsEmpty());
    EXPECT_THAT(label("subHealthyStrategy: \"graceExit\""), ElementsAre(HasSubstr("MindX DL will restart")));
    EXPECT_THAT(label("subHealthyStrategy: \"forceExit\""), ElementsAre(HasSubstr("without a save")));
    EXPECT_THAT(label("elastic-scheduling: \"on\"\n    minReplicas: \"1\""), ElementsAre(HasSubstr("has no effect")));
}

TEST(VcjobTemplate, RefusesAFileThatIsNotATemplate)
{
    EXPECT_THAT(findingsOf("a: [1"), ElementsAre(HasSubstr("expected YAML")));
    EXPECT_THAT(findingsOf("a: 1"), ElementsAre("expected one Job of batch.volcano.sh, found 0"));
    EXPECT_THAT(findingsOf(std::string(a800) + "---\n" + a800),
                ElementsAre("expected one Job of batch.volcano.sh, found 2"));
    EXPECT_THAT(findingsOf(with(a800, "name: mindx-dls-test ", "name: \"UPPER;id\" ")),
                ElementsAre(HasSubstr("metadata.name")));
    EXPECT_THAT(findingsOf(with(a800, "  - name: \"default-test\"", "  - name: ps\n  - name: \"default-test\"")),
                ElementsAre("expected one task in spec.tasks, found 2"));
    EXPECT_THAT(findingsOf(with(a800, "  labels:\n    ring-controller.atlas: ascend-910\n    fault",
                                "  annotations: x\n  labels:\n    fault")),
                ElementsAre(HasSubstr("metadata.annotations")));
}

TEST(YamlToJson, KeepsTextValuesAndRefusesAliases)
{
    const auto all = yamlToJson("a: \"1\"\nb: 1\nc: on\nd: 0x10\ne:\n---\nx: |\n  l1\n  l2\n");
    ASSERT_TRUE(all.has_value()) << all.error().message;
    ASSERT_EQ(all->size(), 2u);
    EXPECT_EQ(ordered_json::parse(all->at(0)), ordered_json::parse(R"({"a":"1","b":1,"c":"on","d":"0x10","e":null})"));
    EXPECT_EQ(ordered_json::parse(all->at(1))["x"], "l1\nl2\n");
    testing::internal::CaptureStderr();
    EXPECT_THAT(yamlToJson("a: &x [1]\nb: *x\n").error().message, HasSubstr("anchors and aliases"));
    EXPECT_FALSE(yamlToJson("a: [1\nb: }").has_value());
    EXPECT_FALSE(yamlToJson(std::string("a: \xff\xfe\n")).has_value());
    EXPECT_FALSE(yamlToJson(std::string(100000, '[')).has_value());
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "a node's bytes are not printed";
}

}  // namespace
}  // namespace rankdeck::vcjob_template_test
