// SPDX-License-Identifier: GPL-3.0-or-later
// What dies with the job now: steps since the newest VALID set, and their time without pauses. Pure; never fails: where
// nothing tells how long a step takes, the time is 0.
#pragma once

#include "core/run/run.h"
#include "core/state/job_state.h"

namespace rankdeck {

// view: without lostWork. The run is only read; who else uses it holds its lock.
LostWork lostWorkOf(const JobState &view, const Run &run);

}  // namespace rankdeck
