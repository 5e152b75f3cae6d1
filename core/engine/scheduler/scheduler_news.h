// SPDX-License-Identifier: GPL-3.0-or-later
// What is new in what the scheduler says, as events: a fact is told once, and its end where it is one that lasts. Pure.
#pragma once

#include "core/job/job.h"
#include "core/run/run.h"
#include "core/scheduler/scheduler_state.h"

#include <vector>

namespace rankdeck {

// before: nullptr at the first answer of this console; then what stands in the history already is no news.
std::vector<Event> schedulerNews(const SchedulerState *before, const SchedulerState &now, const Job &job,
                                 const std::vector<Event> &history, WallTime at);

}  // namespace rankdeck
