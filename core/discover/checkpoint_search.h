// SPDX-License-Identifier: GPL-3.0-or-later
// Where a running job saves its checkpoints: the directories that its command line, the YAML file in it, its environment and
// its working directory name are listed, and what lies there by name is sorted. Blocks until the deadline. A directory
// that is not listed by then, or cannot be, is left out: JobEvidence::searched has those that were.
#pragma once

#include "core/discover/job_evidence.h"

namespace rankdeck {

void searchCheckpoints(const FoundJob &job, const HostClients &clients, SteadyTime deadline, JobEvidence &into);

// ---- pure parts
struct ListedRoot {
    std::size_t node = 0;  // index into the job's nodes
    Listing listing = {};
};
// What the files listed on the nodes say of where the ranks save.
void sortListings(const FoundJob &job, const std::vector<ListedRoot> &listings, JobEvidence &into);

}  // namespace rankdeck
