// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a job at one moment, handed to actions by the engine. Plain values; what is not known is nullopt or
// empty, never "no".
#pragma once

#include "core/base/clock.h"
#include "core/job/job.h"
#include "core/node/protocol/messages.h"
#include "core/run/run.h"
#include "core/verdict/verdict.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct LostWork {
    std::int64_t steps = 0;
    double seconds = 0;
    double deviceHours = 0;
    std::optional<std::int64_t> since = {};
    bool known = false;
};

// So many losses of a new attempt are compared with the old curve before they speak against it.
constexpr std::size_t firstSamplesKept = 9;

struct RankState {
    int rank = 0;
    std::string node;
    RankProgress progress = {};
    std::optional<bool> alive = {};
    std::optional<ProcessInfo> process = {};
    std::string logPath = {};
    bool gracefulExitSeen = false;  // the WARNING, in the current attempt
    std::optional<WallTime> gracefulExitTime = {};
    std::optional<LogEvent> resumed = {};         // the script's line about its load, in the current attempt
    std::vector<PlacedSample> firstSamples = {};  // the first firstSamplesKept of the current attempt
    std::optional<int> exitCode = {};
    bool seenAlive = false;  // in this attempt, by this console
};
struct FlagState {
    std::string node;
    std::string path;
    std::optional<int> value = {};
    bool armed = false;
    std::string problem = {};
    std::optional<WallTime> since = {};  // armed: the time of the file, by the node's clock
};

struct JobState {
    Job job;
    std::vector<NodeStatus> nodes = {};
    std::vector<RankState> ranks = {};
    std::vector<AttemptInfo> attempts = {};
    int attempt = -1;
    std::vector<FlagState> flags = {};
    CheckpointReport checkpoints = {};
    Inventory inventory = {};
    std::optional<double> stepSeconds = {};
    LostWork lostWork = {};
    std::int64_t stepsPerEpoch = 0;
    std::vector<Event> recentEvents = {};  // the last 200
    // Whether the newest checkpoint that was read carries graceful_exit/graceful_init: then the job's train cell obeys.
    std::optional<bool> newestIsGracefulReady = {};
};

}  // namespace rankdeck
