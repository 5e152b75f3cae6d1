// SPDX-License-Identifier: GPL-3.0-or-later
// Check of a job file against its nodes before it is watched, for the editor: which of the named things exist. Only
// reads, bounded. Blocks until the deadline; unanswered questions are unknown, never "no".
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
    // Number of nodes, logs of ranks, directories of ranks or configs that are named, that are correct, and that are
    // certainly wrong. The rest is unknown.
    std::size_t named = 0, good = 0, bad = 0;
    // One more count. Logs: those that end with a loss line. Checkpoints: files that look like checkpoints by their
    // names. Configs: those that this login may write. Command: 1 if it gets the checkpoint to load or takes the newest
    // one itself, otherwise 0.
    std::size_t more = 0;
    Message problem = {};  // the first problem: where and why, as the end of a sentence
    bool operator==(const JobCheck &) const = default;
};

// Begins with rows for the nodes. Keys that the job file does not have get no row.
std::vector<JobCheck> checkJob(const Job &job, const NodeByName &nodes, SteadyTime deadline);

}  // namespace rankdeck
