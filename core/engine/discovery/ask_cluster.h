// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs of a namespace as kubectl reports them, on this machine or on the ssh host that has kubectl. Only reads,
// with the role for watching; tokens and kubeconfigs are used by kubectl alone. Blocks until the deadline. Errors: the
// reason why kubectl cannot ask, and what to do.
#pragma once

#include "core/discover/cluster_jobs.h"
#include "core/job/job.h"
#include "core/node/session/cluster/shell_runner.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct ClusterAnswer {
    std::vector<ClusterJob> jobs = {};
    std::optional<Error> vcjobsUnknown = {};  // the pods are known, Volcano's jobs are not
};

Result<ClusterAnswer> askCluster(const std::string &nameSpace, const KubernetesSpec &cluster, ShellRunner &shell,
                                 SteadyTime deadline);

}  // namespace rankdeck
