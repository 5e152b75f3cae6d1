// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm if sets exist and were completely read, but none of them can be resumed by all ranks.
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

std::vector<Alarm> nothingValidAlarms(const Picture &picture)
{
    const CheckpointReport &report = picture.view.checkpoints;
    if (!report.settled || report.sets.empty() || report.newestValid() != nullptr) return {};
    const auto is = [](Verdict verdict) {
        return [verdict](const CheckpointSet &set) { return set.verdict == verdict; };
    };
    const bool young = std::any_of(report.sets.begin(), report.sets.end(), is(Verdict::inProgress));
    if (young && picture.fates.anyRuns() && report.sets.size() == 1) return {};
    // If a set is still unknown, it may be complete.
    if (std::any_of(report.sets.begin(), report.sets.end(), is(Verdict::unknown))) return {};
    const auto badCount = [](const CheckpointSet &set) {
        return std::count_if(set.members.begin(), set.members.end(), [](const MemberVerdict &member) {
            return member.state != MemberState::ok && member.state != MemberState::replica;
        });
    };
    const auto nearest =
        std::min_element(report.sets.begin(), report.sets.end(),
                         [&](const CheckpointSet &a, const CheckpointSet &b) { return badCount(a) < badCount(b); });
    Alarm alarm{.code = AlarmCode::nothingValid};
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.fact = message("No checkpoint set can be resumed by all ranks");
    if (const KeptSet *kept = keptBefore(picture.view)) {
        alarm::tellKept(alarm, *kept);
        alarm.rest = alarm::keptWay(*kept);
        alarm.fix = alarm::resumeFix(picture);
        alarm.acts = {AlarmAct::resume};
        return {alarm};
    }
    alarm.set = nearest->id;
    alarm.setStep = nearest->position;
    const Message why = nearest->reasons.empty() ? Message() : alarm::firstLine(nearest->reasons.front().text);
    const std::string set = alarm::setText(*nearest);
    alarm.rest = joined({why.empty() ? message("Nearest: %1.", set) : message("Nearest: %1, %2.", set, why),
                         alarm::keptUnknown(picture.view)});
    alarm.fix = "Check the sets.";
    alarm.acts = {AlarmAct::showSets};
    return {alarm};
}

}  // namespace rankdeck
