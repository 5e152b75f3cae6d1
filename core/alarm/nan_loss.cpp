// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about a loss that is NaN or Inf, or gradients that stay NaN or Inf. Every save after the first such step is
// useless.
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {
namespace {

// The set from which to go on, and what a stop would save.
Message goodSetText(const Picture &picture, const CheckpointSet *good, const KeptSet *kept)
{
    if (!good && !kept) {
        if (!picture.view.checkpoints.settled) return {};
        return joined({picture.view.lostWork.atMost ? message("No older set is known to be VALID.")
                                                    : message("No older set is VALID."),
                       alarm::keptUnknown(picture.view)});
    }
    const Message set = kept ? alarm::keptWay(*kept)
                        : isKept(picture.view, *good)
                            ? message("Newest good set: %1, which is kept.", alarm::setText(*good))
                            : message("Newest good set: %1.", alarm::setText(*good));
    return joined({set, picture.fates.mayRun() ? message("A stop would save NaN.") : Message()});
}

// Existing periodic sets of this attempt, newest first.
std::vector<const CheckpointSet *> periodicSets(const JobState &view)
{
    std::vector<const CheckpointSet *> sets;
    for (const CheckpointSet &set : view.checkpoints.sets) {
        if (set.attempt != view.attempt || set.kind != CheckpointKind::periodic || !set.position || !set.time) continue;
        const bool goes = !set.reasons.empty() && set.reasons.front().code == "pruned";
        if (!goes) sets.push_back(&set);
    }
    return sets;
}

// True if the first saves of the attempt are gone: then the job rotates its saves and keeps as many as there are now.
bool rotates(const JobState &view, const std::vector<const CheckpointSet *> &sets)
{
    if (sets.size() < 2) return false;
    const std::int64_t pause = *sets[0]->position - *sets[1]->position;
    for (const AttemptInfo &attempt : view.attempts) {
        if (attempt.index != view.attempt) continue;
        const std::int64_t start = attempt.resumedFrom.value_or(0);
        return pause > 0 && *sets.back()->position - start > pause + pause / 2;
    }
    return false;
}

Message rotationText(const JobState &view, const CheckpointSet &good)
{
    const std::vector<const CheckpointSet *> sets = periodicSets(view);
    const auto at = std::find(sets.begin(), sets.end(), &good);
    if (at == sets.end() || !rotates(view, sets)) return {};
    const double pause = std::max(0.0, secondsBetween(*sets[1]->time, *sets[0]->time));
    const auto left = sets.end() - at;
    const Message time = durationText(static_cast<double>(left) * pause);
    return left == 1 ? message("The next save overwrites it, in about %1.", time)
                     : message("It will be overwritten in %1 saves, in about %2.", left, time);
}

// The headline names the affected ranks, among those that log the loss.
Message brokenFact(const Alarm &alarm, const RankState &first)
{
    const bool loss = first.progress.hasLoss && !std::isfinite(first.progress.loss);
    const char *value = std::isnan(loss ? first.progress.loss : first.progress.gradNorm.value_or(NAN)) ? "NaN" : "Inf";
    const Message what = loss ? message("Loss has been %1", value) : message("Gradients have been %1", value);
    const std::string step = grouped(*alarm.step);
    const int logging = alarm.of - static_cast<int>(alarm.unheard.size());
    if (alarm.of == 1) return message("%1 since step %2", what, step);
    if (logging == 1)
        return message("%1 on rank %2, the only rank that logs it, since step %3", what, first.rank, step);
    return logging < alarm.of
               ? message("%1 on %2 of %3 ranks that log it, since step %4", what, alarm.ranks.size(), logging, step)
               : message("%1 on %2 of %3 ranks since step %4", what, alarm.ranks.size(), logging, step);
}

// True if every other rank is known to have had a good loss at that step. A rank that is behind may have been the
// first.
bool isFirst(const Picture &picture, const RankState &first, std::int64_t step)
{
    const SharedVector<RankState> &ranks = picture.view.ranks;
    return ranks.size() > 1 && std::all_of(ranks.begin(), ranks.end(), [&](const RankState &rank) {
               const bool past =
                   rank.progress.attempt == picture.view.attempt && rank.progress.position.value_or(-1) >= step;
               const bool finite = isBroken(rank.progress) ? rank.firstNonFiniteStep > step : !rank.firstNonFiniteStep;
               return rank.rank == first.rank || (past && finite);
           });
}

std::string wayOut(const Alarm &alarm, const std::string &set, bool mayRun)
{
    if (set.empty()) return "Check the sets.";
    if (alarm.putBack) return (mayRun ? "Stop, put " : "Put ") + set + " back and resume from it.";
    if (!mayRun) return "Resume from " + set + ".";
    return alarm.setKept ? "Stop and resume from " + set + "." : "Keep " + set + ", then stop and resume from it.";
}

}  // namespace

std::vector<Alarm> nanAlarms(const Picture &picture)
{
    Alarm alarm{.code = AlarmCode::nanLoss, .severity = Severity::alarm};
    std::vector<const RankState *> bad;
    for (const RankState &rank : picture.view.ranks) {
        const bool logs = rank.progress.seen() && rank.progress.attempt == picture.view.attempt;
        if (!logs)
            alarm.unheard.push_back(rank.rank);
        else if (isBroken(rank.progress))
            bad.push_back(&rank);
    }
    if (bad.empty()) return {};
    const auto step = [](const RankState *rank) {
        return rank->firstNonFiniteStep.value_or(rank->progress.position.value_or(0));
    };
    std::stable_sort(bad.begin(), bad.end(), [&](const RankState *a, const RankState *b) { return step(a) < step(b); });
    for (const RankState *rank : bad) alarm.ranks.push_back(rank->rank);
    const RankState &first = *bad.front();
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.step = step(&first);
    alarm.since = first.firstNonFinite;
    alarm.confirmed = isFirst(picture, first, *alarm.step) ? 1 : 0;
    const KeptSet *kept = keptBefore(picture.view, alarm.step);
    const CheckpointSet *good = kept ? nullptr : newestValidBefore(picture.view.checkpoints, alarm.step);
    if (kept) alarm::tellKept(alarm, *kept);
    if (good) {
        alarm.set = good->id;
        alarm.setStep = good->position;
        alarm.setKept = isKept(picture.view, *good);
    }
    alarm.fact = brokenFact(alarm, first);
    if (alarm.confirmed > 0) alarm.fact = message("%1, %2 first", alarm.fact, message("rank %1", first.rank));
    alarm.stillRun = static_cast<int>(picture.fates.running.size());
    const bool mayKeep = good && !alarm.setKept && picture.fates.mayRun();
    alarm.rest = joined({goodSetText(picture, good, kept), mayKeep ? rotationText(picture.view, *good) : Message()});
    alarm.fix = wayOut(alarm, good ? alarm::setText(*good) : kept ? keptText(*kept) : "", picture.fates.mayRun());
    alarm.acts = {AlarmAct::resume, AlarmAct::showFailure};
    if (mayKeep) alarm.acts.insert(alarm.acts.begin(), AlarmAct::keepSet);
    return {alarm};
}

}  // namespace rankdeck
