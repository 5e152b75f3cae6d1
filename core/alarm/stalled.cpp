// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about ranks that all wait: no step for far longer than usual, while the processes live and the nodes answer.
// Also if no rank process is seen.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

#include "core/base/text.h"
#include "core/state/step_time.h"

#include <algorithm>
#include <cctype>
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

std::string secondsText(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2g s", seconds);
    return seconds < 10 ? text : durationText(seconds);
}

// A rank that computes while all others wait may be evaluating for them.
bool mayEvaluate(const alarm::Stall &stall) { return stall.which == AlarmCase::differs && stall.where.empty(); }

std::string hangText(const alarm::Stall &stall)
{
    if (mayEvaluate(stall)) return "may hang or be evaluating.";
    if (stall.which == AlarmCase::differs) return "may hang.";
    return stall.suspects.size() == 1 ? "hangs." : "hang.";
}

constexpr const char *lookFirst =
    "Check the stack traces before you end the ranks: an evaluation that has not been seen before looks like this too.";

// Adds the suspects to the alarm; if there are none, other known facts. Also adds what to do.
void explain(Alarm &alarm, const alarm::Stall &stall, const alarm::Contacts &heard, bool someDied)
{
    if (stall.which == AlarmCase::isDeserted) {
        alarm.text +=
            " No rank is running: no process of the job is left on its nodes, and no log ends with an exit line.";
        return;
    }
    if (stall.which == AlarmCase::isUnseen) {
        alarm.text += " No rank process found; cannot tell whether the job is running.";
        alarm.fix = "Check the nodes: the run may have died or ended before this console started.";
        return;
    }
    alarm.fix = "End the job and resume; a hang does not end on its own.";
    if (stall.which == AlarmCase::isStopped && someDied)
        alarm.fix = "End it, then resume: continuing it does not bring back a dead rank.";
    else if (stall.which == AlarmCase::isStopped)
        alarm.fix = "Find out why it was stopped. SIGCONT continues it without loss. Otherwise end the job and resume.";
    if (stall.which == AlarmCase::differs) alarm.fix = "Check the stack traces, then end the job and resume.";
    if (mayEvaluate(stall)) alarm.fix = lookFirst;
    if (!stall.suspects.empty()) {
        std::string who = alarm::ranksText(stall.suspects, alarm.of);
        who.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(who.front())));
        alarm.detail = who + " " + stall.why;
        alarm.text += " " + alarm.detail + ": " + (stall.suspects.size() == 1 ? "it " : "they ") + hangText(stall);
    } else if (alarm.which == AlarmCase::peersLeft) {
        alarm.detail =
            alarm::ranksText(alarm.waitedFor, alarm.of) + (alarm.waitedFor.size() == 1 ? " has" : " have") + " exited";
        alarm.detail.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(alarm.detail.front())));
        alarm.text += " " + alarm.detail + "; the remaining ranks may be waiting for " +
                      (alarm.waitedFor.size() == 1 ? "it." : "them.");
        alarm.fix = "Find out why it exited, then end the remaining ranks and resume.";
    } else if (!alarm.waitedFor.empty()) {
        alarm.text +=
            " Surviving ranks are waiting for " + alarm::ranksText(alarm.waitedFor, alarm.of) + ", which died.";
        alarm.fix = "End the remaining ranks, then resume.";
    } else if (!heard.silentNodes.empty()) {
        alarm.fix = "Check the silent nodes first: the other ranks may be waiting for theirs.";
    } else {
        if (stall.silent.size() > 1)
            alarm.text += !stall.looked       ? " No rank stands out yet."
                          : stall.someCompute ? " Some ranks are computing; none stands out. They may be evaluating, "
                                                "or their logs are no longer written."
                                              : " All ranks are waiting; none stands out.";
        alarm.fix = lookFirst;
    }
    alarm.text += alarm::unknownRanksText(heard);
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
    alarm.usual = stall->usual;
    alarm.step = alarm::lastStep(picture);
    alarm.which = stall->which;
    alarm.behindAt = stall->behindAt;
    alarm.where = stall->where;
    alarm.othersWhere = stall->othersWhere;
    alarm.looked = stall->looked;
    alarm.someCompute = stall->someCompute;
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
    alarm.text = "No step for " + durationText(stall->seconds) +
                 (stall->usual > 0 ? " (usual " + secondsText(stall->usual) + ")." : ".");
    if (stall->which == AlarmCase::isDeserted) alarm.fix = alarm::resumeFix(picture);
    if (stall->which == AlarmCase::isStopped) alarm.mayGoOn = picture.fates.died.empty();
    explain(alarm, *stall, heard, !picture.fates.died.empty());
    alarm.unheard = std::move(heard.unheard);
    alarm.silentNodes = std::move(heard.silentNodes);
    alarm.silentSeconds = heard.silentSeconds;
    alarm.acts = {AlarmAct::showFailure};
    if (stall->which == AlarmCase::isDeserted) alarm.acts.push_back(AlarmAct::resume);
    if (!unseen) alarm.acts.push_back(AlarmAct::showStop);
    return {alarm};
}

}  // namespace rankdeck
