// SPDX-License-Identifier: GPL-3.0-or-later
// What a Kubernetes cluster says of the jobs of one namespace: Volcano's jobs, their pods by the labels and owners that
// Volcano gives them, where the pods see the ConfigMap by which MindX DL stops a job. Pure, from the JSON of kubectl.
// Errors invalid: it is not that JSON.
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
    std::string state = {};      // why nothing runs in it, as a sentence's end; empty: its container runs
};
struct ClusterJob {
    std::string nameSpace, name;
    std::string uid = {};  // of the owner: two jobs may have had one name
    std::string phase = {};
    bool isThere = false;                            // the vcjob itself, not only its pods
    std::vector<ClusterPod> pods = {};               // by their names, numbers as numbers
    std::string object = {};                         // the vcjob as it was given to the server: JSON; empty: not known
    std::string resource = {};                       // devices that a container asks for: "huawei.com/Ascend910"
    std::map<std::string, std::string> mounts = {};  // path in the pods → kind of volume: "hostPath", "nfs" …
    std::string configMap = {};                      // that the pods mount, or that belongs to the job by its name
    std::string configPath = {};     // where the pods see its key reset.json; empty: not mounted as such
    bool configFrozen = false;       // mounted by subPath: it never changes there
    std::string configUnknown = {};  // why the ConfigMap could not be read; configMap is empty then
    std::string rankTable = {};      // "initializing", "completed"; empty: there is none
};

// "k8s:NAMESPACE" → NAMESPACE; empty: the text is not that.
std::string clusterNamespaceOf(std::string_view text);
// pods: of `kubectl get pods -o json`; jobs: of Volcano's jobs, or empty: not known. By name.
Result<std::vector<ClusterJob>> clusterJobs(const std::string &nameSpace, const std::string &pods,
                                            const std::string &jobs);
// The kind of the volume that holds a path in the pods; empty: the container's own layer.
std::string volumeOf(const ClusterJob &job, const std::string &path);
// Of the text of hccl.json.
std::string rankTableStatus(const std::string &hccl);

}  // namespace rankdeck
