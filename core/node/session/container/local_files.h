// SPDX-License-Identifier: GPL-3.0-or-later
// Check of the files that a job file names for kubectl on this machine. A kubeconfig can run programs (credential
// plugins), and so can the program itself. On an ssh host that host is responsible.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

namespace rankdeck {

// Error refused when the kubeconfig, or a kubectl named by its path, belongs to another user or others may write it. A
// file that is missing is left to kubectl to report.
Status checkLocalFiles(const KubernetesSpec &cluster);

}  // namespace rankdeck
