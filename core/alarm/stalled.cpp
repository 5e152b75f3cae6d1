// SPDX-License-Identifier: GPL-3.0-or-later
// Everybody waits: no step for far longer than is usual, while the processes live and the nodes answer.
#include "core/alarm/rules.h"

#include "core/base/text.h"
#include "core/state/step_time.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <limits>
#include <string_view>

namespace rankdeck {
namespace {

constexpr double shortest = 2;          // seconds; below, a busy machine alone explains it
constexpr double timesUsual = 5;        // of the silence that is usual
constexpr double timesAtEpochEnd = 12;  // an evaluation may follow, which is learned with the first
constexpr double longestUsual = 3600;
constexpr double firstEvaluation = 600;  // seconds after the first epoch, while nobody stands out
constexpr double longestSave = 60;       // seconds, while nobody is seen to write
constexpr double longestWriting = 600;
constexpr double savesApart = 2.5;     // of the pause between the newest saves
constexpr double longestStopped = 60;  // who is stopped by a signal neither computes nor evaluates

// How long a save of this attempt may take that is under way; 0: there is none.
double saveMayTake(const JobState &view)
{
    double most = 0;
    for (const CheckpointSet &set : view.checkpoints.sets) {
        if (set.attempt != view.attempt || set.verdict != Verdict::inProgress) continue;
        const bool grows = std::any_of(set.reasons.begin(), set.reasons.end(), [](const Reason &reason) {
            return reason.code == "still_growing" || reason.code == "temp_file";
        });
        most = std::max(most, grows ? longestWriting : longestSave);
    }
    return most;
}

char stateOf(const RankState &rank) { return rank.process ? rank.process->state : '?'; }

// Of all that run on nodes that answer, also of those whose log says nothing: a stopped process, else one that waits for
// its disk. All of them may be.
void suspectByState(alarm::Stall &stall, const Picture &picture)
{
    const struct {
        std::string_view states;
        AlarmCase which;
        const char *one, *many;
    } signs[] = {{"Tt", AlarmCase::isStopped, "is stopped by a signal (state T)", "are stopped by a signal (state T)"},
                 {"D", AlarmCase::waitsForDisk, "waits for its disk or file server (state D)",
                  "wait for their disk or file server (state D)"}};
    for (const auto &sign : signs) {
        const SharedVector<RankState> &ranks = picture.view.ranks;
        alarm::NodeFinder nodes(picture.view.nodes);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const bool asked = picture.fates.of[i] == Fate::runs && nodes.answers(ranks[i].node);
            if (asked && sign.states.find(stateOf(ranks[i])) != std::string_view::npos)
                stall.suspects.push_back(ranks[i].rank);
        }
        if (stall.suspects.empty()) continue;
        stall.which = sign.which;
        stall.why = stall.suspects.size() == 1 ? sign.one : sign.many;
        return;
    }
}

// Who is behind all others that log. Nobody when all are at one step.
void suspectByStep(alarm::Stall &stall, const std::vector<const RankState *> &silent)
{
    std::int64_t oldest = silent.front()->progress.position.value_or(0), newest = oldest;
    for (const RankState *rank : silent) {
        newest = std::max(newest, rank->progress.position.value_or(0));
        oldest = std::min(oldest, rank->progress.position.value_or(0));
    }
    if (oldest == newest) return;
    for (const RankState *rank : silent)
        if (rank->progress.position.value_or(0) == oldest) stall.suspects.push_back(rank->rank);
    stall.which = AlarmCase::isBehind;
    stall.behindAt = oldest;
    stall.why = (stall.suspects.size() == 1 ? "is at step " : "are at step ") + grouped(oldest) + ", the others at " +
                grouped(newest);
}

// Steps from one line to the next.
double stepsPerLine(const RankState &rank)
{
    const std::vector<PlacedSample> &first = rank.firstSamples;
    if (first.size() < 2) return 1;
    return std::max(1.0, static_cast<double>(first.back().step - first.front().step) /
                             static_cast<double>(first.size() - 1));
}

// Sets of steps that should have had lines before: the training goes on, and its logs do not, as on a full disk. Until no
// more come for longer than they lie apart.
bool savesGoOn(const Picture &picture, const alarm::Stall &stall, const RankState &rank)
{
    const std::optional<std::int64_t> last = alarm::lastStep(picture);
    std::vector<const CheckpointSet *> saves;
    for (const CheckpointSet &set : picture.view.checkpoints.sets)
        if (set.attempt == picture.view.attempt && set.time && set.position && set.verdict != Verdict::unknown)
            saves.push_back(&set);
    if (saves.empty() || !last) return false;
    std::sort(saves.begin(), saves.end(), [](const auto *a, const auto *b) { return *a->time > *b->time; });
    const CheckpointSet &newest = *saves.front();
    const double pause = saves.size() > 1 ? secondsBetween(*saves[1]->time, *newest.time) : 0;
    return *newest.time > stall.since && static_cast<double>(*newest.position - *last) > stepsPerLine(rank) &&
           secondsBetween(*newest.time, picture.now) <
               std::max({shortest, timesUsual * stall.usual, savesApart * pause});
}

bool isAtItsEnd(const RankProgress &at) { return at.total && at.position >= at.total; }

bool isStopped(const Picture &picture, const alarm::Stall &stall)
{
    return std::any_of(stall.suspects.begin(), stall.suspects.end(), [&](int rank) {
        const RankState *state = alarm::stateOf(picture, rank);
        return state && (stateOf(*state) == 'T' || stateOf(*state) == 't');
    });
}

std::string secondsText(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2g s", seconds);
    return seconds < 10 ? text : durationText(seconds);
}

}  // namespace

namespace alarm {

double patience(const RankState &rank, const JobState &view)
{
    const double usual = std::min(rank.progress.usualSilence.value_or(0), longestUsual);
    const bool epochEnds =
        view.stepsPerEpoch > 1 && rank.progress.position && *rank.progress.position % view.stepsPerEpoch == 0;
    return std::max(shortest, usual * (epochEnds ? timesAtEpochEnd : timesUsual));
}

std::optional<Stall> findStall(const Picture &picture)
{
    const JobState &view = picture.view;
    Stall stall;
    suspectByState(stall, picture);
    const double longest = isStopped(picture, stall) ? longestStopped : std::numeric_limits<double>::infinity();
    std::vector<const RankState *> silent;
    NodeFinder nodes(view.nodes);
    double nearest = 0;
    for (std::size_t i = 0; i < view.ranks.size(); ++i) {
        const RankState &rank = view.ranks[i];
        if (picture.fates.of[i] != Fate::runs || !nodes.answers(rank.node)) continue;
        // a rank that logs nothing by itself says nothing by its silence; one that obeys a stop, or has come to the last step
        // that its own lines name, makes no more
        const bool steps =
            rank.progress.attempt == view.attempt && !rank.gracefulExitSeen && !isAtItsEnd(rank.progress);
        if (!steps || !rank.progress.usualSilence) continue;
        const double seconds = secondsBetween(rank.progress.heard, nodes.heard(rank.node, picture.now));
        if (seconds < std::min(patience(rank, view), longest)) return std::nullopt;  // somebody makes steps
        nearest = silent.empty() ? seconds : std::min(nearest, seconds);
        stall.since = std::max(stall.since, rank.progress.heard);
        stall.usual = std::max(stall.usual, rank.progress.stepSeconds.value_or(*rank.progress.usualSilence));
        stall.silent.push_back(rank.rank);
        silent.push_back(&rank);
    }
    if (silent.empty()) return std::nullopt;
    stall.seconds = nearest;
    // who saves makes no steps; who is stopped saves nothing
    if (nearest < saveMayTake(view) && !isStopped(picture, stall)) return std::nullopt;
    if (!isStopped(picture, stall) && savesGoOn(picture, stall, *silent.front())) {
        stall.suspects.clear();  // their last lines tell where the logs ended, not who is behind
        stall.which = AlarmCase::logsSilent;
        return stall;
    }
    // who is a step behind when somebody is gone is one of those that wait
    const bool missed = !alarm::missedDead(picture, stall).empty() || !alarm::missedWhoLeft(picture, stall).empty();
    if (stall.suspects.empty() && !missed) suspectByStep(stall, silent);
    const bool mayEvaluate =
        std::all_of(silent.begin(), silent.end(), [](const RankState *rank) { return rank->progress.atFirstEpochEnd; });
    if (mayEvaluate && stall.suspects.empty() && nearest < firstEvaluation) return std::nullopt;
    return stall;
}

}  // namespace alarm

namespace {

constexpr double shortestUnseen = 60;    // seconds
constexpr double shortestDeserted = 30;  // where no process of the job is left
constexpr double timesUsualUnseen = 2;   // nothing is claimed but that nobody is seen
constexpr double linesUnseen = 40;       // as long as so many lines take
constexpr double unseenUnknown = 600;    // seconds, where nothing tells how long a step takes

// How long nobody need wonder, without a look at saves: by the silences that were heard, else by what a step takes and how
// many there are between two lines, where the log or the sets tell it.
double patienceUnseen(const RankState &rank, const std::optional<double> &stepOfSets)
{
    const RankProgress &at = rank.progress;
    const double least = rank.deserted ? shortestDeserted : shortestUnseen;
    if (at.silenceHeard && at.usualSilence) return std::max(least, timesUsualUnseen * *at.usualSilence);
    const std::optional<double> step = at.stepSeconds ? at.stepSeconds : stepOfSets;
    const std::vector<PlacedSample> &first = rank.firstSamples;
    if (!step || first.size() < 2) return rank.deserted ? shortestUnseen : unseenUnknown;
    return std::max(least, linesUnseen * stepsPerLine(rank) * *step);
}

// Of no rank anybody knows whether it runs, though all nodes answer, and the logs rest in the middle of an epoch: all that a
// console sees that came after a whole job had been killed.
std::optional<alarm::Stall> findUnseen(const Picture &picture)
{
    const JobState &view = picture.view;
    const bool waits = picture.resume && picture.resume->running && !picture.resume->launched;
    if (waits || !picture.settled || picture.fates.unknown.size() != view.ranks.size()) return std::nullopt;
    const std::optional<std::int64_t> last = alarm::lastStep(picture);
    const bool mayHaveEnded = !last || (view.stepsPerEpoch > 1 && *last % view.stepsPerEpoch == 0);
    if (mayHaveEnded) return std::nullopt;
    alarm::Stall stall{.which = AlarmCase::isUnseen};
    alarm::NodeFinder nodes(view.nodes);
    const double saving = saveMayTake(view);
    const std::optional<double> step = stepSecondsOfSets(view);
    for (const RankState &rank : view.ranks) {
        if (!nodes.answers(rank.node) || rank.gracefulExitSeen || isAtItsEnd(rank.progress)) return std::nullopt;
        if (rank.progress.attempt != view.attempt || rank.progress.heard == WallTime{}) continue;
        const double seconds = secondsBetween(rank.progress.heard, nodes.heard(rank.node, picture.now));
        if (seconds < std::max(patienceUnseen(rank, step), saving)) return std::nullopt;
        stall.seconds = stall.silent.empty() ? seconds : std::min(stall.seconds, seconds);
        stall.since = std::max(stall.since, rank.progress.heard);
        stall.usual = std::max(stall.usual, rank.progress.stepSeconds.value_or(step.value_or(0)));
        stall.silent.push_back(rank.rank);
    }
    return stall.silent.empty() ? std::nullopt : std::optional(stall);
}

// Whether nothing of the job is left anywhere, in the midst of a run whose end is known. A run that has saved where it
// stands may have ended there.
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

// Who it is, else what else is known of it, and what to do then.
void explain(Alarm &alarm, const alarm::Stall &stall, const alarm::Heard &heard)
{
    if (stall.which == AlarmCase::isDeserted) {
        alarm.text += " No rank runs: nothing of the job is left on its nodes, and no log ends with an exit.";
        return;
    }
    if (stall.which == AlarmCase::isUnseen) {
        alarm.text += " Whether any rank runs is not known: no process is seen to be one.";
        alarm.fix = "Look at the nodes: the run may have died or ended before this console came.";
        return;
    }
    if (stall.which == AlarmCase::logsSilent) {
        alarm.text = "No line in any log for " + durationText(stall.seconds) +
                     ", and sets are saved all the same: the training goes on, its logs do not.";
        alarm.fix = "Look at the disk of the logs: it may be full. What the ranks say is lost meanwhile.";
        return;
    }
    alarm.fix = stall.which == AlarmCase::isStopped
                    ? "Find who stopped it; SIGCONT lets it go on, and nothing is lost. Else end the job and resume."
                    : "End the job and resume; a hang does not end by itself.";
    if (!stall.suspects.empty()) {
        std::string who = alarm::ranksText(stall.suspects, alarm.of);
        who.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(who.front())));
        alarm.detail = who + " " + stall.why;
        alarm.text += " " + alarm.detail + ": " + (stall.suspects.size() == 1 ? "it hangs." : "they hang.");
    } else if (alarm.which == AlarmCase::peersLeft) {
        alarm.detail =
            alarm::ranksText(alarm.waitedFor, alarm.of) + (alarm.waitedFor.size() == 1 ? " has" : " have") + " exited";
        alarm.detail.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(alarm.detail.front())));
        alarm.text +=
            " " + alarm.detail + ", and who is left may wait for " + (alarm.waitedFor.size() == 1 ? "it." : "them.");
        alarm.fix = "Look why it went, then end who is left and resume.";
    } else if (!alarm.waitedFor.empty()) {
        alarm.text += " Who is left waits for " + alarm::ranksText(alarm.waitedFor, alarm.of) + ", which died.";
        alarm.fix = "End who is left, then resume.";
    } else if (!heard.silentNodes.empty()) {
        alarm.fix = "Look at the silent nodes first: the others may wait for their ranks.";
    } else {
        if (stall.silent.size() > 1) alarm.text += " All ranks wait, none stands out.";
        alarm.fix = "Look at what all ranks do before you end them: an evaluation that was not seen before looks like "
                    "this too.";
    }
    alarm.text += alarm::unheardText(heard);
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
    const bool logsSilent = stall->which == AlarmCase::logsSilent;
    if (stall->which == AlarmCase::isUnseen || logsSilent) alarm.severity = Severity::warn;
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.since = stall->since;
    alarm.seconds = stall->seconds;
    alarm.usual = stall->usual;
    alarm.step = alarm::lastStep(picture);
    alarm.which = stall->which;
    alarm.behindAt = stall->behindAt;
    alarm.ranks = stall->suspects;
    for (int rank : stall->silent)
        if (!std::binary_search(stall->suspects.begin(), stall->suspects.end(), rank)) alarm.ranks.push_back(rank);
    alarm.confirmed = static_cast<int>(stall->suspects.size());
    if (!logsSilent) alarm.waitedFor = alarm::missedDead(picture, *stall);
    if (alarm.waitedFor.empty() && stall->suspects.empty() && !unseen && !logsSilent) {
        alarm.waitedFor = alarm::missedWhoLeft(picture, *stall);
        if (!alarm.waitedFor.empty()) alarm.which = AlarmCase::peersLeft;
    }
    alarm::Heard heard = alarm::heardOf(picture);
    alarm.text = "No step for " + durationText(stall->seconds) +
                 (stall->usual > 0 ? " (usual " + secondsText(stall->usual) + ")." : ".");
    if (stall->which == AlarmCase::isDeserted) alarm.fix = alarm::resumeFix(picture);
    explain(alarm, *stall, heard);
    alarm.unheard = std::move(heard.unheard);
    alarm.silentNodes = std::move(heard.silentNodes);
    alarm.silentSeconds = heard.silentSeconds;
    alarm.acts = {AlarmAct::showMoment};
    if (logsSilent) return {alarm};
    alarm.acts = {AlarmAct::showMoment, stall->which == AlarmCase::isDeserted ? AlarmAct::resume : AlarmAct::showStop};
    return {alarm};
}

}  // namespace rankdeck
