// SPDX-License-Identifier: GPL-3.0-or-later
// Running training jobs on hosts, as job files: nothing to type, nothing written. Blocks until the deadline.
#pragma once

#include "core/discover/cluster_jobs.h"
#include "core/discover/job_draft.h"

#include <string>
#include <vector>

namespace rankdeck {

struct DiscoverHost {
    std::string host;                     // in a form that ssh takes, or "local"
    NodeClient *client = nullptr;         // live
    const ClusterJob *cluster = nullptr;  // of a pod: its job, from the cluster
};
// How the pods among the hosts are reached, and the host that runs kubectl, which may see the same files.
struct ClusterAccess {
    KubernetesSpec spec = {};
    NodeClient *host = nullptr;
};
struct DiscoveredHost {
    std::string host;
    std::size_t ranks = 0;                     // found there
    std::vector<ProcessInfo> unreadable = {};  // training of users whose environment this login may not read
    std::optional<Error> problem = {};
};
struct Discovery {
    std::vector<DiscoveredHost> hosts = {};
    std::vector<DiscoveredJob> jobs = {};  // names differ
};

Discovery discover(const std::vector<DiscoverHost> &hosts, SteadyTime deadline, const ClusterAccess &cluster = {});

}  // namespace rankdeck
