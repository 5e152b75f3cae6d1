// SPDX-License-Identifier: GPL-3.0-or-later
// A job file against the nodes that it names, before it is watched: what of it is there, for the editor. Reads only, bounded.
// Blocks until the deadline; what was not answered by then is not known, never "no".
#pragma once

#include "core/engine/discovery/job_look.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rankdeck {

struct JobCheck {
    enum class What : std::uint8_t { nodes, logs, checkpoints, config, workdir, command };
    What what = What::nodes;
    std::string key = {};  // of the job file that it is about: "logs.path"
    // Nodes, logs of ranks, directories of ranks, configs: so many are named, are as they should be, surely are not; the rest
    // is not known.
    std::size_t named = 0, good = 0, bad = 0;
    // logs: so many end with a loss line. checkpoints: files that look like checkpoints by their names. config: so many may
    // be written by this login. command: 1 where it is told which checkpoint to load, or takes the newest itself; 0 where not.
    std::size_t more = 0;
    std::string problem = {};  // of the first that is not good: where, and why, as a sentence's end
    bool operator==(const JobCheck &) const = default;
};

// The nodes first; of what the job file does not say there is no row.
std::vector<JobCheck> checkJob(const Job &job, const NodeByName &nodes, SteadyTime deadline);

}  // namespace rankdeck
