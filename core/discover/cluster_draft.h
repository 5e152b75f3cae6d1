// SPDX-License-Identifier: GPL-3.0-or-later
// Converts a job found in pods of Volcano to a job file that works through the cluster. Pods become nodes, the
// ConfigMap the way to stop, and the vcjob itself the template of a resume. Pure.
#pragma once

#include "core/discover/cluster_jobs.h"
#include "core/discover/job_draft.h"

namespace rankdeck {

// sameFiles: the host that runs kubectl sees the same log file that the first rank writes.
void fitToCluster(DiscoveredJob &draft, const ClusterJob &job, const KubernetesSpec &cluster, bool sameFiles);

}  // namespace rankdeck
