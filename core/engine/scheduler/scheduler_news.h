// SPDX-License-Identifier: GPL-3.0-or-later
// News in the scheduler's answers, as events. A fact is reported once; for a lasting fact, its end is also reported.
// Pure.
#pragma once

#include "core/job/job.h"
#include "core/run/run.h"
#include "core/scheduler/scheduler_state.h"

#include <vector>

namespace rankdeck {

// before: nullptr for the first answer to this console; then facts that the history already contains are not news.
std::vector<Event> schedulerNews(const SchedulerState *before, const SchedulerState &now, const Job &job,
                                 const std::vector<Event> &history, WallTime at);

}  // namespace rankdeck
