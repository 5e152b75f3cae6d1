// SPDX-License-Identifier: GPL-3.0-or-later
// What was typed after discover as single hosts: ranges written out, the nodes of a Slurm job as Slurm says, the pods of a
// namespace as the cluster says. Asks Slurm and the cluster, reads only. Errors as they say it.
#pragma once

#include "core/discover/cluster_jobs.h"
#include "core/job/job.h"
#include "core/node/transport/connect_options.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck::ctl {

struct NamedHost {
    NodeSpec spec;
    std::shared_ptr<const ClusterJob> cluster = {};  // of a pod of a namespace that was named
    std::string unreachable = {};                    // known before any try
};
struct NamedHosts {
    std::vector<NamedHost> hosts = {};
    std::vector<std::string> remarks = {};  // about the cluster: for stderr
    bool cluster = false;                   // a namespace was named
};

struct Naming {
    std::vector<std::string> words = {};
    KubernetesSpec kubernetes = {};
    ConnectOptions connect = {};  // to the host that runs kubectl and squeue
    double seconds = 30;
    std::function<bool()> stopped = {};
};
Result<NamedHosts> namedHosts(const Naming &naming);
// The host that runs kubectl and squeue.
NodeSpec commandHost(const KubernetesSpec &cluster);

}  // namespace rankdeck::ctl
