// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that status and the live view share. Pure; never fails.
#pragma once

#include "core/alarm/alarm.h"

#include <string>

namespace rankdeck::ctl {

std::string alarmText(const Alarm &alarm);        // "ALARM: Rank 3 died at step 7. … Resume from 5."
std::string deviceTimeText(double hours);         // "3.2 device-hours", "12 device-minutes", "40 device-seconds"
std::string lostText(const LostWork &lost);       // "37 steps, 9.3 s, 74 device-seconds since step 600"
const char *lostCaption(const Picture &picture);  // caption of lost work: "lost if it dies now", "lost" …
std::string unlistedText(const CheckpointReport &report);  // ", newer sets are unknown: node0 not listed since …"
std::vector<std::string> keptLines(const KeptSets &kept);  // "kept: 0:4-40, step 160, 4.0 MB, complete", or unknown
const char *fateText(Fate fate);

}  // namespace rankdeck::ctl
