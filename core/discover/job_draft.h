// SPDX-License-Identifier: GPL-3.0-or-later
// A found job as a job file that can watch, stop and resume it, with what could not be told as notes. Pure.
#pragma once

#include "core/discover/job_evidence.h"
#include "core/job/job.h"

#include <string>
#include <vector>

namespace rankdeck {

struct DiscoveryNote {
    std::string code;  // docs: "ranks_elsewhere", "no_checkpoints_yet" …
    std::string text;
    bool act = false;  // somebody has to look at the job file before it is good for everything
};
struct DiscoveredRank {
    int rank = 0;
    std::string node;
    int pid = 0;
    std::string log = {};
};
struct DiscoveredJob {
    Job job;
    std::vector<DiscoveredRank> ranks = {};
    std::vector<DiscoveryNote> notes = {};
};

DiscoveredJob draftJob(const FoundJob &found, const std::vector<HostTraces> &hosts, const JobEvidence &evidence);

}  // namespace rankdeck
