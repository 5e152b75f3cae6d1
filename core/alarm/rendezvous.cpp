// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about ranks that run but cannot begin, because MindSpore's scheduler, which they must reach, does not answer.
// The scheduler may have died at its start (its port was taken), run elsewhere, or be behind a firewall. Only the
// ranks' logs show this, and they try for ten minutes.
#include "core/alarm/rules.h"

#include "core/base/text.h"

namespace rankdeck {
namespace {

constexpr double usualMeeting = 60;  // seconds: on a busy machine the scheduler itself needs half of this time to start

}  // namespace

std::vector<Alarm> rendezvousAlarms(const Picture &picture)
{
    if (alarm::lastStep(picture)) return {};
    Alarm alarm{.code = AlarmCode::jobWaits, .which = AlarmCase::cannotMeet};
    alarm.of = static_cast<int>(picture.view.ranks.size());
    std::string address;
    for (std::size_t i = 0; i < picture.view.ranks.size(); ++i) {
        const RankState &rank = picture.view.ranks[i];
        const bool tries = picture.fates.of[i] == Fate::runs && rank.awaited && rank.awaited->stillTries(picture.now);
        if (!tries) continue;
        alarm.ranks.push_back(rank.rank);
        if (!alarm.since || rank.awaited->since < *alarm.since) alarm.since = rank.awaited->since;
        if (address.empty()) address = printable(rank.awaited->address);
    }
    if (!alarm.since || secondsBetween(*alarm.since, picture.now) < usualMeeting) return {};
    alarm.confirmed = static_cast<int>(alarm.ranks.size());
    alarm.seconds = secondsBetween(*alarm.since, picture.now);
    const Message who = alarm::ranksStart(alarm.ranks, alarm.of), time = durationText(alarm.seconds);
    alarm.fact = alarm.ranks.size() == 1
                     ? message("%1 has been trying to reach the scheduler at %2 for %3", who, address, time)
                     : message("%1 have been trying to reach the scheduler at %2 for %3", who, address, time);
    alarm.rest = message("Check on that host that the scheduler is running and uses that port.");
    alarm.fix = "If it is not running, scheduler.log shows why.";
    alarm.acts = {AlarmAct::showLog};
    return {alarm};
}

}  // namespace rankdeck
