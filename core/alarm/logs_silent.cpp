// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about logs that get no more lines although sets are still saved, for example because the disk is full. The job
// does not hang.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

#include "core/base/text.h"

namespace rankdeck {

std::vector<Alarm> silentLogsAlarms(const Picture &picture)
{
    const std::optional<alarm::Stall> silence = alarm::findSilentLogs(picture);
    if (!silence) return {};
    alarm::Contacts heard = alarm::heardOf(picture);
    Alarm alarm{.code = AlarmCode::logsSilent, .since = silence->since, .ranks = silence->silent};
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.seconds = silence->seconds;
    alarm.usual = silence->usual;
    alarm.step = alarm::lastStep(picture);
    alarm.text = "No new line in any log for " + durationText(silence->seconds) +
                 ", but sets are still being saved: training goes on, logging does not." +
                 alarm::unknownRanksText(heard);
    alarm.fix = "Check the disk with the logs: it may be full. Log lines are being lost.";
    alarm.unheard = std::move(heard.unheard);
    alarm.silentNodes = std::move(heard.silentNodes);
    alarm.silentSeconds = heard.silentSeconds;
    alarm.acts = {AlarmAct::showFailure};
    return {alarm};
}

}  // namespace rankdeck
