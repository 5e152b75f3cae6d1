// SPDX-License-Identifier: GPL-3.0-or-later
// The job sources of the window: an engine for each opened job, and the demo cluster if it is wanted. The parameter
// cluster is set when the demo has started, and must outlive the window. If something cannot be opened or started, the
// window gets an Error to show.
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
