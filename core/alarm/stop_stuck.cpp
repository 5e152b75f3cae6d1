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
    const Message confirmed = message("%1 of %2 confirmed.", alarm.confirmed, alarm.of);
    const auto word = [&](const Message &why, const Message &rest) {
        alarm.detail = why;
        alarm.fact = message("The stop cannot finish: %1", why);
        alarm.rest = rest;
    };
    if (!died.empty()) {
        alarm.ranks = died;
        word(message("%1 died", alarm::ranksText(died, alarm.of)), confirmed);
        alarm.fix = alarm.stillRun > 0 ? "End " + alarm::ranksText(picture.fates.running, alarm.of) + ", then resume."
                                       : alarm::resumeFix(picture);
        return {alarm};
    }
    const std::vector<int> left = stall->suspects.empty() ? alarm::missedWhoLeft(picture, *stall) : std::vector<int>();
    if (!left.empty()) {
        alarm.which = AlarmCase::ranksLeft;
        alarm.ranks = left;
        alarm.seconds = stall->seconds;
        word(message("%1 had exited before the stop", alarm::ranksText(left, alarm.of)),
             joined({message("The others are waiting."), confirmed}));
        alarm.fix = "End " + alarm::ranksText(picture.fates.running, alarm.of) + ", then resume.";
        return {alarm};
    }
    alarm.ranks = stall->suspects.empty() ? stall->silent : stall->suspects;
    alarm.seconds = stall->seconds;
    const Message who = alarm::ranksText(alarm.ranks, alarm.of);
    word(alarm.ranks.size() == 1 ? message("%1 hangs", who) : message("%1 hang", who), confirmed);
    alarm.fix = "Wait, or end the ranks that hang; a rank that is ended saves nothing.";
    return {alarm};
}

}  // namespace rankdeck
