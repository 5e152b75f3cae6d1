// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a job of an earlier look runs no more, by what is known of the hosts that are looked at. Pure.
#pragma once

#include "core/base/known.h"
#include "core/engine/discovery/discovery_session.h"

#include <vector>

namespace rankdeck {

// Who was looked at and what runs there; refers to both, which must outlive it.
struct Running {
    std::vector<const HostLook *> hosts = {};
    std::vector<const Job *> jobs = {};
};
Running runningIn(const DiscoveryPicture &picture);
// Yes: each of its nodes was looked at, no training there hides what it is, and no running job may be it: none has its logs
// or checkpoints, nor its name where it does not say where these are. No: one may. Unknown: else.
Known hasEnded(const Job &job, const Running &running);

}  // namespace rankdeck
