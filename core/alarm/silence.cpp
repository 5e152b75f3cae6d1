// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of ranks that are silent far longer than usual. Decides whether the reason is a hang, a save, an
// evaluation, or a log that cannot be written.
#include "core/alarm/silence.h"

#include "core/base/text.h"
#include "core/state/step_time.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace rankdeck {

using alarm::timesUsual;

namespace {

constexpr double shortest = 2;          // seconds; a busy machine alone may explain less
constexpr double timesAtEpochEnd = 12;  // an evaluation may follow; its length is known only after the first one
// For a console that started too late to see pauses: at least this many lines and at least this many seconds.
constexpr double linesUnheard = 25, shortestUnheard = 6;
constexpr double firstEvaluation = 600;  // seconds after the first epoch, while no rank stands out
constexpr double longestSave = 60;       // seconds, while no rank is seen to write
constexpr double longestWriting = 600;
constexpr double savesApart = 2.5;     // times the pause between the newest saves
constexpr double longestStopped = 60;  // a rank stopped by a signal neither computes nor evaluates

char stateOf(const RankState &rank) { return rank.process ? rank.process->state : '?'; }

// Checks all ranks that run on answering nodes, also those without log lines. Suspects are the stopped processes; if
// there are none, the processes that wait for their disk. All ranks may be suspects.
void suspectByState(alarm::Stall &stall, const Picture &picture)
{
    const struct {
        std::string_view states;
        AlarmCase which;
    } signs[] = {{"Tt", AlarmCase::isStopped}, {"D", AlarmCase::waitsForDisk}};
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
        return;
    }
}

// Suspects the ranks that are behind all other ranks that log. If all are at one step, there is no suspect.
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
    stall.othersAt = newest;
}

// Suspects the ranks whose stack traces differ from those of all other ranks, if the traces were read after all ranks
// fell silent.
void suspectByLook(alarm::Stall &stall, const Picture &picture)
{
    const HangScan *look = picture.hangScan;
    if (look == nullptr || look->attempt != picture.view.attempt || look->at < stall.since) return;
    stall.looked = true;
    stall.someCompute = look->someCompute;
    const bool allSilent = std::all_of(look->few.begin(), look->few.end(), [&](int rank) {
        return std::find(stall.silent.begin(), stall.silent.end(), rank) != stall.silent.end();
    });
    if (look->few.empty() || !allSilent || look->few.size() == stall.silent.size()) return;
    stall.suspects = look->few;
    stall.which = AlarmCase::differs;
    stall.where = printable(look->where);
    stall.othersWhere = printable(look->othersWhere);
}

// Suspects the ranks for which the dead ranks had waited.
void suspectByVictims(alarm::Stall &stall, const Picture &picture)
{
    stall.suspects = alarm::givenUp(picture, alarm::heardOf(picture));
    if (stall.suspects.empty()) return;
    stall.which = AlarmCase::wasGivenUp;
}

// True if sets are saved whose steps are later than the last log line. Then the training continues without log lines,
// for example because the disk is full. False when no set has come for longer than the usual distance between sets.
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
    return *newest.time > stall.since && static_cast<double>(*newest.position - *last) > alarm::stepsPerLine(rank) &&
           secondsBetween(*newest.time, picture.now) <
               std::max({shortest, timesUsual * stall.usual, savesApart * pause});
}

bool isAtEpochEnd(const RankState &rank, const JobState &view)
{
    return view.stepsPerEpoch > 1 && rank.progress.position && *rank.progress.position % view.stepsPerEpoch == 0;
}

// Seconds of silence that are unlikely, judging by the rank's own lines and sets. Used by a console that has not seen a
// pause of this run. Empty: the step time is unknown, or an evaluation may be due.
std::optional<double> patienceUnheard(const RankState &rank, const JobState &view, const std::optional<double> &ofSets)
{
    const std::optional<double> step = rank.progress.stepSeconds ? rank.progress.stepSeconds : ofSets;
    if (rank.progress.silenceHeard || !step || rank.firstSamples.size() < 2 || logsOnceAnEpoch(view) ||
        isAtEpochEnd(rank, view))
        return std::nullopt;
    return std::max(shortestUnheard, linesUnheard * alarm::stepsPerLine(rank) * *step);
}

bool isStopped(const Picture &picture, const alarm::Stall &stall)
{
    return std::any_of(stall.suspects.begin(), stall.suspects.end(), [&](int rank) {
        const RankState *state = alarm::stateOf(picture, rank);
        return state && (stateOf(*state) == 'T' || stateOf(*state) == 't');
    });
}

}  // namespace

namespace alarm {

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

double stepsPerLine(const RankState &rank)
{
    const std::vector<PlacedSample> &first = rank.firstSamples;
    if (first.size() < 2) return 1;
    return std::max(1.0, static_cast<double>(first.back().step - first.front().step) /
                             static_cast<double>(first.size() - 1));
}

bool isAtItsEnd(const RankProgress &at) { return at.total && at.position >= at.total; }

double patience(const RankState &rank, const JobState &view)
{
    const double usual = std::min(rank.progress.usualSilence.value_or(0), longestUsual);
    return std::max(shortest, usual * (isAtEpochEnd(rank, view) ? timesAtEpochEnd : timesUsual));
}

namespace {

// The silence of all ranks that log: they have been silent for longer than usual, and are neither saving nor stopped.
struct Silence {
    Stall stall;
    std::vector<const RankState *> ranks = {};
    bool savesGoOn = false;  // the ranks do not hang: only the logs have stopped
};

std::optional<Silence> findSilence(const Picture &picture)
{
    const JobState &view = picture.view;
    Silence found;
    Stall &stall = found.stall;
    suspectByState(stall, picture);
    const bool stopped = isStopped(picture, stall);
    const bool onceAnEpoch = logsOnceAnEpoch(view);
    const double longest = stopped ? longestStopped : std::numeric_limits<double>::infinity();
    const std::optional<double> ofSets = stepSecondsOfSets(view);
    NodeFinder nodes(view.nodes);
    for (std::size_t i = 0; i < view.ranks.size(); ++i) {
        const RankState &rank = view.ranks[i];
        if (picture.fates.of[i] != Fate::runs || !nodes.answers(rank.node)) continue;
        // The silence of a rank that never logs means nothing. A rank that obeys a stop request, or has reached the
        // last step that its own lines name, makes no more steps.
        const bool steps =
            rank.progress.attempt == view.attempt && !rank.gracefulExitSeen && !isAtItsEnd(rank.progress);
        const std::optional<double> unheard = patienceUnheard(rank, view, ofSets);
        if (!steps || (!rank.progress.usualSilence && !unheard)) continue;
        if (const NodeStatus *node = nodes.find(rank.node); hasJustBegun(rank, node ? node->facts.clockSkewSeconds : 0))
            continue;
        const double seconds = secondsBetween(rank.progress.heard, nodes.heard(rank.node, picture.now));
        const double heard =
            rank.progress.usualSilence ? patience(rank, view) : std::numeric_limits<double>::infinity();
        if (seconds < std::min({heard, longest, unheard.value_or(heard)})) return std::nullopt;  // a rank makes steps
        stall.unheard = stall.unheard || seconds < std::min(heard, longest);
        stall.seconds = found.ranks.empty() ? seconds : std::min(stall.seconds, seconds);
        stall.since = std::max(stall.since, rank.progress.heard);
        const double step = rank.progress.stepSeconds ? *rank.progress.stepSeconds
                            : unheard && ofSets       ? *ofSets
                                                      : rank.progress.usualSilence.value_or(0);
        stall.usual =
            std::max(stall.usual,
                     onceAnEpoch && rank.progress.stepSeconds ? step * static_cast<double>(view.stepsPerEpoch) : step);
        stall.silent.push_back(rank.rank);
        found.ranks.push_back(&rank);
    }
    if (found.ranks.empty()) return std::nullopt;
    // A rank that saves makes no steps; a stopped rank does not save.
    if (!stopped && stall.seconds < saveMayTake(view)) return std::nullopt;
    found.savesGoOn = !stopped && savesGoOn(picture, stall, *found.ranks.front());
    return found;
}

}  // namespace

std::optional<Stall> findStall(const Picture &picture)
{
    std::optional<Silence> found = findSilence(picture);
    if (!found || found->savesGoOn) return std::nullopt;
    Stall &stall = found->stall;
    // If a rank has ended, a rank that is one step behind is not a suspect, because it waits for the ended rank.
    const bool missed = !missedDead(picture, stall).empty() || !missedWhoLeft(picture, stall).empty();
    if (stall.suspects.empty() && !missed) suspectByVictims(stall, picture);
    if (stall.suspects.empty() && !missed) suspectByStep(stall, found->ranks);
    if (stall.suspects.empty() && !missed) suspectByLook(stall, picture);
    const bool mayEvaluate = std::all_of(found->ranks.begin(), found->ranks.end(),
                                         [](const RankState *rank) { return rank->progress.atFirstEpochEnd; });
    if (mayEvaluate && stall.suspects.empty() && stall.seconds < firstEvaluation) return std::nullopt;
    return stall;
}

std::optional<Stall> findSilentLogs(const Picture &picture)
{
    std::optional<Silence> found = findSilence(picture);
    if (!found || !found->savesGoOn) return std::nullopt;
    found->stall.suspects.clear();  // their last lines show where the logs ended, not which rank is behind
    return found->stall;
}

}  // namespace alarm
}  // namespace rankdeck
