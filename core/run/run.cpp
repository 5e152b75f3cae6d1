// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run.h"

#include "core/base/text.h"
#include "core/run/run_state.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {

namespace {

constexpr std::size_t maxAnchors = 4096;
constexpr double anchorEvery = 1.0;  // seconds
constexpr int maxRank = 1'000'000;

// nullopt: the line does not show the step of its loss.
std::optional<WaitingSample> placeOf(const Sample &sample)
{
    WaitingSample place;
    place.loss = static_cast<float>(sample.loss);
    place.offset = sample.offset;
    if (sample.globalStep) {
        place.epoch = 1;
        place.step = *sample.globalStep;
    } else if (sample.step) {
        place.epoch = sample.epoch.value_or(1);
        place.step = *sample.step;
    } else if (sample.fractionalEpoch) {
        place.fraction = *sample.fractionalEpoch;
    } else {
        return std::nullopt;
    }
    return place;
}

std::vector<MetricValue> metricsOf(const Sample &sample)
{
    std::vector<MetricValue> values;
    for (const MetricRow &row : metricRows)
        if (const std::optional<double> value = metricOf(sample, row.metric))
            values.push_back({row.metric, static_cast<float>(*value)});
    return values;
}

bool saysMetrics(const std::vector<Sample> &samples)
{
    return std::any_of(samples.begin(), samples.end(), [](const Sample &sample) { return !metricsOf(sample).empty(); });
}

Series &seriesOf(RankRecord &state, Metric metric)
{
    const auto [at, fresh] = state.metrics.try_emplace(metric);
    if (fresh) at->second.setShift(state.series.shift());
    return at->second;
}

// A loss scaler skips a step with an overflow, which does no harm. After this many good losses, a later overflow counts
// as a new problem.
constexpr int recoveredAfter = 3;
// A loss scaler skips steps with an overflow and lowers its scale. If the scale is not lowered for this many such steps
// in a row, the gradients are lost.
constexpr int brokenAfter = 2;

// Judges the next sample of a rank. True if its gradients are permanently broken; with a loss of exactly 0, the first
// such sample is enough.
bool breaksGradients(RankRecord &state, const Sample &sample)
{
    const bool scalerActs = sample.lossScale && state.lossScale && *sample.lossScale < *state.lossScale;
    if (sample.lossScale) state.lossScale = sample.lossScale;
    const bool bad = sample.gradNorm && !std::isfinite(*sample.gradNorm);
    state.gradientsInRow = bad && !scalerActs ? std::min(state.gradientsInRow + 1, brokenAfter) : 0;
    return state.gradientsInRow >= brokenAfter || (bad && sample.hasLoss && sample.loss == 0);
}

void forgetNonFinite(RankRecord &state)
{
    state.nanEvent = 0;
    state.nanSample.reset();
    state.nonFinite.reset();
}

}  // namespace

std::uint64_t samplesOf(const RankRecord &state) { return state.series.size() + state.waiting.size(); }

void Extent::take(const RankRecord &state, std::uint64_t before)
{
    samples += samplesOf(state) - before;
    const std::optional<PlacedSample> oldest = state.series.first(), newest = state.series.last();
    if (!oldest || !newest) return;
    const std::int64_t shift = state.series.shift();
    first = std::min(first.value_or(oldest->step - shift), oldest->step - shift);
    last = std::max(last.value_or(newest->step - shift), newest->step - shift);
}

std::int64_t StepRule::stepsPerEpoch() const
{
    if (given > 0) return given;
    if (said > 0 && said >= largest) return said;
    if (finished == 0 && said == 0) return 0;
    return std::max(finished, largest) + (fromZero ? 1 : 0);
}

Run::Run(std::int64_t stepsPerEpoch) : m_impl(std::make_unique<Impl>())
{
    m_impl->rule.given = std::clamp<std::int64_t>(stepsPerEpoch, 0, Impl::maxEpoch);
}
Run::~Run() = default;

int Run::beginAttempt(WallTime started, std::optional<std::int64_t> resumedFrom)
{
    AttemptState &attempt = m_impl->attempts.emplace_back();
    attempt.info.index = static_cast<int>(m_impl->attempts.size()) - 1;
    attempt.info.started = started;
    attempt.info.resumedFrom = resumedFrom;
    return attempt.info.index;
}

int Run::launchedAttempt(WallTime at, std::optional<std::int64_t> resumedFrom)
{
    if (m_impl->attempts.empty() || m_impl->attempts.back().info.started < at) return beginAttempt(at, resumedFrom);
    AttemptInfo &begun = m_impl->attempts.back().info;
    begun.started = at;
    begun.resumedFrom = resumedFrom;
    return begun.index;
}

bool Run::ranSince(WallTime processStarted)
{
    // Seconds. A watching console saw the attempt begin, and a node's clock is known only with a small error.
    constexpr double late = 5;
    if (m_impl->attempts.empty() || processStarted == WallTime{}) return false;
    AttemptInfo &current = m_impl->attempts.back().info;
    if (secondsBetween(processStarted, current.started) < late) return false;
    for (const AttemptState &attempt : m_impl->attempts) {
        if (attempt.info.index == current.index) break;
        if (processStarted <= attempt.info.started) return false;
        for (const auto &[rank, record] : attempt.ranks)
            if (processStarted <= record.progress.heard) return false;
    }
    current.started = processStarted;
    return true;
}

void Run::setResumedFrom(int attempt, std::int64_t position)
{
    if (AttemptState *state = m_impl->attempt(attempt)) state->info.resumedFrom = position;
}

void Run::setStepOffset(int attempt, std::int64_t offset)
{
    AttemptState *state = m_impl->attempt(attempt);
    if (state == nullptr) return;
    const std::int64_t moved = offset - state->info.stepOffset;
    if (moved == 0) return;
    state->info.stepOffset = offset;
    for (auto &[rank, rankState] : state->ranks) {
        rankState.series.setShift(offset);
        for (auto &[metric, series] : rankState.metrics) series.setShift(offset);
    }
    for (Event &event : m_impl->events)
        if (event.attempt == attempt && event.position) *event.position += moved;
    ++m_impl->eventsRevision;
}

void Run::setStepsPerEpoch(std::int64_t steps)
{
    const StepRule before = m_impl->rule;
    if (before.given > 0 || steps <= 0 || steps > Impl::maxEpoch) return;
    m_impl->rule.given = steps;
    m_impl->changeRule(before);
}

std::size_t Run::add(int rank, int attempt, const std::vector<Sample> &samples, WallTime heard, bool older)
{
    AttemptState *attemptState = m_impl->attempt(attempt);
    if (attemptState == nullptr || rank < 0 || rank > maxRank || samples.empty()) return 0;
    const auto [at, fresh] = attemptState->ranks.try_emplace(rank);
    RankRecord &state = at->second;
    if (fresh) {
        state.series.setShift(attemptState->info.stepOffset);
        state.progress.rank = rank;
        state.progress.attempt = attempt;
    }
    if (!state.measured && attemptState->measured < mostMeasured && saysMetrics(samples)) {
        state.measured = true;
        ++attemptState->measured;
    }
    if (state.nanRestored && !older) {
        state.nanRestored = false;
        state.finiteInRow = state.progress.seen() && !isBroken(state.progress) ? recoveredAfter : 0;
        if (state.finiteInRow > 0) forgetNonFinite(state);
    }
    const StepRule before = m_impl->rule;
    m_impl->observe(state, samples, older);
    m_impl->changeRule(before);
    const std::uint64_t had = samplesOf(state);
    const std::size_t placed =
        older ? m_impl->addOlder(*attemptState, state, samples) : m_impl->addNewer(*attemptState, state, samples);
    attemptState->extent.take(state, had);
    if (!older || !state.progress.hasLoss)
        m_impl->noteProgress(*attemptState, state, samples, older ? WallTime{} : heard);
    m_impl->noteNonFinite(*attemptState, rank, samples, heard, older);
    return placed;
}

bool isBroken(const RankProgress &progress)
{
    return progress.gradientsBroken || (progress.hasLoss && !std::isfinite(progress.loss));
}

std::uint64_t Run::add(Event event)
{
    if (event.kind != EventKind::epochTime) return m_impl->addEvent(std::move(event));
    AttemptState *attempt = m_impl->attempt(event.attempt);
    if (attempt != nullptr && event.stepMs)
        if (const auto at = attempt->ranks.find(event.rank); at != attempt->ranks.end())
            at->second.clock.epochTime(*event.stepMs);
    if (event.stepsPerEpoch > 0 && event.stepsPerEpoch <= Impl::maxEpoch) {
        const StepRule before = m_impl->rule;
        m_impl->rule.said = event.stepsPerEpoch;
        m_impl->changeRule(before);
    }
    return 0;
}

AttemptState *Run::Impl::attempt(int index)
{
    return index >= 0 && index < static_cast<int>(attempts.size()) ? &attempts[static_cast<std::size_t>(index)]
                                                                   : nullptr;
}

// Derives the steps per epoch from these samples, and from those next to the known ones.
void Run::Impl::observe(RankRecord &state, const std::vector<Sample> &samples, bool older)
{
    std::optional<EpochStep> previous = older ? std::nullopt : state.newest;
    const auto next = [&](const EpochStep &step) {
        if (previous && step.epoch > previous->epoch) rule.finished = std::max(rule.finished, previous->step);
        previous = step;
    };
    std::optional<EpochStep> first;
    for (const Sample &sample : samples) {
        if (sample.stepsPerEpoch > 0) rule.said = sample.stepsPerEpoch;
        if (!sample.epoch || !sample.step || sample.globalStep || *sample.epoch > maxEpoch || *sample.step > maxEpoch)
            continue;
        const EpochStep step{*sample.epoch, *sample.step};
        rule.largest = std::max(rule.largest, step.step);
        rule.fromZero = rule.fromZero || step.step == 0;
        next(step);
        if (!first) first = step;
    }
    if (!first) return;
    if (older) {
        const EpochStep seam = *previous;
        if (state.oldest && state.oldest->epoch > seam.epoch) rule.finished = std::max(rule.finished, seam.step);
        state.oldest = first;
        if (!state.newest) state.newest = seam;
    } else {
        state.newest = previous;
        if (!state.oldest) state.oldest = first;
    }
}

void Run::Impl::changeRule(const StepRule &before)
{
    if (rule.stepsPerEpoch() == before.stepsPerEpoch()) return;
    for (AttemptState &attempt : attempts) {
        attempt.extent = {};
        attempt.rows.clear();
        for (auto &[rank, state] : attempt.ranks) {
            if (before.stepsPerEpoch() > 0) respace(state, before);
            placeWaiting(attempt, state);
            attempt.extent.take(state, 0);
        }
    }
}

// Recomputes positions that were computed with another number of steps per epoch.
void Run::Impl::respace(RankRecord &state, const StepRule &before)
{
    if (!state.byEpoch) return;
    std::uint64_t insertions = state.series.insertions();
    for (auto &[metric, series] : state.metrics) {
        insertions = std::max(insertions, series.insertions());
        series = respaced(series, before);
    }
    state.rebuilt += 1 + insertions;
    state.series = respaced(state.series, before);
}

Series Run::Impl::respaced(const Series &old, const StepRule &before) const
{
    const std::int64_t oldSteps = before.stepsPerEpoch();
    const std::int64_t newSteps = rule.stepsPerEpoch();
    const std::int64_t base = before.fromZero ? 0 : 1;
    std::vector<PlacedSample> samples = old.slice(0, old.size());
    Series series;
    for (PlacedSample &sample : samples) {
        const std::int64_t place = sample.step - base;
        const std::int64_t epoch = place >= 0 ? place / oldSteps : -((oldSteps - 1 - place) / oldSteps);
        sample.step = epoch * newSteps + (place - epoch * oldSteps) + base;
        series.append(sample);
    }
    series.setShift(old.shift());
    return series;
}

std::optional<std::int64_t> Run::Impl::place(const WaitingSample &sample) const
{
    const std::int64_t steps = rule.stepsPerEpoch();
    if (sample.fraction >= 0) {
        if (steps == 0) return std::nullopt;
        return std::llround(std::min(sample.fraction, static_cast<double>(maxEpoch)) * static_cast<double>(steps));
    }
    const std::int64_t step = std::clamp<std::int64_t>(sample.step, 0, maxStep);
    if (sample.epoch == 1) return step;
    if (steps == 0) return std::nullopt;
    return (std::clamp<std::int64_t>(sample.epoch, 0, maxEpoch) - 1) * steps + step;
}

std::size_t Run::Impl::placeWaiting(AttemptState &attempt, RankRecord &state)
{
    std::vector<PlacedSample> placed;
    while (!state.waiting.empty()) {
        const std::optional<std::int64_t> position = place(state.waiting.front());
        if (!position) break;
        const WaitingSample &sample = state.waiting.front();
        placed.push_back({*position, sample.loss, sample.offset});
        for (const MetricValue &value : sample.metrics)
            seriesOf(state, value.metric).append({*position, value.value, sample.offset});
        state.waiting.pop_front();
    }
    for (const PlacedSample &sample : placed) {
        state.series.append(sample);
        attempt.rows.placed(sample.step);
    }
    if (state.nanSample)
        if (const std::optional<std::int64_t> position = place(*state.nanSample))
            if (Event *nan = event(state.nanEvent)) {
                nan->position = *position + attempt.info.stepOffset;
                state.nonFinite = NonFinite{nan->time, nan->position};
                ++eventsRevision;
            }
    return placed.size();
}

std::size_t Run::Impl::addNewer(AttemptState &attempt, RankRecord &state, const std::vector<Sample> &samples)
{
    std::size_t placed = 0;
    for (const Sample &sample : samples) {
        std::optional<WaitingSample> waiting = placeOf(sample);
        const std::vector<MetricValue> metrics = state.measured ? metricsOf(sample) : std::vector<MetricValue>();
        std::optional<std::int64_t> position;
        if (waiting) {
            position = place(*waiting);
            state.byEpoch =
                state.byEpoch || waiting->epoch != 1 || waiting->fraction >= 0 || (sample.epoch && !sample.globalStep);
        } else {
            // The pattern gives only the loss, so the lines are counted.
            const std::optional<PlacedSample> last = state.series.last();
            position = last ? last->step - state.series.shift() + 1 : 1;
        }
        if (position) {
            if (sample.hasLoss) {
                state.series.append({*position, static_cast<float>(sample.loss), sample.offset});
                attempt.rows.placed(*position);
                ++placed;
            } else if (state.firstSteps.size() < firstStepsKept) {
                state.firstSteps.push_back(*position);
            }
            for (const MetricValue &value : metrics)
                seriesOf(state, value.metric).append({*position, value.value, sample.offset});
        } else if (sample.hasLoss) {
            waiting->metrics = metrics;
            state.waiting.push_back(std::move(*waiting));
        }
    }
    return placed;
}

std::size_t Run::Impl::addOlder(AttemptState &attempt, RankRecord &state, const std::vector<Sample> &samples)
{
    std::vector<PlacedSample> placed;
    std::vector<WaitingSample> waiting;
    std::map<Metric, std::vector<PlacedSample>> measured;
    const std::optional<PlacedSample> first = state.series.first();
    const auto losses = std::count_if(samples.begin(), samples.end(), [](const Sample &one) { return one.hasLoss; });
    std::int64_t counted = (first ? first->step - state.series.shift() : 1) - losses;
    for (const Sample &sample : samples) {
        std::optional<WaitingSample> one = placeOf(sample);
        std::vector<MetricValue> metrics = state.measured ? metricsOf(sample) : std::vector<MetricValue>();
        const std::optional<std::int64_t> position = one ? place(*one) : counted;
        counted += sample.hasLoss ? 1 : 0;
        if (one)
            state.byEpoch =
                state.byEpoch || one->epoch != 1 || one->fraction >= 0 || (sample.epoch && !sample.globalStep);
        if (position) {
            if (sample.hasLoss) {
                placed.push_back({*position, static_cast<float>(sample.loss), sample.offset});
                attempt.rows.placed(*position);
            }
            for (const MetricValue &value : metrics)
                measured[value.metric].push_back({*position, value.value, sample.offset});
        } else if (sample.hasLoss) {
            one->metrics = std::move(metrics);
            waiting.push_back(std::move(*one));
        }
    }
    state.series.prepend(placed);
    for (const auto &[metric, values] : measured) seriesOf(state, metric).prepend(values);
    state.waiting.insert(state.waiting.begin(), waiting.begin(), waiting.end());
    return placed.size();
}

void Run::Impl::noteProgress(AttemptState &attempt, RankRecord &state, const std::vector<Sample> &samples,
                             WallTime heard)
{
    RankProgress &progress = state.progress;
    const auto loss =
        std::find_if(samples.rbegin(), samples.rend(), [](const Sample &sample) { return sample.hasLoss; });
    if (loss != samples.rend()) {
        progress.loss = loss->loss;
        progress.hasLoss = true;
    }
    // The back-fill brought a loss for a rank whose newest lines have none.
    if (heard == WallTime{} && progress.seen()) return;
    noteEnd(attempt, state, samples.back(), heard);
}

void Run::Impl::noteEnd(AttemptState &attempt, RankRecord &state, const Sample &last, WallTime heard)
{
    RankProgress &progress = state.progress;
    progress.stepped = true;
    progress.epoch = last.epoch;
    progress.step = last.step ? last.step : last.globalStep;
    if (last.learningRate) progress.learningRate = last.learningRate;
    if (last.gradNorm) progress.gradNorm = last.gradNorm;
    if (last.lossScale) progress.lossScale = last.lossScale;
    if (last.throughput) progress.throughput = last.throughput;
    if (last.total > 0) progress.total = last.total;
    if (last.stepMs) state.clock.printed(*last.stepMs);
    const std::optional<WaitingSample> where = placeOf(last);
    const std::optional<PlacedSample> end = state.series.last();
    const std::optional<std::int64_t> position = where ? place(*where)
                                                 : end ? std::optional<std::int64_t>(end->step - state.series.shift())
                                                       : std::nullopt;
    progress.position = position;  // nominal; readers add the offset
    if (position && !last.hasLoss) {
        attempt.extent.first = std::min(attempt.extent.first.value_or(*position), *position);
        attempt.extent.last = std::max(attempt.extent.last.value_or(*position), *position);
    }
    if (heard == WallTime{}) return;
    progress.heard = heard;
    if (!position) return;
    state.clock.arrived(*position, heard);
    if (!state.clock.live()) return;
    const TimeAnchor *newest = attempt.anchors.empty() ? nullptr : &attempt.anchors.back();
    if (newest != nullptr && (newest->position >= *position || secondsBetween(newest->time, heard) < anchorEvery))
        return;
    attempt.anchors.push_back({*position, heard});
    if (attempt.anchors.size() < maxAnchors) return;
    for (std::size_t i = 0; 2 * i < attempt.anchors.size(); ++i) attempt.anchors[i] = attempt.anchors[2 * i];
    attempt.anchors.resize(attempt.anchors.size() / 2);
}

Event Run::Impl::nonFiniteEvent(const AttemptState &attempt, int rank, const Sample &bad, WallTime heard)
{
    const bool loss = bad.hasLoss && !std::isfinite(bad.loss);
    const double value = loss ? bad.loss : bad.gradNorm.value_or(bad.loss);
    Event event;
    const std::string shown = std::isnan(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
    event.text = loss ? message("loss is %1", shown) : message("gradient norm is %1", shown);
    if (bad.epoch && bad.step)
        event.text = message("%1 at epoch %2, step %3", event.text, grouped(*bad.epoch), grouped(*bad.step));
    else if (bad.epoch)
        event.text = message("%1 at epoch %2", event.text, grouped(*bad.epoch));
    else if (bad.globalStep)
        event.text = message("%1 at step %2", event.text, grouped(*bad.globalStep));
    event.kind = EventKind::nan;
    event.rank = rank;
    event.attempt = attempt.info.index;
    event.time = heard;
    event.logOffset = bad.offset;
    if (const auto at = placeOf(bad))
        if (const std::optional<std::int64_t> position = place(*at))
            event.position = *position + attempt.info.stepOffset;
    return event;
}

void Run::Impl::noteNonFinite(AttemptState &attempt, int rank, const std::vector<Sample> &samples, WallTime heard,
                              bool older)
{
    if (older) {
        noteOlderNonFinite(attempt, rank, samples, heard);
        return;
    }
    RankRecord &state = attempt.ranks[rank];
    for (const Sample &sample : samples) {
        state.progress.gradientsBroken = breaksGradients(state, sample);
        if (!state.progress.gradientsBroken && (!sample.hasLoss || std::isfinite(sample.loss))) {
            state.finiteInRow = std::min(state.finiteInRow + 1, recoveredAfter);
            if (state.finiteInRow == recoveredAfter) forgetNonFinite(state);
            continue;
        }
        state.finiteInRow = 0;
        if (state.nanEvent != 0) continue;
        Event event = nonFiniteEvent(attempt, rank, sample, heard);
        state.nanSample = placeOf(sample);
        state.nonFinite = NonFinite{event.time, event.position};
        state.nanEvent = addEvent(std::move(event));
    }
}

// The back-fill brought an earlier NaN or Inf. It belongs to the known one if no good losses are in between.
void Run::Impl::noteOlderNonFinite(AttemptState &attempt, int rank, const std::vector<Sample> &samples, WallTime heard)
{
    RankRecord &state = attempt.ranks[rank];
    const Sample *first = nullptr, *ended = nullptr;
    int good = 0;
    for (const Sample &sample : samples) {
        if (!sample.hasLoss) continue;
        good = std::isfinite(sample.loss) ? good + 1 : 0;
        if (good == 0 && !first) first = &sample;
        if (good < recoveredAfter || !first) continue;
        ended = first;
        first = nullptr;
    }
    const Event *known = this->event(state.nanEvent);
    if (!first || (!known && state.finiteInRow >= recoveredAfter)) {
        const Sample *told = first ? first : ended;
        if (told && !known) addEvent(nonFiniteEvent(attempt, rank, *told, heard));
        return;
    }
    Event event = nonFiniteEvent(attempt, rank, *first, heard);
    state.nanSample = placeOf(*first);
    if (Event *old = this->event(state.nanEvent)) {
        event.id = old->id;
        event.logPath = old->logPath;
        event.node = old->node;
        event.time = old->time;
        state.nonFinite = NonFinite{event.time, event.position};
        *old = std::move(event);
        ++eventsRevision;
        return;
    }
    state.nonFinite = NonFinite{event.time, event.position};
    state.nanEvent = addEvent(std::move(event));
}

std::uint64_t Run::Impl::addEvent(Event event)
{
    event.id = nextEvent++;
    events.push_back(std::move(event));
    if (events.size() > maxEvents) events.pop_front();
    return nextEvent - 1;
}

Event *Run::Impl::event(std::uint64_t id)
{
    const auto at = std::lower_bound(events.begin(), events.end(), id,
                                     [](const Event &event, std::uint64_t wanted) { return event.id < wanted; });
    return at != events.end() && at->id == id ? &*at : nullptr;
}

}  // namespace rankdeck
