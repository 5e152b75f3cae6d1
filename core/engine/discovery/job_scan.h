// SPDX-License-Identifier: GPL-3.0-or-later
// Current state of a found job, read from its files: whether its logs can be read, its progress, and its newest VALID
// checkpoint set. Only reads, bounded. Blocks until the deadline; unanswered questions are unknown, never "no".
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
    std::size_t asked = 0;     // number of logs that were requested; with many ranks, only some are
    std::size_t readable = 0;  // number of logs that could be read
    std::size_t withLoss = 0;  // number of logs with a loss line near their end
    Message problem = {};      // why the first unreadable log cannot be read
    std::optional<Sample> newest = {};
    std::int64_t writtenNs = 0;  // last write to any of them, by its node's clock; 0: no log could be read
};
LogScan scanLogs(const DiscoveredJob &job, const NodeByName &nodes, SteadyTime deadline);
// The same for a job without known processes: the logs of the ranks on these nodes, as its job file names them.
LogScan scanLogs(const Job &job, const NodeByName &nodes, SteadyTime deadline);

// The step of the newest line, counted from the start of the job, if that is known.
std::optional<std::int64_t> newestStep(const LogScan &logs, const Job &job);

struct CheckpointScan {
    CheckpointReport report = {};
    bool judged = false;   // true if it is known which set is the newest VALID one, or that there is none
    Message problem = {};  // a directory could not be listed
};
// Ends as soon as the newest VALID set is known.
CheckpointScan scanCheckpoints(const Job &job, const NodeByName &nodes, Survey &survey, SteadyTime deadline,
                               const std::function<bool()> &stopped);

}  // namespace rankdeck
