// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is lost if the job dies now: steps since the newest VALID set, and their time without pauses. Pure; never
// fails: if the step time is unknown, the time is 0.
#pragma once

#include "core/run/run.h"
#include "core/state/job_state.h"

namespace rankdeck {

// view: lostWork need not be filled in. The run is only read; the caller holds its lock.
LostWork lostWorkOf(const JobState &view, const Run &run);

}  // namespace rankdeck
