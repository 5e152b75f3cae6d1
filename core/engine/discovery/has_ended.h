// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether a job of an earlier search has ended, given the state of the scanned hosts. Pure.
#pragma once

#include "core/base/known.h"
#include "core/engine/discovery/discovery_session.h"

#include <vector>

namespace rankdeck {

// Scanned hosts and their running jobs; keeps references to both, which must outlive it.
struct Running {
    std::vector<const HostScan *> hosts = {};
    std::vector<const Job *> jobs = {};
};
Running runningIn(const DiscoveryPicture &picture);
// Yes: each of its nodes was scanned, no unreadable training runs there, and no running job may be this one. A running
// job may be this one if it has the same logs or checkpoints, or the same name if these are not given. No: a running
// job may be this one. Otherwise unknown.
Known hasEnded(const Job &job, const Running &running);

}  // namespace rankdeck
