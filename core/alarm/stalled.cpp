// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about ranks that all wait: no step for far longer than usual, while the processes live and the nodes answer.
// Also if no rank process is seen.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

#include "core/base/text.h"
#include "core/state/step_time.h"

#include <algorithm>
#include <cstdio>

namespace rankdeck {
namespace {

constexpr double shortestUnseen = 60;    // seconds
constexpr double shortestDeserted = 30;  // if no process of the job is left
constexpr double timesUsualUnseen = 2;   // low, because the alarm only says that no process is seen
constexpr double linesUnseen = 40;       // usual time of this many lines
constexpr double epochsUnseen = 2;       // or of this many epochs, if each has one line
constexpr double unseenUnknown = 600;    // seconds, if the step time is unknown

// Length of a silence without saves that needs no alarm. It follows from the usual silences. If there are none, it
// follows from the step time and the steps between two lines, if the log or the sets show both.
double patienceUnseen(const RankState &rank, const JobState &view, const std::optional<double> &stepOfSets)
{
    const RankProgress &at = rank.progress;
    const double least = rank.deserted ? shortestDeserted : shortestUnseen;
    if (at.silenceHeard && at.usualSilence) return std::max(least, timesUsualUnseen * *at.usualSilence);
    const std::optional<double> step = at.stepSeconds ? at.stepSeconds : stepOfSets;
    const std::vector<PlacedSample> &first = rank.firstSamples;
    if (step && logsOnceAnEpoch(view))
        return std::max(least, epochsUnseen * static_cast<double>(view.stepsPerEpoch) * *step);
    if (!step || first.size() < 2) return rank.deserted ? shortestUnseen : unseenUnknown;
    return std::max(least, linesUnseen * alarm::stepsPerLine(rank) * *step);
}

// A stall that a console sees if it started after a whole job was killed. All nodes answer, but no rank is known to
// run, and the logs stopped in the middle of an epoch.
std::optional<alarm::Stall> findUnseen(const Picture &picture)
{
    const JobState &view = picture.view;
    const bool waits = picture.resume && picture.resume->running && !picture.resume->launched;
    if (waits || !picture.settled || picture.fates.unknown.size() != view.ranks.size()) return std::nullopt;
    const std::optional<std::int64_t> last = alarm::lastStep(picture);
    const bool atEpochEnd = last && view.stepsPerEpoch > 1 && *last % view.stepsPerEpoch == 0;
    if (!last || (atEpochEnd && !logsOnceAnEpoch(view))) return std::nullopt;  // the run may have ended there
    alarm::Stall stall{.which = AlarmCase::isUnseen};
    alarm::NodeFinder nodes(view.nodes);
    const double saving = alarm::saveMayTake(view);
    const std::optional<double> step = stepSecondsOfSets(view);
    for (const RankState &rank : view.ranks) {
        if (!nodes.answers(rank.node) || rank.gracefulExitSeen || alarm::isAtItsEnd(rank.progress)) return std::nullopt;
        if (rank.progress.attempt != view.attempt || rank.progress.heard == WallTime{}) continue;
        const double seconds = secondsBetween(rank.progress.heard, nodes.heard(rank.node, picture.now));
        if (seconds < std::max(patienceUnseen(rank, view, step), saving)) return std::nullopt;
        stall.seconds = stall.silent.empty() ? seconds : std::min(stall.seconds, seconds);
        stall.since = std::max(stall.since, rank.progress.heard);
        stall.usual = std::max(stall.usual, rank.progress.stepSeconds.value_or(step.value_or(0)));
        stall.silent.push_back(rank.rank);
    }
    if (logsOnceAnEpoch(view)) stall.usual *= static_cast<double>(view.stepsPerEpoch);
    return stall.silent.empty() ? std::nullopt : std::optional(stall);
}

// True if no process of the job is left anywhere and the run had not reached its known end. If a set exists for the
// last step, the run may have ended there.
bool isDeserted(const Picture &picture)
{
    const JobState &view = picture.view;
    const std::optional<std::int64_t> last = alarm::lastStep(picture);
    bool endKnown = view.stepsPerEpoch > 1;
    for (const RankState &rank : view.ranks) {
        if (!rank.deserted) return false;
        endKnown = endKnown || rank.progress.total.value_or(0) > 0;
    }
    const SharedVector<CheckpointSet> &sets = view.checkpoints.sets;
    return endKnown && std::none_of(sets.begin(), sets.end(), [&](const auto &set) { return set.position == last; });
}

Message secondsText(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", seconds);
    return seconds < 10 ? message("%1 s", text) : durationText(seconds);
}

// A rank that computes while all others wait may be evaluating for them.
bool mayEvaluate(const alarm::Stall &stall) { return stall.which == AlarmCase::differs && stall.where.empty(); }

constexpr const char *lookFirst =
    "Check the stack traces before you end the ranks: an evaluation that has not been seen before looks like this too.";

// What to do, as a sentence.
std::string fixOf(const Alarm &alarm, const alarm::Stall &stall, const Picture &picture)
{
    const bool someDied = !picture.fates.died.empty();
    switch (alarm.which) {
    case AlarmCase::isDeserted: return alarm::resumeFix(picture);
    case AlarmCase::isUnseen: return "Check the nodes: the run may have died or ended before this console started.";
    case AlarmCase::peersLeft: return "Find out why it exited, then end the remaining ranks and resume.";
    case AlarmCase::isStopped:
        return someDied ? "End it, then resume: continuing it does not bring back a dead rank."
                        : "Find out why it was stopped, then send it SIGCONT; otherwise end the job and resume.";
    case AlarmCase::differs:
        return mayEvaluate(stall) ? lookFirst : "Check the stack traces, then end the job and resume.";
    default: break;
    }
    if (!stall.suspects.empty()) return "End the job and resume; a hang does not end on its own.";
    if (!alarm.waitedFor.empty()) return "End the remaining ranks, then resume.";
    if (!alarm.silentNodes.empty()) return "Check the silent nodes first: the other ranks may be waiting for theirs.";
    return lookFirst;
}

}  // namespace

std::vector<Alarm> stalledAlarms(const Picture &picture)
{
    std::optional<alarm::Stall> stall = alarm::findStall(picture);
    if (!stall) stall = findUnseen(picture);
    if (!stall) return {};
    if (stall->which == AlarmCase::isUnseen && isDeserted(picture)) stall->which = AlarmCase::isDeserted;
    const bool unseen = stall->which == AlarmCase::isUnseen || stall->which == AlarmCase::isDeserted;
    Alarm alarm{.code = AlarmCode::stalled, .severity = Severity::alarm};
    if (stall->which == AlarmCase::isUnseen || (stall->unheard && stall->suspects.empty()))
        alarm.severity = Severity::warn;
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.since = stall->since;
    alarm.seconds = stall->seconds;
    alarm.step = alarm::lastStep(picture);
    alarm.which = stall->which;
    alarm.ranks = stall->suspects;
    for (int rank : stall->silent)
        if (!std::binary_search(stall->suspects.begin(), stall->suspects.end(), rank)) alarm.ranks.push_back(rank);
    alarm.confirmed = static_cast<int>(stall->suspects.size());
    alarm.waitedFor = alarm::missedDead(picture, *stall);
    if (alarm.waitedFor.empty() && stall->suspects.empty() && !unseen) {
        alarm.waitedFor = alarm::missedWhoLeft(picture, *stall);
        if (!alarm.waitedFor.empty()) alarm.which = AlarmCase::peersLeft;
    }
    alarm::Contacts heard = alarm::heardOf(picture);
    const Message unknown = unseen ? Message() : alarm::unknownRanks(heard);
    alarm::takeUnknown(alarm, std::move(heard));
    alarm.fact = stall->usual > 0
                     ? message("No step for %1 (usual %2)", durationText(stall->seconds), secondsText(stall->usual))
                     : message("No step for %1", durationText(stall->seconds));
    alarm.rest = joined({alarm::stallText(*stall, alarm, picture.fates.died.empty()), unknown});
    alarm.fix = fixOf(alarm, *stall, picture);
    alarm.acts = {AlarmAct::showFailure};
    if (stall->which == AlarmCase::isDeserted) alarm.acts.push_back(AlarmAct::resume);
    if (!unseen) alarm.acts.push_back(AlarmAct::showStop);
    return {alarm};
}

}  // namespace rankdeck
