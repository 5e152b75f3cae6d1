// SPDX-License-Identifier: GPL-3.0-or-later
// History of one job: attempts, the series of every rank in each attempt, events. Written by the engine, read by all.
// Not locked: the engine owns it and lets others read it under its lock. Axis: the position of a sample is
// (epoch-1)*stepsPerEpoch + step, or its global step if the line has one. The attempt's offset is added to it.
// Therefore positions agree with `global_step` of the attempt's checkpoints, even after a resume in the middle of an
// epoch.
#pragma once

#include "core/base/clock.h"
#include "core/base/message.h"
#include "core/parse/lines/sample.h"
#include "core/run/metric.h"
#include "core/run/series/series.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct AttemptInfo {
    int index = 0;
    WallTime started = {};                         // time of the launch, of its first process, or of the first sign
    std::optional<std::int64_t> resumedFrom = {};  // position of the set it loaded
    std::int64_t stepOffset = 0;                   // added to nominal positions
    std::optional<std::int64_t> firstStep = {}, lastStep = {};
    // A later resume discarded the samples of this attempt beyond this position.
    std::optional<std::int64_t> discardedAfter = {};
};

struct RankProgress {
    int rank = 0;
    int attempt = 0;
    std::optional<std::int64_t> epoch = {}, step = {}, position = {};
    double loss = 0;
    bool hasLoss = false;
    bool stepped = false;                    // a line of this attempt gave its position, with a loss or without
    bool gradientsBroken = false;            // its gradients are NaN or Inf, and no loss scaler skips these steps
    WallTime heard = {};                     // when the last sample arrived
    std::optional<double> stepSeconds = {};  // median of the latest
    std::optional<double> learningRate = {}, gradNorm = {}, lossScale = {}, throughput = {};  // as printed in the lines
    std::optional<std::int64_t> total = {};  // steps of the whole run, on the axis of position
    // Usual longest silence, in seconds; empty until enough silences were seen.
    std::optional<double> usualSilence = {};
    bool silenceHeard = false;  // usualSilence is from lines that arrived while a console was watching
    // True if its last step ends the first epoch whose end was seen. An evaluation may follow, whose length is still
    // unknown.
    bool atFirstEpochEnd = false;
    [[nodiscard]] bool seen() const { return hasLoss || stepped; }
};

// True if its newest values show that the training is lost: the loss or the gradients are NaN or Inf.
[[nodiscard]] bool isBroken(const RankProgress &progress);

// Usual silences of a rank between its lines, in an attempt. They distinguish a hang from a save or an evaluation.
// Positions are nominal.
struct SilencePattern {
    struct Pause {
        std::int64_t after = 0;  // position of the line before the pause
        double seconds = 0;
        bool operator==(const Pause &) const = default;
    };
    double usual = 0;                // longest usual silence, in seconds
    std::int64_t first = 0;          // position of the first line that arrived live
    std::int64_t stride = 1;         // steps from line to line
    std::vector<Pause> pauses = {};  // the latest finished pauses that were far longer than usual
    bool operator==(const SilencePattern &) const = default;
};

struct NonFinite {  // the first NaN or Inf of a rank in an attempt
    WallTime time = {};
    std::optional<std::int64_t> position = {};  // empty while the steps per epoch are unknown
};

struct Event {
    std::uint64_t id = 0;  // increases from event to event
    WallTime time = {};
    int rank = -1;  // -1: none or several, see ranks
    std::vector<int> ranks = {};
    int attempt = 0;
    EventKind kind = EventKind::error;
    Message text = {};
    std::optional<std::int64_t> position = {};
    std::string logPath = {};
    std::uint64_t logOffset = 0;
    std::string node = {};
    std::optional<double> stepMs = {};  // epochTime: used for the step time, not kept as an event
    std::int64_t stepsPerEpoch = 0;     // epochTime: as in LogEvent
};

struct EnvelopeColumn {                                     // over ranks
    float min = 0, max = 0, median = 0, low = 0, high = 0;  // low, high: the middle 80 %
    std::uint32_t ranks = 0;                                // with a finite sample there
    std::uint32_t nonFinite = 0;                            // samples
    int firstNonFiniteRank = -1;
};

// The source of the steps per epoch: a given value (job file, checkpoints), log lines, or the printed steps.
struct StepRule {
    std::int64_t given = 0, said = 0;
    std::int64_t finished = 0;  // largest printed step of a finished epoch
    std::int64_t largest = 0;   // largest printed step in any epoch
    bool fromZero = false;      // a step 0 was printed
    bool operator==(const StepRule &) const = default;
    [[nodiscard]] std::int64_t stepsPerEpoch() const;
};

struct TimeAnchor {
    std::int64_t position = 0;
    WallTime time = {};
};  // position nominal

class Run {
public:
    explicit Run(std::int64_t stepsPerEpoch = 0);
    ~Run();

    // -- feeding (engine thread)
    int beginAttempt(WallTime started, std::optional<std::int64_t> resumedFrom = {});  // returns its index
    // The attempt of a launch at that time. It is the current attempt if one of the launch's logs came first and began
    // it, otherwise a new one.
    int launchedAttempt(WallTime at, std::optional<std::int64_t> resumedFrom);
    // Reports that a process of the current attempt began at that time (console's clock), from which a late console
    // learns the start of the attempt. If the process began before the last line of an earlier attempt, it belongs to
    // that attempt. Returns true if the start has changed.
    bool ranSince(WallTime processStarted);
    void setStepOffset(int attempt, std::int64_t offset);
    void setResumedFrom(int attempt, std::int64_t position);  // also sets discardedAfter of those before
    // Adds samples of one log in file order. older: from the back-fill, before all samples that this rank has in the
    // attempt. Returns how many were placed. The others wait until the number of steps per epoch is known, which may be
    // learned from these samples.
    std::size_t add(int rank, int attempt, const std::vector<Sample> &samples, WallTime heard, bool older = false);
    std::uint64_t add(Event event);             // returns its id; 0 for epochTime, which is not shown as an event
    void setStepsPerEpoch(std::int64_t steps);  // as checkpoints prove it; a value of the job file has precedence

    // -- reading
    [[nodiscard]] std::int64_t stepsPerEpoch() const;  // 0: unknown so far
    [[nodiscard]] std::optional<std::int64_t> nominal(std::optional<std::int64_t> epoch,
                                                      std::optional<std::int64_t> step) const;
    [[nodiscard]] std::vector<AttemptInfo> attempts() const;
    [[nodiscard]] int currentAttempt() const;                         // -1 before the first
    [[nodiscard]] const Series *series(int rank, int attempt) const;  // nullptr: none
    // A rank's losses at positions [from, to], ascending. If several attempts have a loss at a position, the newest
    // attempt counts.
    [[nodiscard]] std::vector<PlacedSample> losses(int rank, std::int64_t from, std::int64_t to) const;
    // Positions of a rank's first lines without a loss, at most firstStepsKept.
    static constexpr std::size_t firstStepsKept = 9;
    [[nodiscard]] std::vector<std::int64_t> firstSteps(int rank, int attempt) const;
    [[nodiscard]] std::vector<int> ranks() const;
    [[nodiscard]] RankProgress progress(int rank) const;
    [[nodiscard]] std::vector<Event> events(std::uint64_t afterId = 0) const;  // copies: ask for what is new
    [[nodiscard]] std::vector<Event> newestEvents(std::size_t count) const;
    [[nodiscard]] std::uint64_t lastEventId() const;  // 0: there are no events
    [[nodiscard]] std::optional<NonFinite>
    firstNonFinite(int rank, int attempt) const;                     // since the last good loss; empty: losses are good
    [[nodiscard]] std::optional<std::int64_t> lastPosition() const;  // newest of all ranks, current attempt
    [[nodiscard]] std::optional<WallTime> timeAt(std::int64_t position, int attempt) const;  // interpolated
    [[nodiscard]] std::optional<double> stepSeconds() const;                                 // median over ranks
    // discarded: only samples beyond discardedAfter of their attempts; otherwise only those that count.
    [[nodiscard]] std::vector<EnvelopeColumn> envelope(const ColumnGrid &grid, bool discarded = false) const;
    // Columns of the samples that count, joined over the attempts.
    [[nodiscard]] std::vector<Column> line(int rank, const ColumnGrid &grid) const;
    // Metrics are kept for the first mostMeasured ranks of an attempt whose lines have any.
    static constexpr int mostMeasured = 8;
    [[nodiscard]] const Series *metric(int rank, int attempt, Metric metric) const;  // nullptr: none
    [[nodiscard]] std::vector<int> measured(Metric metric) const;                    // ranks that have it
    [[nodiscard]] std::vector<EnvelopeColumn> envelope(const ColumnGrid &grid, Metric metric, bool discarded) const;
    [[nodiscard]] std::uint64_t sampleCount() const;

    // -- for the history: data that is not available above, and its restoration. Call restored() last.
    [[nodiscard]] const StepRule &stepRule() const;
    [[nodiscard]] std::vector<TimeAnchor> anchors(int attempt) const;
    [[nodiscard]] std::vector<Sample> waiting(int rank, int attempt) const;
    [[nodiscard]] std::size_t waitingCount(int rank, int attempt) const;
    [[nodiscard]] std::optional<RankProgress> progressIn(int rank, int attempt) const;
    [[nodiscard]] std::uint64_t seriesRevision(int rank, int attempt) const;  // changes when placed samples moved
    [[nodiscard]] std::uint64_t metricRevision(int rank, int attempt, Metric metric) const;
    [[nodiscard]] std::uint64_t eventsRevision() const;  // changes when an older event has changed
    void restoreAttempt(const AttemptInfo &info);
    void restoreSamples(int rank, int attempt, const std::vector<PlacedSample> &nominal);
    void restoreMetric(int rank, int attempt, Metric metric, const std::vector<PlacedSample> &nominal);
    void restoreWaiting(int rank, int attempt, const std::vector<Sample> &samples);
    void restoreProgress(const RankProgress &progress);
    [[nodiscard]] std::optional<SilencePattern> silences(int rank, int attempt) const;  // empty: too few
    void restoreSilences(int rank, int attempt, const SilencePattern &pattern);
    void restoreAnchors(int attempt, const std::vector<TimeAnchor> &anchors);
    void restoreEvent(Event event);
    void restored(const StepRule &rule);  // the rule by which the restored samples were placed

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
