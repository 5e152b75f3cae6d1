// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_state.h"

#include <algorithm>
#include <utility>

namespace rankdeck {

const StepRule &Run::stepRule() const { return m_impl->rule; }

std::vector<TimeAnchor> Run::anchors(int attempt) const
{
    const AttemptState *state = m_impl->attempt(attempt);
    return state == nullptr ? std::vector<TimeAnchor>() : state->anchors;
}

std::vector<Sample> Run::waiting(int rank, int attempt) const
{
    std::vector<Sample> result;
    const RankRecord *state = m_impl->rank(rank, attempt);
    if (state == nullptr) return result;
    for (const WaitingSample &waiting : state->waiting) {
        Sample &sample = result.emplace_back();
        sample.loss = waiting.loss;
        sample.offset = waiting.offset;
        if (waiting.fraction >= 0) {
            sample.fractionalEpoch = waiting.fraction;
        } else {
            sample.epoch = waiting.epoch;
            sample.step = waiting.step;
        }
    }
    return result;
}

std::size_t Run::waitingCount(int rank, int attempt) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    return state == nullptr ? 0 : state->waiting.size();
}

std::uint64_t Run::seriesRevision(int rank, int attempt) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    return state == nullptr ? 0 : state->rebuilt + state->series.insertions();
}

std::uint64_t Run::metricRevision(int rank, int attempt, Metric metric) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    const Series *series = this->metric(rank, attempt, metric);
    return series == nullptr ? 0 : state->rebuilt + series->insertions();
}

std::uint64_t Run::eventsRevision() const { return m_impl->eventsRevision; }

void Run::restoreAttempt(const AttemptInfo &info)
{
    const int index = beginAttempt(info.started, info.resumedFrom);
    m_impl->attempts.back().info.stepOffset = info.stepOffset;
    m_impl->attempts.back().info.index = index;
}

void Run::restoreSamples(int rank, int attempt, const std::vector<PlacedSample> &nominal)
{
    AttemptState *state = m_impl->attempt(attempt);
    if (state == nullptr) return;
    RankRecord &rankState = state->ranks[rank];
    rankState.series.setShift(state->info.stepOffset);
    rankState.progress.rank = rank;
    rankState.progress.attempt = attempt;
    const std::uint64_t had = samplesOf(rankState);
    for (const PlacedSample &sample : nominal) {
        rankState.series.append(sample);
        state->rows.placed(sample.step);
    }
    state->extent.take(rankState, had);
}

void Run::restoreMetric(int rank, int attempt, Metric metric, const std::vector<PlacedSample> &nominal)
{
    AttemptState *state = m_impl->attempt(attempt);
    if (state == nullptr) return;
    RankRecord &rankState = state->ranks[rank];
    if (!std::exchange(rankState.measured, true)) ++state->measured;
    Series &series = rankState.metrics[metric];
    series.setShift(state->info.stepOffset);
    for (const PlacedSample &sample : nominal) series.append(sample);
}

void Run::restoreWaiting(int rank, int attempt, const std::vector<Sample> &samples)
{
    AttemptState *state = m_impl->attempt(attempt);
    if (state == nullptr) return;
    RankRecord &rankState = state->ranks[rank];
    rankState.series.setShift(state->info.stepOffset);
    rankState.byEpoch = true;
    state->extent.samples += samples.size();
    for (const Sample &sample : samples) {
        WaitingSample &waiting = rankState.waiting.emplace_back();
        waiting.loss = static_cast<float>(sample.loss);
        waiting.offset = sample.offset;
        waiting.fraction = sample.fractionalEpoch.value_or(-1);
        waiting.epoch = sample.epoch.value_or(1);
        waiting.step = sample.step.value_or(0);
    }
}

void Run::restoreProgress(const RankProgress &progress)
{
    AttemptState *state = m_impl->attempt(progress.attempt);
    if (state == nullptr) return;
    RankRecord &rankState = state->ranks[progress.rank];
    rankState.series.setShift(state->info.stepOffset);
    rankState.progress = progress;
    if (progress.position) *rankState.progress.position -= state->info.stepOffset;
    rankState.byEpoch = rankState.byEpoch || progress.epoch.has_value();
    if (progress.epoch && progress.step) rankState.newest = EpochStep{*progress.epoch, *progress.step};
}

std::optional<SilencePattern> Run::silences(int rank, int attempt) const
{
    const RankRecord *state = m_impl->rank(rank, attempt);
    return state == nullptr ? std::nullopt : state->clock.pattern();
}

void Run::restoreSilences(int rank, int attempt, const SilencePattern &pattern)
{
    AttemptState *state = m_impl->attempt(attempt);
    if (state == nullptr) return;
    RankRecord &record = state->ranks[rank];
    record.clock.remember(pattern, record.progress.position.value_or(pattern.first));
}

void Run::restoreAnchors(int attempt, const std::vector<TimeAnchor> &anchors)
{
    if (AttemptState *state = m_impl->attempt(attempt)) state->anchors = anchors;
}

void Run::restoreEvent(Event event)
{
    if (event.kind == EventKind::nan)
        if (AttemptState *state = m_impl->attempt(event.attempt)) {
            state->ranks[event.rank].nanEvent = event.id;
            state->ranks[event.rank].nonFinite = NonFinite{event.time, event.position};
            state->ranks[event.rank].nanRestored = true;
            state->ranks[event.rank].progress.gradientsBroken = event.text.starts_with("gradient norm");
        }
    m_impl->nextEvent = std::max(m_impl->nextEvent, event.id + 1);
    m_impl->events.push_back(std::move(event));
}

void Run::restored(const StepRule &rule)
{
    StepRule now = rule;
    if (m_impl->rule.given > 0) now.given = m_impl->rule.given;
    m_impl->rule = now;
    m_impl->changeRule(rule);
}

}  // namespace rankdeck
