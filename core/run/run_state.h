// SPDX-License-Identifier: GPL-3.0-or-later
// Internal state of a Run: run.cpp writes it, run_reading.cpp reads it, run_saving.cpp serves the history.
#pragma once

#include "core/run/envelope_rows.h"
#include "core/run/run.h"
#include "core/run/step_clock.h"

#include <deque>
#include <map>
#include <mutex>

namespace rankdeck {

struct EpochStep {
    std::int64_t epoch = 0;
    std::int64_t step = 0;
};

struct MetricValue {
    Metric metric;
    float value;
};

struct WaitingSample {  // a sample that waits until the steps per epoch are known
    std::int64_t epoch = 0, step = 0;
    double fraction = -1;  // epoch as Hugging Face prints it; < 0: epoch and step are used
    float loss = 0;
    std::uint64_t offset = 0;
    std::vector<MetricValue> metrics = {};
};

struct RankRecord {
    Series series;
    std::map<Metric, Series> metrics;
    bool measured = false;  // true: its metrics are kept
    std::deque<WaitingSample> waiting;
    std::optional<EpochStep> oldest, newest;  // in file order, among samples with epoch and step
    RankProgress progress;
    StepClock clock;
    // The event about the first NaN or Inf loss since the last good ones.
    std::uint64_t nanEvent = 0;              // id; 0: none
    std::optional<WaitingSample> nanSample;  // that sample, while its place is unknown
    std::optional<NonFinite> nonFinite;      // as in its event
    int finiteInRow = 0;                     // number of good samples at the end
    int gradientsInRow = 0;                  // number of samples at the end whose gradients are NaN or Inf
    std::optional<double> lossScale;         // loss scale of the previous sample
    bool nanRestored = false;                // from a history, which does not record whether good losses have followed
    std::uint64_t rebuilt = 0;
    std::vector<std::int64_t> firstSteps;  // nominal, of lines without a loss
    bool byEpoch = false;                  // placed by epoch and step: positions depend on the steps per epoch
};

// Range of steps of all ranks of an attempt, updated with each line because every snapshot needs it. Steps are nominal
// (without the offset).
struct Extent {
    std::optional<std::int64_t> first, last;
    std::uint64_t samples = 0;  // placed and waiting

    void take(const RankRecord &state, std::uint64_t before);  // before: number of samples that it had
};

struct AttemptState {
    AttemptInfo info;  // first, last and discarded are computed on request
    std::map<int, RankRecord> ranks;
    Extent extent;
    std::vector<TimeAnchor> anchors;
    int measured = 0;   // number of ranks whose metrics are kept
    EnvelopeRows rows;  // rows of the losses; readers make them, under Impl::rowsMutex
};

std::uint64_t samplesOf(const RankRecord &state);  // placed and waiting

class Run::Impl {
public:
    StepRule rule;
    std::vector<AttemptState> attempts;
    std::deque<Event> events;
    std::uint64_t nextEvent = 1;
    std::uint64_t eventsRevision = 0;
    std::mutex rowsMutex;

    [[nodiscard]] const AttemptState *attempt(int index) const;
    [[nodiscard]] AttemptState *attempt(int index);
    [[nodiscard]] const RankRecord *rank(int rank, int attempt) const;
    [[nodiscard]] std::vector<AttemptInfo> infos() const;

    [[nodiscard]] std::optional<std::int64_t> place(const WaitingSample &sample) const;
    void observe(RankRecord &state, const std::vector<Sample> &samples, bool older);
    void changeRule(const StepRule &before);
    void respace(RankRecord &state, const StepRule &before);
    [[nodiscard]] Series respaced(const Series &series, const StepRule &before) const;
    std::size_t placeWaiting(AttemptState &attempt, RankRecord &state);
    std::size_t addNewer(AttemptState &attempt, RankRecord &state, const std::vector<Sample> &samples);
    std::size_t addOlder(AttemptState &attempt, RankRecord &state, const std::vector<Sample> &samples);
    [[nodiscard]] std::size_t mostRanks() const;  // largest number of ranks in any attempt
    [[nodiscard]] std::vector<EnvelopeColumn> envelopeOfRanks(const ColumnGrid &grid, bool discarded) const;
    void foldRows(const ColumnGrid &grid, const AttemptInfo &info, bool discarded, std::vector<FoldedColumn> &into);
    void noteProgress(AttemptState &attempt, RankRecord &state, const std::vector<Sample> &samples, WallTime heard);
    void noteEnd(AttemptState &attempt, RankRecord &state, const Sample &last, WallTime heard);
    void noteNonFinite(AttemptState &attempt, int rank, const std::vector<Sample> &samples, WallTime heard, bool older);
    void noteOlderNonFinite(AttemptState &attempt, int rank, const std::vector<Sample> &samples, WallTime heard);
    Event nonFiniteEvent(const AttemptState &attempt, int rank, const Sample &bad, WallTime heard);
    std::uint64_t addEvent(Event event);
    Event *event(std::uint64_t id);

    static constexpr std::int64_t maxEpoch = 1'000'000'000;
    static constexpr std::int64_t maxStep = 1'000'000'000'000'000;
    static constexpr std::size_t maxEvents = 200'000;
};

}  // namespace rankdeck
