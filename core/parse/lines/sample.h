// SPDX-License-Identifier: GPL-3.0-or-later
// Content of a log line: a sample (one loss observation) or an event. Rank and attempt are not included: they follow
// from the log that contains the line. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// The rank that a line's prefix names, if several ranks write one log: by its number, or by its place on the node.
struct LineOwner {
    std::optional<int> rank = {}, localRank = {};
    [[nodiscard]] bool isNone() const { return !rank && !localRank; }
    bool operator==(const LineOwner &) const = default;
    bool operator<(const LineOwner &other) const
    {
        return rank != other.rank ? rank < other.rank : localRank < other.localRank;
    }
};

struct Sample {
    double loss = 0;                              // NaN and ±Inf are samples
    bool hasLoss = true;                          // false: progress only, `loss` has no meaning
    std::optional<std::int64_t> epoch = {};       // from 1
    std::optional<std::int64_t> step = {};        // in the epoch, from 1
    std::optional<std::int64_t> globalStep = {};  // set if the line itself has it
    std::optional<double> fractionalEpoch = {};   // Hugging Face
    std::optional<double> stepMs = {}, learningRate = {}, lossScale = {}, gradNorm = {};
    std::optional<double> throughput = {};  // as printed: samples or tokens a second, or TFLOP/s of a device
    // Steps of the whole run, on the same axis, if the line has it; otherwise 0.
    std::int64_t total = 0;
    std::int32_t stepsPerEpoch = 0;  // set if the log has it: "[ 2/6]", TimeMonitor …; otherwise 0
    std::uint64_t offset = 0;        // of the line in its file
    LineOwner owner = {};
};

enum class EventKind {
    error,  // an ERROR/CRITICAL line or a traceback, as one event
    warning,
    nan,           // first NaN/Inf of a rank in an attempt (made by run, not by the parser)
    gracefulExit,  // "Graceful exit is triggered, stop training."
    resumed,       // the script's own line about its load
    uce,
    hcce,
    ttp,        // fault-tolerance lines
    repaired,   // a fault was repaired without a restart: no step is lost
    epochTime,  // TimeMonitor: not shown, used for the step time
    waits,      // the rank has not reached the scheduler yet: not shown, because each try writes a line
    started,    // first line of a log
    rankDied,   // from msrun's stdout or /proc
    saved,
    setJudged,  // made by the engine
    nodeChanged,
    attemptStarted,
    action,
    alarm,  // made by the engine: an alarm began or ended
};
const char *eventKindName(EventKind kind);  // "error", "graceful_exit" …: stable, in the JSON

struct LogEvent {
    EventKind kind = EventKind::error;
    std::string text;                                                    // printable, first line first, at most 16 kB
    std::uint64_t offset = 0;                                            // of its first line
    std::uint64_t length = 0;                                            // up to the end of its last line
    std::optional<int> pid = {};                                         // when the line names one
    std::optional<std::int64_t> epoch = {}, step = {}, globalStep = {};  // resumed
    std::string path = {};               // resumed: the loaded file; waits: the address, empty when the wait is over
    std::optional<double> written = {};  // waits: seconds by the log\'s own clock
    std::optional<int> exitCode = {};    // rankDied, from msrun's stdout
    std::optional<double> stepMs = {};   // epochTime
    std::optional<int> rank = {};        // started, rankDied: when the launcher's line names it
    LineOwner owner = {};
    std::int64_t stepsPerEpoch = 0;  // epochTime: from its two times; 0 if they are too coarse
    bool byPath = false;             // resumed: recognised only by the path of the file that the rank was given
    // warning: the script itself reports that it starts without a checkpoint; then globalStep is 0.
    bool nothingLoaded = false;
    std::vector<std::vector<int>> replicaGroups = {};  // ttp: ranks that hold the same parameters
};

}  // namespace rankdeck
