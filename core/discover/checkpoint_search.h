// SPDX-License-Identifier: GPL-3.0-or-later
// Where a running job saves its checkpoints: the directories that its command line, the YAML file in it, its environment and
// its working directory name are listed, and what lies there by name is sorted. Blocks until the deadline. A directory
// that is not listed by then, or cannot be, is left out: JobEvidence::searched has those that were.
#pragma once

#include "core/discover/job_evidence.h"

namespace rankdeck {

void searchCheckpoints(const FoundJob &job, const HostClients &clients, SteadyTime deadline, JobEvidence &into);

}  // namespace rankdeck
