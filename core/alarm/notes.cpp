// SPDX-License-Identifier: GPL-3.0-or-later
// Notes of the console itself: about the job file, its history, an interrupted action.
#include "core/alarm/rules.h"

#include "core/base/text.h"

namespace rankdeck {

std::vector<Alarm> noteAlarms(const Picture &picture)
{
    std::vector<Alarm> all;
    for (const std::string &note : picture.notes) {
        Alarm alarm{.code = AlarmCode::note, .severity = Severity::info};
        alarm.fact = printable(note);
        all.push_back(std::move(alarm));
    }
    return all;
}

}  // namespace rankdeck
