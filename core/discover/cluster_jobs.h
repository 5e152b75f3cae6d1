// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of one namespace in a Kubernetes cluster: Volcano's jobs, and their pods by the labels and owners that Volcano
// sets. Also the path at which the pods see the ConfigMap with which MindX DL stops a job. Pure, from the JSON of
// kubectl. Errors invalid: another text.
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct ClusterPod {
    std::string name;
    std::string container = {};  // the training's; empty: the pod has one only
    std::string ip = {};         // its own; empty: it has none, or its machine's
    std::string state = {};      // why nothing runs in it, as the end of a sentence; empty: its container runs
};
struct ClusterJob {
    std::string nameSpace, name;
    std::string uid = {};  // of the owner: different jobs may have had the same name
    std::string phase = {};
    bool isThere = false;                            // the vcjob itself, not only its pods
    std::vector<ClusterPod> pods = {};               // by their names, numbers as numbers
    std::string object = {};                         // the vcjob as it was given to the server: JSON; empty: unknown
    std::string resource = {};                       // devices that a container asks for: "huawei.com/Ascend910"
    std::map<std::string, std::string> mounts = {};  // path in the pods → kind of volume: "hostPath", "nfs" …
    // A ConfigMap that the pods mount, or that belongs to the job by its name.
    std::string configMap = {};
    std::string configPath = {};     // where the pods see its key reset.json; empty: not mounted as such
    bool configFrozen = false;       // mounted by subPath: it never changes there
    std::string configUnknown = {};  // why the ConfigMap could not be read; configMap is empty then
    std::string rankTable = {};      // "initializing", "completed"; empty: there is none
};

// "k8s:NAMESPACE" → NAMESPACE; empty: the text has another form.
std::string clusterNamespaceOf(std::string_view text);
// pods: of `kubectl get pods -o json`; jobs: of Volcano's jobs, or empty: unknown. By name.
Result<std::vector<ClusterJob>> clusterJobs(const std::string &nameSpace, const std::string &pods,
                                            const std::string &jobs);
// The kind of the volume that holds a path in the pods; empty: the container's own layer.
std::string volumeOf(const ClusterJob &job, const std::string &path);
// Reads the text of hccl.json.
std::string rankTableStatus(const std::string &hccl);

}  // namespace rankdeck
