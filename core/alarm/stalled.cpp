// SPDX-License-Identifier: GPL-3.0-or-later
// Everybody waits: no step for far longer than is usual, while the processes live and the nodes answer.
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdio>

namespace rankdeck {
namespace {

constexpr double shortest = 2;          // seconds; below, a busy machine alone explains it
constexpr double timesUsual = 5;        // of the silence that is usual
constexpr double timesAtEpochEnd = 12;  // an evaluation may follow, which is learned with the first
constexpr double longestUsual = 3600;

WallTime heardOfNode(const JobState &view, const std::string &node, WallTime otherwise)
{
    for (const NodeStatus &status : view.nodes)
        if (status.name == node)
            return status.lastHeard == WallTime{} ? otherwise : std::min(status.lastHeard, otherwise);
    return otherwise;
}

double patience(const RankState &rank, const JobState &view)
{
    const double usual = std::min(rank.progress.usualSilence.value_or(0), longestUsual);
    const bool epochEnds =
        view.stepsPerEpoch > 1 && rank.progress.position && *rank.progress.position % view.stepsPerEpoch == 0;
    return std::max(shortest, usual * (epochEnds ? timesAtEpochEnd : timesUsual));
}

bool isSaving(const JobState &view)
{
    return std::any_of(view.checkpoints.sets.begin(), view.checkpoints.sets.end(), [&](const CheckpointSet &set) {
        return set.attempt == view.attempt && set.verdict == Verdict::inProgress;
    });
}

// A stopped process, else who is behind all others. Nobody when all look alike.
void findSuspects(alarm::Stall &stall, const std::vector<const RankState *> &silent)
{
    const auto pick = [&](auto differs, const std::string &why) {
        std::vector<int> found;
        for (const RankState *rank : silent)
            if (differs(*rank)) found.push_back(rank->rank);
        if (found.empty() || found.size() == silent.size() || !stall.suspects.empty()) return;
        stall.suspects = found;
        stall.why = why;
    };
    const auto state = [](const RankState &rank) { return rank.process ? rank.process->state : '?'; };
    pick([&](const RankState &rank) { return state(rank) == 'T' || state(rank) == 't'; },
         "is stopped by a signal (state T)");
    pick([&](const RankState &rank) { return state(rank) == 'D'; }, "waits for its disk or file server (state D)");
    std::int64_t newest = 0;
    std::int64_t oldest = 0;
    for (const RankState *rank : silent) {
        const std::int64_t at = rank->progress.position.value_or(0);
        newest = std::max(newest, at);
        oldest = rank == silent.front() ? at : std::min(oldest, at);
    }
    const auto behind = [&](const RankState &rank) { return rank.progress.position.value_or(0) == oldest; };
    if (oldest < newest) pick(behind, "is at step " + grouped(oldest) + ", the others at " + grouped(newest));
}

std::string secondsText(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2g s", seconds);
    return seconds < 10 ? text : durationText(seconds);
}

}  // namespace

namespace alarm {

std::optional<Stall> findStall(const Picture &picture)
{
    const JobState &view = picture.view;
    Stall stall;
    std::vector<const RankState *> silent;
    double nearest = 0;
    for (std::size_t i = 0; i < view.ranks.size(); ++i) {
        const RankState &rank = view.ranks[i];
        if (picture.fates.of[i] != Fate::runs) continue;
        // a rank that logs nothing by itself says nothing by its silence
        if (rank.progress.attempt != view.attempt || !rank.progress.usualSilence) continue;
        const double seconds = secondsBetween(rank.progress.heard, heardOfNode(view, rank.node, picture.now));
        if (seconds < patience(rank, view)) return std::nullopt;  // somebody makes steps
        nearest = silent.empty() ? seconds : std::min(nearest, seconds);
        stall.since = std::max(stall.since, rank.progress.heard);
        stall.usual = std::max(stall.usual, rank.progress.stepSeconds.value_or(*rank.progress.usualSilence));
        stall.silent.push_back(rank.rank);
        silent.push_back(&rank);
    }
    if (silent.empty() || (isSaving(view) && nearest < 60)) return std::nullopt;
    stall.seconds = nearest;
    findSuspects(stall, silent);
    return stall;
}

}  // namespace alarm

std::vector<Alarm> stalledAlarms(const Picture &picture)
{
    const std::optional<alarm::Stall> stall = alarm::findStall(picture);
    if (!stall) return {};
    Alarm alarm{.code = AlarmCode::stalled, .severity = Severity::alarm};
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.since = stall->since;
    alarm.seconds = stall->seconds;
    alarm.usual = stall->usual;
    alarm.step = alarm::lastStep(picture);
    alarm.ranks = stall->suspects;
    for (int rank : stall->silent)
        if (std::find(alarm.ranks.begin(), alarm.ranks.end(), rank) == alarm.ranks.end()) alarm.ranks.push_back(rank);
    alarm.text = "No step for " + durationText(stall->seconds) + " (usual " + secondsText(stall->usual) + ").";
    if (!stall->suspects.empty()) {
        std::string who = alarm::ranksText(stall->suspects, alarm.of);
        who.front() = 'R';
        alarm.detail = who + " " + stall->why;
        alarm.text += " " + alarm.detail + ": " + (stall->suspects.size() == 1 ? "it hangs." : "they hang.");
    } else if (stall->silent.size() > 1) {
        alarm.text += " All ranks wait, none stands out.";
    }
    alarm.confirmed = static_cast<int>(stall->suspects.size());
    alarm.fix = "End the job and resume; a hang does not end by itself.";
    alarm.acts = {AlarmAct::showMoment, AlarmAct::showStop};
    return {alarm};
}

}  // namespace rankdeck
