// SPDX-License-Identifier: GPL-3.0-or-later
// An alarm as the documented JSON of `status` and `watch`. Pure; cannot fail.
#pragma once

#include "app/ctl/command.h"

#include "core/alarm/alarm.h"

namespace rankdeck::ctl {

Json alarmJson(const Alarm &alarm);

}  // namespace rankdeck::ctl
