// SPDX-License-Identifier: GPL-3.0-or-later
// News in the scheduler's answers, as events: a fact is reported once, and also its end if it is a lasting one. Pure.
#pragma once

#include "core/job/job.h"
#include "core/run/run.h"
#include "core/scheduler/scheduler_state.h"

#include <vector>

namespace rankdeck {

// before: nullptr for the first answer to this console; facts that the history already contains are then not news.
std::vector<Event> schedulerNews(const SchedulerState *before, const SchedulerState &now, const Job &job,
                                 const std::vector<Event> &history, WallTime at);

}  // namespace rankdeck
