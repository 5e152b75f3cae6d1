// SPDX-License-Identifier: GPL-3.0-or-later
// Search for the checkpoints of a running job. It lists directories named in the command line, in its YAML file, in the
// environment and in the working directory. It sorts the files by name. Blocks until the deadline. Directories that are
// not listed by then, or cannot be, are left out: JobEvidence::searched has the listed ones.
#pragma once

#include "core/discover/job_evidence.h"

namespace rankdeck {

void searchCheckpoints(const FoundJob &job, const HostClients &clients, SteadyTime deadline, JobEvidence &into);

// ---- pure parts
struct ListedRoot {
    std::size_t node = 0;  // index into the job's nodes
    Listing listing = {};
};
// Derives from the listed files where the ranks save.
void sortListings(const FoundJob &job, const std::vector<ListedRoot> &listings, JobEvidence &into);

}  // namespace rankdeck
