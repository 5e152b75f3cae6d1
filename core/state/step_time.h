// SPDX-License-Identifier: GPL-3.0-or-later
// Step time for the case that no log shows it. Pure; never fails.
#pragma once

#include "core/state/job_state.h"

#include <optional>

namespace rankdeck {

// Step time from the times of checkpoint files: the median between successive sets of one attempt, otherwise from the
// attempt's start to its first set. For a console that started too late to see steps in the logs.
std::optional<double> stepSecondsOfSets(const JobState &view);

}  // namespace rankdeck
