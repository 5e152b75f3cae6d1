// SPDX-License-Identifier: GPL-3.0-or-later
// Parser of kubectl's answers about a job's pods and their owners, which gives facts: pods, Volcano's job and PodGroup,
// machines and their devices. Also the ConfigMaps in which MindX DL records faults and reschedules. Pure. Text of the
// cluster is returned printable. Errors invalid: other JSON than expected.
//
// Formats: Volcano's batch.volcano.sh/v1alpha1 and scheduling.volcano.sh/v1beta1; MindX DL's "fault-npus" of
// fault-config-JOB, "recent-reschedule-records" of mindx-dl/job-reschedule-reason, "DeviceInfoCfg" and
// "ManuallySeparateNPU" of kube-system/mindx-dl-deviceinfo-MACHINE; annotations huawei.com/…-Unhealthy of older plugins.
#pragma once

#include "core/base/result.h"
#include "core/job/container_host.h"
#include "core/scheduler/scheduler_state.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankdeck {

using NodeOfPod = std::map<std::string, std::string>;       // pod → node of the job file
using NodesOfMachine = std::map<std::string, std::string>;  // machine of the cluster → its nodes of the job, "n0, n1"

struct PodPlace {
    std::string name;
    std::string machine = {};  // empty: none yet
};
struct PodsAnswer {
    std::vector<SchedulerFact> facts = {};
    std::vector<PodPlace> pods = {};
    std::string vcjob = {};     // that owns them; empty: none does
    std::string podGroup = {};  // they start together with
    std::string queue = {};
    std::optional<WallTime> ends = {};  // when the first pod that is being deleted is ended by force; empty: none is
};
// Nodes given as pods by their labels, and the pods that have these labels now. text: as below; another text gives
// none.
using NodeOfLabels = std::vector<std::pair<PodLabels, std::string>>;
NodeOfPod podsWithLabels(const std::string &text, const NodeOfLabels &nodes);
// Labels that all of them share: those of the job.
PodLabels commonLabels(const NodeOfLabels &nodes);
// text: one pod, or a list of them.
Result<PodsAnswer> readPods(const std::string &text, const NodeOfPod &nodes);
NodesOfMachine nodesOfMachines(const std::vector<PodPlace> &pods, const NodeOfPod &nodes);

// text: events of the reason "Evicted". A pod that has been replaced since has no events of its own any more.
Result<std::vector<SchedulerFact>> readEvictions(const std::string &text, const NodeOfPod &nodes);

struct VcjobAnswer {
    std::string phase = {}, queue = {}, uid = {};
    std::optional<int> restarts = {}, restartLimit = {};
    std::vector<SchedulerFact> facts = {};
};
Result<VcjobAnswer> readVcjob(const std::string &text);

Result<std::vector<SchedulerFact>> readPodGroup(const std::string &text);
Result<std::vector<SchedulerFact>> readQueue(const std::string &text);

// Reads the key fault-npus: {"FaultRankIds": ["8"], …} or {"FaultRank": [8], …}, also with Python's quotes.
Result<std::vector<SchedulerFact>> readFaultRanks(const std::string &text);

// Reads the key recent-reschedule-records; only entries of this job.
Result<std::vector<SchedulerFact>> readReschedules(const std::string &text, const std::string &nameSpace,
                                                   const std::string &job, const NodeOfPod &nodes);

// text: one machine ("Node" in Kubernetes), or a list of them.
Result<std::vector<SchedulerFact>> readMachines(const std::string &text, const NodesOfMachine &nodes);
// text: ConfigMaps mindx-dl-deviceinfo-MACHINE. Empty text: there is none, and no fact.
Result<std::vector<SchedulerFact>> readDevices(const std::string &text, const NodesOfMachine &nodes);
inline constexpr std::string_view deviceInfoPrefix = "mindx-dl-deviceinfo-";

}  // namespace rankdeck
