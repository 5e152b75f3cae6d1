// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_state.h"

#include "core/state/protection.h"
#include "ui/state/stop_progress.h"
#include "ui/style/format.h"
#include "ui/style/marks.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

namespace {

struct Header {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Header)
};

template <class T>
std::optional<T> median(std::vector<T> values)
{
    if (values.empty()) return {};
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Total steps of the run, according to the newest log lines of this attempt.
std::optional<std::int64_t> totalSteps(const Snapshot &s)
{
    std::optional<std::int64_t> most;
    for (const RankState &rank : s.view.ranks)
        if (rank.progress.total && rank.progress.attempt == s.view.attempt)
            most = std::max(most.value_or(*rank.progress.total), *rank.progress.total);
    return most;
}

// goesOn: the run is expected to reach its end.
Vital stepVital(const Snapshot &s, bool goesOn)
{
    Vital vital{Header::tr("Step"), QStringLiteral("—"), {}};
    if (const auto last = lastPosition(s)) {
        vital.value = number(*last);
        const QString epoch = s.view.stepsPerEpoch > 0
                                  ? Header::tr("epoch %1").arg(number((*last - 1) / s.view.stepsPerEpoch + 1))
                                  : QString();
        vital.note = epoch;
        const std::optional<std::int64_t> total = totalSteps(s);
        if (!total || *total < *last || *total <= 0) return vital;
        const auto percent = static_cast<int>(100 * (static_cast<double>(*last) / static_cast<double>(*total)));
        vital.note = Header::tr("%1 % of %2").arg(percent).arg(number(*total));
        if (s.view.stepSeconds && goesOn && *total > *last)
            vital.note = Header::tr("%1 %, %2 left")
                             .arg(percent)
                             .arg(shortDuration(static_cast<double>(*total - *last) * *s.view.stepSeconds));
        vital.tip = Header::tr("of %1 steps").arg(number(*total));
        if (!epoch.isEmpty()) vital.tip += comma() + epoch;
    }
    return vital;
}

Vital lossVital(const Snapshot &s)
{
    Vital vital{Header::tr("Loss (median)"), QStringLiteral("—"), {}};
    std::vector<double> finite;
    int known = 0;
    for (const RankState &rank : s.view.ranks) {
        if (!rank.progress.hasLoss || rank.progress.attempt != s.view.attempt) continue;
        ++known;
        if (std::isfinite(rank.progress.loss)) finite.push_back(rank.progress.loss);
    }
    const int bad = known - static_cast<int>(finite.size());
    if (const auto middle = median(finite)) vital.value = lossText(*middle);
    if (known > 0 && finite.empty()) vital.value = QStringLiteral("NaN");
    if (known > 0)
        vital.note = bad > 0
                         ? Header::tr("not finite on %1").arg(nOf(bad, known))
                         : Header::tr("%1 ranks")
                               .arg(nOf(known, std::max(s.view.job.ranks(), static_cast<int>(s.view.ranks.size()))));
    return vital;
}

Vital stepTimeVital(const Snapshot &s, bool old)
{
    Vital vital{Header::tr("Step time"), QStringLiteral("—"), {}};
    if (!s.view.stepSeconds) return vital;
    const double seconds = *s.view.stepSeconds;
    const QString words = seconds < 0.1 ? Header::tr("%1 ms").arg(std::lround(seconds * 1000)) : durationWords(seconds);
    vital.value = old ? QStringLiteral("—") : words;
    vital.note = old ? Header::tr("was %1").arg(words) : Header::tr("median of ranks");
    return vital;
}

// "UCE, TTP" and the number of ranks. If no running rank is protected, the vital has no caption and is not shown.
Vital protectionVital(const Snapshot &s)
{
    const Protection found = protectionOf(s.view);
    if (found.modes.empty()) return {};
    QStringList modes;
    for (const std::string &mode : found.modes) modes << QString::fromStdString(mode);
    return {Header::tr("Protected"), modes.join(QStringLiteral(", ")),
            Header::tr("%1 ranks").arg(nOf(found.ranks, found.known)), false,
            Header::tr("MindSpore's fault tolerance, from MS_ENABLE_TFT of the running ranks")};
}

}  // namespace

RunState runState(const Snapshot &s)
{
    Fates fates = pictureOf(s, s.at).fates;
    RunState state;
    state.ranks = static_cast<int>(s.view.ranks.size());
    state.alive = std::move(fates.running);
    state.died = std::move(fates.died);
    state.exited = std::move(fates.exited);
    state.ended = std::move(fates.ended);
    state.unknown = std::move(fates.unknown);
    return state;
}

QString asOfWords(const Snapshot &s, WallTime now)
{
    std::optional<WallTime> newest = lastSampleAt(s);
    for (const Event &event : s.view.recentEvents)
        if (!newest || event.time > *newest) newest = event.time;
    if (!newest) return QStringLiteral("?");
    return secondsSince(*newest, now) < 12 * 3600 ? clockWords(*newest) : exactTime(*newest);
}

std::optional<WallTime> failureBefore(const Snapshot &s, WallTime decision)
{
    int attempt = -1;
    for (const AttemptInfo &info : s.view.attempts)
        if (info.started < decision) attempt = std::max(attempt, info.index);
    std::optional<WallTime> first;
    for (const Event &event : s.view.recentEvents) {
        const bool death = event.kind == EventKind::rankDied && event.attempt == attempt && event.time < decision;
        if (death && (!first || event.time < *first)) first = event.time;
    }
    return first;
}

ArmedState armedState(const Snapshot &s)
{
    ArmedState state;
    for (const FlagState &flag : s.view.flags) {
        if (!flag.armed) continue;
        state.armed = true;
        state.nodes << fromNode(flag.node);
    }
    const bool exitRuns = s.exit && s.exit->outcome.empty();
    if (exitRuns && !s.exit->flagReset) {
        state.armed = state.armed || std::any_of(s.exit->ranks.begin(), s.exit->ranks.end(),
                                                 [](const RankExit &rank) { return rank.armed && !rank.exited; });
    }
    if (state.armed && exitRuns) state.since = s.exit->started;
    return state;
}

bool lossIsBroken(const Snapshot &s)
{
    return std::any_of(s.view.ranks.begin(), s.view.ranks.end(), [&](const RankState &rank) {
        return rank.progress.attempt == s.view.attempt && isBroken(rank.progress);
    });
}

NodeCounts nodeCounts(const SharedVector<NodeStatus> &nodes)
{
    NodeCounts counts;
    counts.all = static_cast<int>(nodes.size());
    for (const NodeStatus &node : nodes) {
        switch (node.state) {
        case NodeState::live: ++counts.live; break;
        case NodeState::stale: ++counts.stale; break;
        case NodeState::lost: ++counts.lost; break;
        case NodeState::needsYou: ++counts.needYou; break;
        case NodeState::refused:
        case NodeState::unsupported: ++counts.refused; break;
        case NodeState::queued:
        case NodeState::connecting: ++counts.onTheWay; break;
        }
    }
    return counts;
}

std::optional<WallTime> lastSampleAt(const Snapshot &s)
{
    std::optional<WallTime> newest;
    for (const RankState &rank : s.view.ranks) {
        if (!rank.progress.seen() || !knowsTime(rank.progress.heard)) continue;
        if (!newest || rank.progress.heard > *newest) newest = rank.progress.heard;
    }
    return newest;
}

std::optional<std::int64_t> lastPosition(const Snapshot &s)
{
    std::optional<std::int64_t> newest;
    for (const RankState &rank : s.view.ranks) {
        if (!rank.progress.position || rank.progress.attempt != s.view.attempt) continue;
        if (!newest || *rank.progress.position > *newest) newest = rank.progress.position;
    }
    return newest;
}

std::vector<Vital> vitals(const Snapshot &s, WallTime now)
{
    const auto heard = lastSampleAt(s);
    const double silence = heard ? secondsSince(*heard, now) : 0;
    const bool old = heard && silence > std::max(10.0, 3 * s.view.stepSeconds.value_or(0));
    const NodeCounts nodes = nodeCounts(s.view.nodes);
    Vital sample{Header::tr("Last sample"), heard ? ago(silence) : Header::tr("none yet"),
                 Header::tr("%1 nodes live").arg(nOf(nodes.live, nodes.all)), old};
    if (heard) sample.tip = exactTime(*heard);
    const RunState run = runState(s);
    const bool goesOn = !old && run.running() && !run.hasDied() && run.exited.empty() && !armedState(s).armed;
    return {stepVital(s, goesOn), lossVital(s), sample, stepTimeVital(s, old), protectionVital(s)};
}

QString lostValue(const LostWork &lost)
{
    if (!lost.known) return QStringLiteral("—");
    const QString steps = lost.steps == 1 ? Header::tr("1 step") : Header::tr("%1 steps").arg(number(lost.steps));
    const QString all =
        lost.seconds <= 0
            ? steps  // no steps, or the time of a step is unknown
            : QStringLiteral("%1 · %2 · %3").arg(steps, durationWords(lost.seconds), deviceHours(lost.deviceHours));
    return lost.atMost && !lost.asOf ? Header::tr("at most %1").arg(all) : all;
}

namespace {

// The reason why the numbers are an upper limit: "node0 not listed since 04:59:48".
QString notListedWords(const Snapshot &s)
{
    const CheckpointReport &report = s.view.checkpoints;
    if (s.view.lostWork.asOf)
        return Header::tr("at the last contact, %1").arg(QString::fromStdString(clockTime(*s.view.lostWork.asOf)));
    if (!s.view.lostWork.atMost || report.unlistedNodes.empty() || !report.unlistedSince) return {};
    QStringList names;
    for (const std::string &node : report.unlistedNodes) names << fromNode(node);
    return Header::tr("%1 not listed since %2")
        .arg(names.join(QStringLiteral(", ")), QString::fromStdString(clockTime(*report.unlistedSince)));
}

// "yet" only if there has never been a set: rotation may have removed VALID ones.
QString noneValidWords(const Snapshot &s)
{
    return s.view.checkpoints.sets.empty() ? Header::tr("no set is VALID yet") : Header::tr("no set is VALID");
}

}  // namespace

LostWords lostWords(const Snapshot &s, WallTime now)
{
    const LostWork &lost = s.view.lostWork;
    const RunState run = runState(s);
    LostWords words;
    words.value = lostValue(lost);
    const QString since = lost.since ? number(*lost.since) : QString();
    const bool stopping = s.exit && s.exit->outcome.empty();
    const bool mayHaveDied =
        !run.running() && !run.hasDied() && !run.unknown.empty();  // no rank is known to be running
    if (!lost.known) {
        words.caption = run.mayRun() ? Header::tr("Lost if it dies now") : Header::tr("Lost");
        words.note = s.view.checkpoints.newestValid() != nullptr            ? Header::tr("no step yet")
                     : s.view.checkpoints.settled && s.view.lostWork.atMost ? Header::tr("no set is known to be VALID")
                     : s.view.checkpoints.settled                           ? noneValidWords(s)
                     : noNodeIsLive(s)                                      ? Header::tr("no node answers")
                                                                            : Header::tr("checkpoints are being read");
        return words;
    }
    if (!lost.since) {
        words.caption = lossIsBroken(s) || run.hasDied() || (!stopping && !run.mayRun())
                            ? Header::tr("Lost already, from the start")
                        : mayHaveDied ? Header::tr("Lost if it has died, from the start")
                                      : Header::tr("Lost if it dies now, from the start");
        words.note = lost.atMost ? Header::tr("no set is known to be VALID") : noneValidWords(s);
    } else if (lossIsBroken(s) && (run.running() || (stopping && !run.hasDied()))) {
        words.caption = Header::tr("Lost already, since step %1").arg(since);
        words.note = stopping ? Header::tr("the exit save contains NaN") : Header::tr("an exit save would contain NaN");
    } else if (stopping && !run.hasDied()) {
        const bool stuck = stuckStop(s, now).has_value();
        if (savesNothing(s)) {
            words.caption = Header::tr("Lost when it stops, since step %1").arg(since);
            words.note = Header::tr("the script saves nothing when it is stopped");
            return words;
        }
        words.caption = stuck ? Header::tr("Lost if it dies now, since step %1").arg(since)
                              : Header::tr("Lost if the exit save fails, since step %1").arg(since);
        words.note = stuck           ? Header::tr("the stop cannot finish")
                     : run.running() ? Header::tr("0 once it is proven")
                                     : Header::tr("no rank is known to be running");
    } else if (run.mayRun() && !run.hasDied()) {
        words.caption = (mayHaveDied ? Header::tr("Lost if it has died, since step %1")
                                     : Header::tr("Lost if it dies now, since step %1"))
                            .arg(since);
        words.note = notListedWords(s);
    } else {
        words.caption = (lost.fromKept ? Header::tr("Lost since step %1, which is kept")
                                       : Header::tr("Lost since step %1, the newest VALID set"))
                            .arg(since);
        const auto heard = lastSampleAt(s);
        if (heard && run.hasDied()) {
            const double idle = secondsSince(*heard, now) * run.ranks / 3600;
            words.note = Header::tr("and %1 idle so far").arg(deviceHours(idle));
        }
    }
    return words;
}

LostWork lostWith(const Snapshot &s, const CheckpointSet &set) { return lostSince(s, positionOf(set)); }

LostWork lostSince(const Snapshot &s, std::int64_t at)
{
    LostWork lost;
    const auto last = lastPosition(s);
    if (!last || at < 0) return lost;
    lost.known = true;
    lost.since = at;
    lost.steps = std::max<std::int64_t>(0, *last - at);
    lost.seconds = static_cast<double>(lost.steps) * s.view.stepSeconds.value_or(0);
    lost.deviceHours = lost.seconds * static_cast<double>(s.view.ranks.size()) / 3600;
    // For the newest VALID set, the engine knows the exact time. For other sets, the time is estimated from the step
    // time.
    if (s.view.lostWork.known && s.view.lostWork.since == at) return s.view.lostWork;
    return lost;
}

QString attemptWords(int index) { return Header::tr("attempt %1").arg(index + 1); }

QString jobLine(const Snapshot &s, WallTime now)
{
    if (s.view.attempt < 0) return Header::tr("no attempt seen yet");
    const RunState run = runState(s);
    const auto heard = lastSampleAt(s);
    const QString attempt = attemptWords(s.view.attempt);
    if (run.hasDied() && heard)
        return Header::tr("%1  ·  no step for %2").arg(attempt, durationWords(secondsSince(*heard, now)));
    if (!run.running() && (!run.exited.empty() || !run.ended.empty()) && heard)
        return Header::tr("%1  ·  ended %2").arg(attempt, ago(secondsSince(*heard, now)));
    const bool stepped = std::any_of(s.view.ranks.begin(), s.view.ranks.end(), [&](const RankState &rank) {
        return rank.progress.attempt == s.view.attempt && rank.progress.seen();
    });
    for (const AttemptInfo &info : s.view.attempts) {
        // The attempt may compile for minutes, which is neither a hang nor a step.
        if (info.index == s.view.attempt && knowsTime(info.started) && run.running() && !stepped)
            return Header::tr("%1  ·  starts, compiles: %2")
                .arg(attempt, durationWords(secondsSince(info.started, now)));
        if (info.index == s.view.attempt && knowsTime(info.started) && run.running())
            return Header::tr("%1  ·  running %2").arg(attempt, durationWords(secondsSince(info.started, now)));
    }
    return attempt;
}

}  // namespace rankdeck::ui
