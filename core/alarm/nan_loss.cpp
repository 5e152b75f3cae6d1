// SPDX-License-Identifier: GPL-3.0-or-later
// A loss that is NaN or Inf, from the first one on: what is saved after it is worth nothing.
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {
namespace {

// The newest VALID set from before the first NaN.
const CheckpointSet *lastGood(const JobState &view, std::int64_t firstBad)
{
    for (const CheckpointSet &set : view.checkpoints.sets)
        if (set.verdict == Verdict::valid && set.position && *set.position < firstBad) return &set;
    return nullptr;
}

std::string price(const Picture &picture, const CheckpointSet *good)
{
    if (!picture.view.checkpoints.settled && !good) return {};
    if (!good) return " No VALID set is older than it: nothing of this attempt can be kept.";
    return " Newest good set " + alarm::setText(*good) + "; an exit save would hold NaN.";
}

}  // namespace

std::vector<Alarm> nanAlarms(const Picture &picture)
{
    Alarm alarm{.code = AlarmCode::nanLoss, .severity = Severity::alarm};
    std::vector<const RankState *> bad;
    for (const RankState &rank : picture.view.ranks) {
        const bool now = rank.progress.hasLoss && rank.progress.attempt == picture.view.attempt &&
                         !std::isfinite(rank.progress.loss);
        if (now) bad.push_back(&rank);
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
    alarm.detail = std::isnan(first.progress.loss) ? "NaN" : "Inf";
    const CheckpointSet *good = lastGood(picture.view, *alarm.step);
    if (good) {
        alarm.set = good->id;
        alarm.setStep = good->position;
    }
    alarm.text = "Loss is " + alarm.detail + " on " + std::to_string(bad.size()) + " of " + std::to_string(alarm.of) +
                 " ranks since step " + grouped(*alarm.step) + ", rank " + std::to_string(first.rank) + " first." +
                 price(picture, good);
    alarm.fix = good ? "Stop and resume from " + alarm::setText(*good) + ", before rotation overwrites it."
                     : "Look at the sets.";
    alarm.acts = {AlarmAct::showMoment, AlarmAct::resume};
    return {alarm};
}

}  // namespace rankdeck
