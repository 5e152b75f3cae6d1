// SPDX-License-Identifier: GPL-3.0-or-later
// Current state of a found job's files: whether its logs can be read, its progress, and its newest VALID checkpoint
// set. Reads only, bounded. Blocks until the deadline; unanswered questions are unknown, never "no".
#pragma once

#include "core/base/clock.h"
#include "core/base/message.h"
#include "core/discover/job_draft.h"
#include "core/node/node.h"
#include "core/parse/lines/sample.h"
#include "core/verdict/verdict.h"

#include <functional>
#include <optional>
#include <string>

namespace rankdeck {

class Survey;

using NodeByName = std::function<NodeClient *(const std::string &node)>;  // nullptr: not connected

struct LogScan {
    std::size_t asked = 0;     // named logs; with many ranks only some are requested
    std::size_t readable = 0;  // and read
    std::size_t withLoss = 0;  // a loss line is in their end
    Message problem = {};      // of the first that cannot be read
    std::optional<Sample> newest = {};
    std::int64_t writtenNs = 0;  // the last write to any of them, by its node's clock; 0: none was read
};
LogScan scanLogs(const DiscoveredJob &job, const NodeByName &nodes, SteadyTime deadline);
// The same for a job without known processes: the logs of the ranks on these nodes, from its job file.
LogScan scanLogs(const Job &job, const NodeByName &nodes, SteadyTime deadline);

// The step of the newest line, counted from the start of the job, if that is known.
std::optional<std::int64_t> newestStep(const LogScan &logs, const Job &job);

struct CheckpointScan {
    CheckpointReport report = {};
    bool judged = false;   // the newest VALID set is known, or that there is none
    Message problem = {};  // a directory that could not be listed
};
// Ends as soon as the newest VALID set is known.
CheckpointScan scanCheckpoints(const Job &job, const NodeByName &nodes, Survey &survey, SteadyTime deadline,
                               const std::function<bool()> &stopped);

}  // namespace rankdeck
