// SPDX-License-Identifier: GPL-3.0-or-later
// A job found in pods of Volcano made into a job file that goes through the cluster: pods as nodes, the ConfigMap as the way to
// stop, the vcjob itself as the template of a resume. Pure.
#pragma once

#include "core/discover/cluster_jobs.h"
#include "core/discover/job_draft.h"

namespace rankdeck {

// sameFiles: the host that runs kubectl sees the very log file that the first rank writes.
void fitToCluster(DiscoveredJob &draft, const ClusterJob &job, const KubernetesSpec &cluster, bool sameFiles);

}  // namespace rankdeck
