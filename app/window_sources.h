// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind the window: an engine for each job that is opened, the demo cluster when it is asked for. cluster is
// filled when the demo has started and must outlive the window. What cannot be opened or started comes back as an
// Error, which the window shows.
#pragma once

#include "ui/feed/job_sources.h"

#include <memory>

namespace rankdeck {

namespace demo {
class DemoCluster;
}

// fixed: the state directory was given on the command line.
ui::JobSources windowSources(const QString &stateDirectory, bool fixed, const QString &sshConfig,
                             std::unique_ptr<demo::DemoCluster> &cluster);

}  // namespace rankdeck
