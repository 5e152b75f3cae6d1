// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the files that a job file names for kubectl may be used on this machine: a kubeconfig can run programs (credential
// plugins), and so can the program itself. On an ssh host it is that host's business.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

namespace rankdeck {

// Error refused when the kubeconfig, or a kubectl named by its path, belongs to somebody else or others may write it. A file
// that is not there is kubectl's to complain of.
Status checkLocalFiles(const KubernetesSpec &cluster);

}  // namespace rankdeck
