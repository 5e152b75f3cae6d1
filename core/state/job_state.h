// SPDX-License-Identifier: GPL-3.0-or-later
// State of a job at one time, as all panels, commands and actions see it. Plain values, made by the engine, owned by
// the holder of the snapshot; never changed afterwards. Missing answers are unknown or empty, never a "no".
#pragma once

#include "core/base/clock.h"
#include "core/base/known.h"
#include "core/base/shared_vector.h"
#include "core/job/job.h"
#include "core/node/protocol/messages.h"
#include "core/run/run.h"
#include "core/state/kept_sets.h"
#include "core/verdict/verdict.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Work that is lost if the job dies now: the steps since the newest VALID (or newer kept) set, and their time without
// pauses.
struct LostWork {
    std::int64_t steps = 0;
    double seconds = 0;
    double deviceHours = 0;
    std::optional<std::int64_t> since = {};  // position of that set; empty: everything, from the start
    bool known = false;                      // false: the numbers above have no meaning yet
    bool atMost = false;                     // an upper limit: a node is not listed, so newer sets may be VALID
    // Time of the last contact with a rank that may still train, if none is reachable now: the present amount is
    // unknown.
    std::optional<WallTime> asOf = {};
    bool fromKept = false;  // that set is kept, and must be put back first
};

// Number of losses of a new attempt that are compared with the old curve before they can count as evidence against the
// resume.
constexpr std::size_t firstSamplesKept = 9;

// The error at the end of a rank's log: the first one after its last sample or exit line. Cleared by a later sample or
// exit line.
struct RankError {
    WallTime time = {};  // when this console read it
    std::string text;    // the exception's line first
    std::string logPath = {};
    std::uint64_t logOffset = 0;
};

// Address that a rank tries to reach before its first step, from its log: the address of MindSpore's scheduler.
struct Awaited {
    std::string address = {};            // "10.0.0.1:8118", printable
    WallTime since = {}, tried = {};     // the first and the last try that failed
    static constexpr double pause = 30;  // seconds: two tries of one wait are closer than this
    [[nodiscard]] bool stillTries(WallTime now) const { return secondsBetween(tried, now) < pause; }
};

// The kernel's report that it ended a process because memory ran out.
struct OomKill {
    std::string text = {};  // "Memory cgroup out of memory: Killed process 4711 (python)"
    bool ofGroup = false;   // of a memory cgroup at its limit, not of the whole machine
    bool operator==(const OomKill &) const = default;
};

struct RankState {
    int rank = 0;
    std::string node;
    RankProgress progress = {};
    // No only with proof: the process was seen and is gone, or the log or launcher shows that it ended. Unknown: the
    // node does not answer, or the process was never identified, however long the rank has been silent.
    Known alive = {};
    std::optional<ProcessInfo> process = {};  // while it lives; the last one seen while that is unknown
    std::string logPath = {};
    bool gracefulExitSeen = false;  // the WARNING, in the current attempt
    std::optional<WallTime> gracefulExitTime = {};
    std::optional<LogEvent> resumed = {};         // the script's line about its load, in the current attempt
    std::vector<PlacedSample> firstSamples = {};  // the first firstSamplesKept of the current attempt
    bool firstWithoutLoss = false;                // the first samples are only steps, because its lines print no loss
    std::optional<int> exitCode = {};             // negative: by that signal. Empty: unknown
    std::optional<RankError> error = {};
    std::optional<Awaited> awaited = {};  // set in the current attempt, until it makes a step
    // Time since when its losses in this attempt are NaN or Inf without good ones in between.
    std::optional<WallTime> firstNonFinite = {};
    std::optional<std::int64_t> firstNonFiniteStep = {};  // its position
    bool seenAlive = false;                               // in this attempt, by this console
    bool leaving = false;                    // gone so recently that its last lines may still be on their way
    std::optional<WallTime> goneSince = {};  // time at which this console noticed that its process is gone
    bool deserted = false;  // never seen, and its node has no rank or launcher of the job and hides no process
    std::optional<WallTime> listedLast = {};  // with goneSince: last time it was among the node's processes
    std::optional<OomKill> oomKill = {};      // empty: not killed, or this login cannot read the kernel's log
};

struct FlagState {
    std::string node;
    std::string path;
    std::optional<int> value = {};
    bool armed = false;
    Message problem = {};
    std::optional<WallTime> since = {};  // armed: the time of the file, by the console's clock
};

struct JobState {
    Job job;
    SharedVector<NodeStatus> nodes = {};
    SharedVector<RankState> ranks = {};  // ascending; unchanged ones are shared with the previous state
    std::vector<AttemptInfo> attempts = {};
    int attempt = -1;
    SharedVector<FlagState> flags = {};
    SharedVector<FlagState> mountedFlags = {};  // of graceful_exit.configmap, as pods see it; empty: no path given
    CheckpointReport checkpoints = {};
    std::shared_ptr<const Inventory> inventory = std::make_shared<const Inventory>();  // shared; never null
    std::shared_ptr<const KeptSets> kept = std::make_shared<const KeptSets>();         // shared; never null
    std::optional<double> stepSeconds = {};
    LostWork lostWork = {};
    std::int64_t stepsPerEpoch = 0;
    SharedVector<Event> recentEvents = {};  // the last 200
    // True if the newest checkpoint that was read carries graceful_exit/graceful_init: then the train cell of the job
    // obeys a stop request.
    Known newestIsGracefulReady = {};
};

// Seconds by which the node's clock is ahead of the console's; 0 if not measured yet.
double clockSkew(const JobState &view, const std::string &node);
// True if its process began after the last line of its log: the line and the silence after it belong to the previous
// process.
bool hasJustBegun(const RankState &rank, double clockSkewSeconds);
// True if the current attempt logs one line per epoch, as with dataset sink. Then every line ends an epoch, however the
// run ended.
bool logsOnceAnEpoch(const JobState &view);
// Converts a time by the node's clock (of a file there) to the console's clock, as far as the difference is known.
WallTime consoleTime(const JobState &view, const std::string &node, std::int64_t nodeNs);

}  // namespace rankdeck
