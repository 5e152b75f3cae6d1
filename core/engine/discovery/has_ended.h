// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a job of an earlier search has ended, from the state of the scanned hosts. Pure.
#pragma once

#include "core/base/known.h"
#include "core/engine/discovery/discovery_session.h"

#include <vector>

namespace rankdeck {

// Scanned hosts and their running jobs; refers to both, which must outlive it.
struct Running {
    std::vector<const HostScan *> hosts = {};
    std::vector<const Job *> jobs = {};
};
Running runningIn(const DiscoveryPicture &picture);
// Yes: each of its nodes was scanned, no unreadable training runs there, and no running job may be it. A running job
// may be it if it has its logs or checkpoints, or its name if these are not given. No: one may be it. Unknown:
// otherwise.
Known hasEnded(const Job &job, const Running &running);

}  // namespace rankdeck
