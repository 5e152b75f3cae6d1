// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about an attempt that begins at the first step although an earlier attempt has saved. The launcher that started
// its ranks again may name no checkpoint.
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {
namespace {

const AttemptInfo *currentAttempt(const JobState &view)
{
    const auto at = std::find_if(view.attempts.begin(), view.attempts.end(),
                                 [&](const AttemptInfo &attempt) { return attempt.index == view.attempt; });
    return at == view.attempts.end() ? nullptr : &*at;
}

// The newest set of an earlier attempt from which a run can continue.
const CheckpointSet *leftBehind(const JobState &view)
{
    const CheckpointSet *newest = nullptr;
    for (const CheckpointSet &set : view.checkpoints.sets)
        if (set.verdict == Verdict::valid && set.attempt < view.attempt && set.position &&
            (!newest || *set.position > *newest->position))
            newest = &set;
    return newest;
}

}  // namespace

std::vector<Alarm> beganAnewAlarms(const Picture &picture)
{
    const JobState &view = picture.view;
    const AttemptInfo *attempt = currentAttempt(view);
    const CheckpointSet *set = leftBehind(view);
    if (!attempt || !set || view.attempt < 1 || !picture.fates.anyRuns()) return {};
    // Another alarm checks a resume by Rankdeck itself. A rank that reports a load has not started from the beginning.
    const bool ours = picture.resume && picture.resume->launched;
    const bool loads = std::any_of(view.ranks.begin(), view.ranks.end(),
                                   [](const RankState &rank) { return rank.resumed && !rank.resumed->nothingLoaded; });
    const double apart = view.stepsPerEpoch > 0 ? static_cast<double>(view.stepsPerEpoch) : 100;
    const bool atTheBeginning = attempt->firstStep && !attempt->resumedFrom && attempt->stepOffset == 0 &&
                                static_cast<double>(*attempt->firstStep) <= std::min(apart, 100.0) &&
                                *attempt->firstStep <= *set->position;
    if (ours || loads || !atTheBeginning) return {};
    Alarm alarm{.code = AlarmCode::beganAnew, .severity = Severity::alarm, .since = attempt->started};
    alarm.of = static_cast<int>(view.ranks.size());
    alarm.step = attempt->firstStep;
    alarm.set = set->id;
    alarm.setStep = set->position;
    alarm.fact = message("Attempt %1 begins at step %2", view.attempt + 1, grouped(*attempt->firstStep));
    alarm.rest = message(
        "No log shows that it loaded a checkpoint. %1 is VALID, and the steps up to it are being trained again.",
        alarm::setText(*set));
    alarm.fix = "If this is not intended, stop it and resume from " + alarm::setText(*set) + ".";
    alarm.acts = {AlarmAct::showStop, AlarmAct::showLog};
    return {alarm};
}

}  // namespace rankdeck
