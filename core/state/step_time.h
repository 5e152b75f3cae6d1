// SPDX-License-Identifier: GPL-3.0-or-later
// How long a step takes where no log tells it. Pure; never fails.
#pragma once

#include "core/state/job_state.h"

#include <optional>

namespace rankdeck {

// As the times of checkpoint files tell it: the median between sets of one attempt that follow on each other, else from the
// attempt's start to its first set. For a console that comes too late to hear steps.
std::optional<double> stepSecondsOfSets(const JobState &view);

}  // namespace rankdeck
