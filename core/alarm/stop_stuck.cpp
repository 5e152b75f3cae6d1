// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about a stop that cannot finish: a rank that should confirm it has died, hangs, or had already exited before
// the request.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

namespace rankdeck {

std::vector<Alarm> stopStuckAlarms(const Picture &picture)
{
    if (!picture.stop || !picture.stop->running) return {};
    const std::vector<int> &died = picture.fates.died;
    const std::optional<alarm::Stall> stall = alarm::findStall(picture);
    if (died.empty() && !stall) return {};
    Alarm alarm{.code = AlarmCode::stopStuck,
                .which = died.empty() ? AlarmCase::ranksHang : AlarmCase::ranksDied,
                .severity = Severity::alarm};
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.since = picture.stop->started;
    alarm.confirmed = picture.stop->confirmed;
    alarm.stillRun = static_cast<int>(picture.fates.running.size());
    alarm.acts = {AlarmAct::showStop};
    const std::string confirmed = std::to_string(alarm.confirmed) + " of " + std::to_string(alarm.of) + " confirmed";
    if (!died.empty()) {
        alarm.ranks = died;
        alarm.text = "The stop cannot finish: " + alarm::ranksText(died, alarm.of) + " died, " + confirmed + ".";
        alarm.fix = alarm.stillRun > 0 ? "End " + alarm::ranksText(picture.fates.running, alarm.of) + ", then resume."
                                       : alarm::resumeFix(picture);
        return {alarm};
    }
    const std::vector<int> left = stall->suspects.empty() ? alarm::missedWhoLeft(picture, *stall) : std::vector<int>();
    if (!left.empty()) {
        alarm.which = AlarmCase::ranksLeft;
        alarm.ranks = left;
        alarm.seconds = stall->seconds;
        alarm.text = "The stop cannot finish: " + alarm::ranksText(left, alarm.of) +
                     " had ended before it, the others are waiting, " + confirmed + ".";
        alarm.fix = "End " + alarm::ranksText(picture.fates.running, alarm.of) + ", then resume.";
        return {alarm};
    }
    alarm.ranks = stall->suspects.empty() ? stall->silent : stall->suspects;
    alarm.seconds = stall->seconds;
    alarm.text = "The stop cannot finish while " + alarm::ranksText(alarm.ranks, alarm.of) +
                 (alarm.ranks.size() == 1 ? " hangs, " : " hang, ") + confirmed + ".";
    alarm.fix = "Wait, or end the ranks that hang; a rank that is ended saves nothing.";
    return {alarm};
}

}  // namespace rankdeck
