// SPDX-License-Identifier: GPL-3.0-or-later
// Check of the files that a job file names for kubectl on this machine. A kubeconfig can run programs (credential
// plugins), and kubectl itself is a program. On an ssh host, that host is responsible for its own files.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

namespace rankdeck {

// Error refused if the kubeconfig, or a kubectl that is given by its path, belongs to another user or is writable by
// others. If a file is missing, kubectl itself reports that.
Status checkLocalFiles(const KubernetesSpec &cluster);

}  // namespace rankdeck
