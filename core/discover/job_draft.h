// SPDX-License-Identifier: GPL-3.0-or-later
// A found job as a job file that can watch, stop and resume it, with what could not be told as notes. Pure.
#pragma once

#include "core/base/clock.h"
#include "core/discover/discovery_codes.h"
#include "core/discover/job_evidence.h"
#include "core/job/job.h"

#include <string>
#include <vector>

namespace rankdeck {

struct DiscoveryNote {
    DiscoveryCode code;
    std::string text;
    bool act = false;  // somebody has to look at the job file before it is good for everything
};
struct DiscoveredRank {
    int rank = 0;
    std::string node;
    int pid = 0;
    std::string log = {};
};
// The variable by which a graceful exit is switched on, and in how many ranks it is. Where an environment is closed to the
// login, nobody knows.
struct StopSwitch {
    std::string variable = {};  // empty: the framework has none
    std::size_t on = 0, off = 0, unknown = 0;
};
struct DiscoveredJob {
    Job job;
    std::vector<DiscoveredRank> ranks = {};
    StopSwitch stopSwitch = {};
    WallTime started = {};                     // of its first rank
    std::vector<std::string> otherHosts = {};  // that its environment names, and nobody asked
    std::vector<DiscoveryNote> notes = {};
    std::string vcjob =
        {};  // the cluster's own object, JSON: what launch.volcano.file shall hold; empty: there is none
};

DiscoveredJob draftJob(const FoundJob &found, const std::vector<HostTraces> &hosts, const JobEvidence &evidence);

}  // namespace rankdeck
