// SPDX-License-Identifier: GPL-3.0-or-later
// Answers in the form in which kubectl prints them; the texts of MindX DL and Volcano are from their documentation.
#include "core/scheduler/kubernetes_answers.h"

#include <gtest/gtest.h>

namespace rankdeck::kubernetes_answers_test {
namespace {

const NodeOfPod nodes{{"lenet-worker-0", "n0"}, {"lenet-worker-1", "n1"}};
const NodesOfMachine machines{{"node-a", "n0, n1"}};

std::string pod(const std::string &name, const std::string &status)
{
    return R"({"metadata": {"name": ")" + name +
           R"(", "labels": {"volcano.sh/job-name": "lenet", "volcano.sh/queue-name": "q"},
 "annotations": {"scheduling.k8s.io/group-name": "lenet-7", "volcano.sh/task-spec": "worker", "volcano.sh/task-index": ")" +
           name.substr(name.size() - 1) +
           R"("}, "ownerReferences": [{"kind": "Job", "name": "lenet", "controller": true}]},
 "spec": {"nodeName": "node-a"}, "status": )" +
           status + "}";
}

std::string list(const std::string &a, const std::string &b) { return R"({"items": [)" + a + ", " + b + "]}"; }

std::string ended(const std::string &reason, int code, const std::string &at)
{
    return R"({"phase": "Failed", "containerStatuses": [{"name": "main", "restartCount": 0, "state": {"terminated":
 {"reason": ")" +
           reason + R"(", "exitCode": )" + std::to_string(code) + R"(, "finishedAt": ")" + at + R"("}}}]})";
}

TEST(Pods, ReportTheirJobAndTheirMachines)
{
    const auto said = readPods(
        list(pod("lenet-worker-0", R"({"phase": "Running"})"), pod("lenet-worker-1", R"({"phase": "Running"})")),
        nodes);
    ASSERT_TRUE(said);
    EXPECT_EQ(said->vcjob, "lenet");
    EXPECT_EQ(said->podGroup, "lenet-7");
    EXPECT_EQ(said->queue, "q");
    EXPECT_TRUE(said->facts.empty());
    ASSERT_EQ(said->pods.size(), 2u);
    EXPECT_EQ(nodesOfMachines(said->pods, nodes), (NodesOfMachine{{"node-a", "n0, n1"}}));
}

TEST(Pods, BelongToANodeIfTheyHaveAllItsLabels)
{
    const auto labelled = [](const std::string &name, const std::string &index) {
        return R"({"metadata": {"name": ")" + name + R"(", "labels": {"job": "lenet", "index": ")" + index + R"("}}})";
    };
    const NodeOfLabels byLabels{{{{"job", "lenet"}, {"index", "0"}}, "n0"}, {{{"job", "lenet"}, {"index", "1"}}, "n1"}};
    EXPECT_EQ(podsWithLabels(R"({"items": [)" + labelled("a", "0") + "," + labelled("b", "1") + "," +
                                 labelled("c", "1") + "," + labelled("d", "10") + "]}",
                             byLabels),
              (NodeOfPod{{"a", "n0"}, {"b", "n1"}, {"c", "n1"}}));
    EXPECT_TRUE(podsWithLabels("no JSON", byLabels).empty());
    EXPECT_EQ(commonLabels(byLabels), (PodLabels{{"job", "lenet"}}));
    EXPECT_TRUE(commonLabels({{{{"a", "1"}}, "n0"}, {{{"b", "1"}}, "n1"}}).empty());
    EXPECT_TRUE(commonLabels({}).empty());
}

// As a kubelet of 1.20 writes it.
TEST(Evictions, AreReportedForThePodsOfTheJob)
{
    const auto event = [](const std::string &kind, const std::string &name, const std::string &message) {
        return R"({"involvedObject": {"kind": ")" + kind + R"(", "name": ")" + name +
               R"("}, "reason": "Evicted", "type": "Warning", "message": ")" + message +
               R"(", "lastTimestamp": "2026-11-22T03:12:07Z", "eventTime": null})";
    };
    const auto said =
        readEvictions(R"({"items": [)" + event("Pod", "lenet-worker-1", "The node was low on memory. ") + "," +
                          event("Pod", "other-worker-1", "x") + "," + event("Node", "lenet-worker-1", "x") + "]}",
                      nodes);
    ASSERT_TRUE(said);
    EXPECT_EQ(*said, (std::vector<SchedulerFact>{{.code = SchedulerFactCode::podEnded,
                                                  .text = "pod lenet-worker-1: Evicted: The node was low on memory",
                                                  .node = "n1",
                                                  .time = parseIsoTime("2026-11-22T03:12:07Z")}}));
    EXPECT_TRUE(readEvictions("", nodes)->empty());
    EXPECT_FALSE(readEvictions("error", nodes));
}

TEST(Pods, FirstPodToFailIsNamedIfItFailedBeforeTheOthers)
{
    const auto said = readPods(list(pod("lenet-worker-0", ended("Error", 1, "2026-11-22T03:12:09Z")),
                                    pod("lenet-worker-1", ended("OOMKilled", 137, "2026-11-22T03:12:07Z"))),
                               nodes);
    ASSERT_TRUE(said);
    ASSERT_EQ(said->facts.size(), 2u);
    EXPECT_EQ(said->facts[0].text, "pod lenet-worker-0: container main: Error, exit code 1");
    EXPECT_EQ(said->facts[1].text, "pod lenet-worker-1: container main: OOMKilled, exit code 137: the first to fail");
    EXPECT_EQ(said->facts[1].node, "n1");
    EXPECT_EQ(said->facts[1].time, parseIsoTime("2026-11-22T03:12:07Z"));
    const auto together = readPods(list(pod("lenet-worker-0", ended("Error", 1, "2026-11-22T03:12:07Z")),
                                        pod("lenet-worker-1", ended("OOMKilled", 137, "2026-11-22T03:12:07Z"))),
                                   nodes);
    for (const SchedulerFact &fact : together->facts)
        EXPECT_EQ(fact.text.find("first"), std::string::npos) << fact.text;
}

// The API server's deletionTimestamp is the end of the grace period. Volcano waits at most 900 s, even if this period
// is longer.
TEST(Pods, ThatAreBeingDeletedReportTheirForcedEnd)
{
    const auto deleted = [](int grace, const std::string &at) {
        std::string text = pod("lenet-worker-0", R"({"phase": "Running"})");
        const std::string name = R"("name": "lenet-worker-0",)";
        return text.insert(text.find(name) + name.size(), R"( "deletionGracePeriodSeconds": )" + std::to_string(grace) +
                                                              R"(, "deletionTimestamp": ")" + at + R"(",)");
    };
    const auto said = readPods(deleted(600, "2026-11-24T10:10:00Z"), nodes);
    ASSERT_TRUE(said);
    ASSERT_TRUE(said->ends);
    EXPECT_EQ(*said->ends, *parseIsoTime("2026-11-24T10:10:00Z"));
    ASSERT_EQ(said->facts.size(), 1u);
    EXPECT_EQ(said->facts[0].node, "n0");
    EXPECT_NE(said->facts[0].text.find("is being deleted"), std::string::npos) << said->facts[0].text;
    const auto longer = readPods(list(deleted(3600, "2026-11-24T11:00:00Z"), pod("lenet-worker-1", "{}")), nodes);
    ASSERT_TRUE(longer);
    EXPECT_EQ(*longer->ends, *parseIsoTime("2026-11-24T10:15:00Z")) << "begun at 10:00, and Volcano waits 15 min";
    EXPECT_NE(longer->facts[0].text.find("grace-over-time"), std::string::npos) << longer->facts[0].text;
    EXPECT_FALSE(readPods(pod("lenet-worker-0", R"({"phase": "Running"})"), nodes)->ends);
}

TEST(Pods, EvictionIsReported)
{
    const auto said = readPods(pod("lenet-worker-1", R"({"phase": "Failed", "reason": "Evicted",
 "message": "The node was low on resource: memory.", "conditions": [{"type": "Ready", "status": "False",
 "lastTransitionTime": "2026-11-22T03:12:07Z"}]})"),
                               nodes);
    ASSERT_TRUE(said);
    ASSERT_EQ(said->facts.size(), 1u);
    EXPECT_EQ(said->facts[0].text, "pod lenet-worker-1: Evicted: The node was low on resource: memory.");
    EXPECT_EQ(said->facts[0].time, parseIsoTime("2026-11-22T03:12:07Z"));
}

TEST(Pods, WaitingPodIsReportedButAStartingPodIsNot)
{
    const auto said = readPods(
        list(pod("lenet-worker-0", R"({"phase": "Running", "containerStatuses": [{"name": "main", "restartCount": 2,
 "state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": {"reason": "Error", "exitCode": 3,
 "finishedAt": "2026-11-22T03:12:07Z"}}}]})"),
             pod("lenet-worker-1", R"({"phase": "Pending", "containerStatuses": [{"name": "main", "restartCount": 0,
 "state": {"waiting": {"reason": "ContainerCreating"}}}]})")),
        nodes);
    ASSERT_TRUE(said);
    ASSERT_EQ(said->facts.size(), 2u);
    EXPECT_EQ(said->facts[0].code, SchedulerFactCode::podEnded);
    EXPECT_EQ(said->facts[1].text, "pod lenet-worker-0: container main waits: CrashLoopBackOff, restarted 2 times");
}

TEST(Pods, PodsWithoutAMachineAreCountedInOneFact)
{
    const std::string pending = R"({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False",
 "reason": "Unschedulable", "message": "0/3 nodes are available"}]})";
    const auto said =
        readPods(list(pod("lenet-worker-0", R"({"phase": "Running"})"), pod("lenet-worker-1", pending)), nodes);
    ASSERT_TRUE(said);
    ASSERT_EQ(said->facts.size(), 1u);
    EXPECT_EQ(said->facts[0].code, SchedulerFactCode::jobWaits);
    EXPECT_EQ(said->facts[0].text, "1 of 2 pods have no machine: Unschedulable: 0/3 nodes are available");
}

TEST(Pods, RefuseOtherTextAndAcceptEmptyText)
{
    EXPECT_FALSE(readPods("<html>", nodes));
    EXPECT_TRUE(readPods("", nodes));
    EXPECT_TRUE(readPods(R"({"items": [{"metadata": 7, "status": []}]})", nodes));
}

TEST(Vcjob, ReportsItsPhaseAndRestarts)
{
    const auto said = readVcjob(R"({"metadata": {"name": "lenet", "uid": "7"}, "spec": {"queue": "q", "maxRetry": 3},
 "status": {"retryCount": 2, "state": {"phase": "Failed", "message": "maxRetry reached", "lastTransitionTime": "2026-11-22T03:12:07Z"}}})");
    ASSERT_TRUE(said);
    EXPECT_EQ(said->restarts, 2);
    EXPECT_EQ(said->restartLimit, 3);
    ASSERT_EQ(said->facts.size(), 1u);
    EXPECT_EQ(said->facts[0].text, "vcjob lenet is Failed: maxRetry reached");
    EXPECT_TRUE(
        readVcjob(R"({"metadata": {"name": "lenet"}, "status": {"state": {"phase": "Running"}}})")->facts.empty());
    EXPECT_EQ(
        readVcjob(R"({"metadata": {"name": "lenet"}, "status": {"state": {"phase": "Pending"}}})")->facts.at(0).code,
        SchedulerFactCode::jobWaits);
}

std::string group(const std::string &phase, const std::string &conditions)
{
    return R"({"metadata": {"name": "lenet-7", "creationTimestamp": "2026-11-22T03:00:00Z"}, "spec": {"minMember": 4},
 "status": {"phase": ")" +
           phase + R"(", "conditions": [)" + conditions + "]}}";
}

TEST(PodGroup, ReportsWhyItsPodsDoNotStart)
{
    const std::string unfit = R"({"type": "Unschedulable", "status": "True", "reason": "NotEnoughResources",
 "message": "2/4 tasks in gang unschedulable: pod group is not ready, 2 Pending, 4 minAvailable", "lastTransitionTime": "2026-11-22T03:12:07Z"})";
    const std::string fit =
        R"({"type": "Scheduled", "status": "True", "reason": "tasks in gang are ready to be scheduled",
 "lastTransitionTime": "2026-11-22T03:12:08Z"})";
    const auto waits = readPodGroup(group("Inqueue", unfit));
    ASSERT_TRUE(waits);
    ASSERT_EQ(waits->size(), 1u);
    EXPECT_EQ(waits->at(0).text,
              "PodGroup lenet-7 is Inqueue, its 4 pods start together or not at all: NotEnoughResources: "
              "2/4 tasks in gang unschedulable: pod group is not ready, 2 Pending, 4 minAvailable");
    EXPECT_EQ(waits->at(0).time, parseIsoTime("2026-11-22T03:00:00Z"));
    // An old condition stays in the list after the pods have started.
    EXPECT_TRUE(readPodGroup(group("Running", unfit))->empty());
    EXPECT_EQ(readPodGroup(group("Inqueue", unfit + ", " + fit))->at(0).text.find("NotEnough"), std::string::npos);
}

TEST(Queue, ReportsAClosedQueue)
{
    EXPECT_TRUE(readQueue(R"({"metadata": {"name": "q"}, "status": {"state": "Open"}})")->empty());
    EXPECT_EQ(readQueue(R"({"metadata": {"name": "q"}, "status": {"state": "Closed"}})")->at(0).text,
              "queue q is Closed");
}

TEST(FaultRanks, AreReadInAllTheirForms)
{
    EXPECT_TRUE(readFaultRanks(R"({"status":"initializing"})")->empty());
    EXPECT_TRUE(readFaultRanks("")->empty());
    const auto old = readFaultRanks(R"({'FaultRankIds': ['8', '9'], 'CreatTime': 1795254171})");
    ASSERT_TRUE(old);
    EXPECT_EQ(old->at(0).text, "recorded as failed (fault-npus): ranks 8, 9");
    EXPECT_EQ(old->at(0).time, std::chrono::system_clock::from_time_t(1795254171));
    EXPECT_EQ(readFaultRanks(R"({"FaultRank":[3],"UpdateTime":1795254171})")->at(0).text,
              "recorded as failed (fault-npus): ranks 3");
    EXPECT_FALSE(readFaultRanks("FaultRank"));
}

TEST(Reschedules, CountForThisJobOnly)
{
    const std::string record = R"(:{"TotalRescheduleTimes":1,"RescheduleRecords":[{"LogFileFormatTime":"I0908 11:36:10",
 "RescheduleTimeStamp":1759683370,"ReasonOfTask":[{"RescheduleReason":"pod-failed","PodName":"lenet-worker-1","NodeName":"node2",
 "NodeRankIndex":"1"}]}]})";
    const std::string uid = "141274b7-ce93-4d31-adde-6c24456a8a3b";
    const auto said =
        readReschedules("{\"vcjob/lenet-" + uid + "\"" + record + ",\"vcjob/lenet-big-" + uid + "\"" + record + "}",
                        "vcjob", "lenet", nodes);
    ASSERT_TRUE(said);
    ASSERT_EQ(said->size(), 1u);
    EXPECT_EQ(said->at(0).text, "rescheduled: lenet-worker-1 on node2: pod-failed");
    EXPECT_EQ(said->at(0).node, "n1");
    EXPECT_EQ(said->at(0).time, std::chrono::system_clock::from_time_t(1759683370));
    EXPECT_TRUE(readReschedules("", "vcjob", "lenet", nodes)->empty());
    EXPECT_FALSE(readReschedules("[", "vcjob", "lenet", nodes));
}

TEST(Machines, ReportProblemsAndUnhealthyDevices)
{
    const auto said = readMachines(
        R"({"metadata": {"name": "node-a", "annotations": {"huawei.com/Ascend910-Unhealthy": "Ascend910-1,Ascend910-4",
 "huawei.com/Ascend910-NetworkUnhealthy": ""}}, "spec": {"unschedulable": true}, "status": {"capacity": {"huawei.com/Ascend910": "8", "pods": "110"},
 "allocatable": {"huawei.com/Ascend910": "6", "pods": "100"}, "conditions": [{"type": "Ready", "status": "Unknown", "message": "Kubelet stopped posting node status."},
 {"type": "DiskPressure", "status": "True"}, {"type": "MemoryPressure", "status": "False"}]}})",
        machines);
    ASSERT_TRUE(said);
    std::vector<std::string> texts;
    for (const SchedulerFact &fact : *said) {
        texts.push_back(std::string(schedulerFactName(fact.code)) + ": " + fact.text);
        EXPECT_EQ(fact.node, "n0, n1");
    }
    EXPECT_EQ(
        texts,
        (std::vector<std::string>{
            "node_trouble: machine node-a has not answered its cluster: Kubelet stopped posting node status.",
            "node_trouble: machine node-a has DiskPressure",
            "node_trouble: machine node-a is closed to new pods (cordoned)",
            "device_unhealthy: machine node-a has unhealthy devices: Ascend910-1, Ascend910-4",
            "device_unhealthy: machine node-a has 8 of huawei.com/Ascend910, of which its plugin offers pods 6"}));
}

TEST(Devices, ReportFaultsOfTheDevicePlugin)
{
    const auto said = readDevices(R"({"metadata": {"name": "mindx-dl-deviceinfo-node-a"}, "data": {"DeviceInfoCfg":
 "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend910\":\"Ascend910-0\",\"huawei.com/Ascend910-Fault\":\"[{\\\"fault_type\\\":\\\"CardUnhealthy\\\",\\\"npu_name\\\":\\\"Ascend910-4\\\",\\\"fault_handling\\\":\\\"SeparateNPU\\\",\\\"fault_code\\\":\\\"A8028801,A4028801\\\"},{\\\"fault_type\\\":\\\"CardUnhealthy\\\",\\\"npu_name\\\":\\\"Ascend910-5\\\",\\\"fault_handling\\\":\\\"NotHandleFault\\\",\\\"fault_code\\\":\\\"1\\\"}]\",\"huawei.com/Ascend910-NetworkUnhealthy\":\"Ascend910-0\",\"huawei.com/Ascend910-Recovering\":\"\",\"huawei.com/Ascend910-Unhealthy\":\"Ascend910-4\"},\"UpdateTime\":1744182144}}"}})",
                                  machines);
    ASSERT_TRUE(said);
    std::vector<std::string> texts;
    for (const SchedulerFact &fact : *said) texts.push_back(fact.text);
    EXPECT_EQ(
        texts,
        (std::vector<std::string>{
            "machine node-a has no healthy network on Ascend910-0", "machine node-a has unhealthy devices: Ascend910-4",
            "machine node-a has a fault of Ascend910-4: CardUnhealthy, SeparateNPU, codes A8028801,A4028801"}));
    EXPECT_TRUE(readDevices("", machines)->empty());
    EXPECT_FALSE(readDevices(R"({"metadata": {"name": "mindx-dl-deviceinfo-node-a"}, "data": {"DeviceInfoCfg": "no"}})",
                             machines));
}

// A list that cannot be read does not mean that the machine has no faults.
TEST(Devices, ReportAnInvalidListOfFaults)
{
    const auto with = [](const std::string &faults) {
        return readDevices(
            R"({"metadata": {"name": "mindx-dl-deviceinfo-node-a"}, "data": {"DeviceInfoCfg": "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend910-Fault\":\")" +
                faults + R"(\"}}}"}})",
            machines);
    };
    for (const char *none : {"", "[]", "null"}) EXPECT_TRUE(with(none)->empty()) << none;
    for (const char *other : {"{}", "[{", "Ascend910-4", "7"}) {
        const auto said = with(other);
        ASSERT_FALSE(said) << other;
        EXPECT_NE(said.error().message.find("mindx-dl-deviceinfo-node-a: huawei.com/Ascend910-Fault: expected a list"),
                  std::string::npos)
            << said.error().message;
        EXPECT_NE(said.error().message.find(other), std::string::npos) << said.error().message;
    }
}

}  // namespace
}  // namespace rankdeck::kubernetes_answers_test
