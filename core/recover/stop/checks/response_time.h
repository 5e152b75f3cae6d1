// SPDX-License-Identifier: GPL-3.0-or-later
// When the ranks can be expected to read the flag: at the beginning of their next step. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/plan.h"

#include <optional>

namespace rankdeck {

// Steps between two loss lines: 1, or what the script prints or sinks at once. 0: not known.
std::int64_t stepsPerLine(const JobState &view);
// Between two loss lines of a rank; nullopt: not known.
std::optional<double> lineSeconds(const JobState &view);
// Until every live rank has finished the step it is in, or the sink; never below 0.
std::optional<double> answerSeconds(const JobState &view, WallTime now);

}  // namespace rankdeck
