// SPDX-License-Identifier: GPL-3.0-or-later
// An alarm as the documented JSON of `status` and `watch`, and as a line of text. Pure; cannot fail.
#pragma once

#include "app/ctl/command.h"

#include "core/alarm/alarm.h"

namespace rankdeck::ctl {

Json alarmJson(const Alarm &alarm);
std::string alarmText(const Alarm &alarm);  // "ALARM: Rank 3 died at step 7. … Resume from 5."

}  // namespace rankdeck::ctl
