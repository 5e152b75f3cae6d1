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
    alarm.step = alarm::lastStep(picture);
    alarm.fact = message("No new line in any log for %1", durationText(silence->seconds));
    alarm.rest = joined({message("Sets are still being saved: training goes on, logging does not. The disk with the "
                                 "logs may be full."),
                         alarm::unknownRanks(heard)});
    alarm.fix = "Check the disk with the logs: log lines are being lost.";
    alarm::takeUnknown(alarm, std::move(heard));
    alarm.acts = {AlarmAct::showFailure};
    return {alarm};
}

}  // namespace rankdeck
