// SPDX-License-Identifier: GPL-3.0-or-later
// Check of a job file against its nodes before it is watched, for the editor: which named parts exist. Reads only,
// bounded. Blocks until the deadline; unanswered questions are unknown, never "no".
#pragma once

#include "core/base/message.h"
#include "core/engine/discovery/job_scan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rankdeck {

struct JobCheck {
    enum class What : std::uint8_t { nodes, logs, checkpoints, config, workdir, command };
    What what = What::nodes;
    std::string key = {};  // the key of the job file: "logs.path"
    // Nodes, logs of ranks, directories of ranks, configs: how many are named, are correct, and are certainly wrong.
    // The rest is unknown.
    std::size_t named = 0, good = 0, bad = 0;
    // logs: those that end with a loss line. checkpoints: files that look like checkpoints by their names. config:
    // those that this login may write.
    // For a command: 1 if it is given the checkpoint to load, or takes the newest itself; otherwise 0.
    std::size_t more = 0;
    Message problem = {};  // first problem: where and why, as the end of a sentence
    bool operator==(const JobCheck &) const = default;
};

// Rows for the nodes first; no row for keys that the job file does not have.
std::vector<JobCheck> checkJob(const Job &job, const NodeByName &nodes, SteadyTime deadline);

}  // namespace rankdeck
