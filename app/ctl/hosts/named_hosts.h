// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts named on the command line of discover, as a list of single hosts. Ranges are expanded, a Slurm job becomes its
// nodes, and a namespace becomes its pods. Asks Slurm and the cluster, reads only. Passes their errors on.
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
    std::shared_ptr<const ClusterJob> cluster = {};  // for a pod of a named namespace
    std::string unreachable = {};                    // reason, if it is known before a connection is tried
};
struct NamedHosts {
    std::vector<NamedHost> hosts = {};
    std::vector<std::string> remarks = {};  // about the cluster, for stderr
    bool cluster = false;                   // true if a namespace was named
};

struct Naming {
    std::vector<std::string> words = {};
    KubernetesSpec kubernetes = {};
    ConnectOptions connect = {};  // for the host that runs kubectl and squeue
    double seconds = 30;
    std::function<bool()> stopped = {};
};
Result<NamedHosts> namedHosts(const Naming &naming);
// The host that runs kubectl and squeue.
NodeSpec commandHost(const KubernetesSpec &cluster);

}  // namespace rankdeck::ctl
