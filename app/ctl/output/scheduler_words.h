// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduler's answers about a job, for status: as the documented JSON and as lines. Pure; never fails.
#pragma once

#include "core/scheduler/scheduler_state.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace rankdeck::ctl {

nlohmann::ordered_json schedulerJson(const SchedulerState *state);  // null: no scheduler manages the job
std::vector<std::string> schedulerLines(const SchedulerState &state);

}  // namespace rankdeck::ctl
