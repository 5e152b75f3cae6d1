// SPDX-License-Identifier: GPL-3.0-or-later
// Converter from a found job to a job file that can watch, stop and resume it, with notes about undetermined parts.
// Pure.
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
    Message text;
    bool act = false;  // a person has to check the job file before all of it can be used
};
struct DiscoveredRank {
    int rank = 0;
    std::string node;
    int pid = 0;
    std::string log = {};
};
// The variable that switches a graceful exit on, and the number of ranks in which it is on. If the login cannot read an
// environment, the state of that rank is unknown.
struct StopSwitch {
    std::string variable = {};  // empty: the framework has none
    std::size_t on = 0, off = 0, unknown = 0;
};
struct DiscoveredJob {
    Job job;
    std::vector<DiscoveredRank> ranks = {};
    StopSwitch stopSwitch = {};
    WallTime started = {};                     // of its first rank
    std::vector<std::string> otherHosts = {};  // hosts that its environment names, but that were not searched
    std::vector<DiscoveryNote> notes = {};
    std::string vcjob = {};  // the cluster's own object, JSON, for the file launch.volcano.file; empty: there is none
};

DiscoveredJob draftJob(const FoundJob &found, const std::vector<HostTraces> &hosts, const JobEvidence &evidence);

}  // namespace rankdeck
