// SPDX-License-Identifier: GPL-3.0-or-later
// Time at which the ranks are expected to read the flag: at the beginning of their next step. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/plan.h"

#include <optional>

namespace rankdeck {

// Steps between two loss lines: 1, or the number that the script prints or sinks at once. 0: unknown.
std::int64_t stepsPerLine(const JobState &view);
// Seconds between two loss lines of a rank; nullopt: unknown.
std::optional<double> lineSeconds(const JobState &view);
// Seconds until every live rank has finished its present step, or the sink; never below 0.
std::optional<double> answerSeconds(const JobState &view, WallTime now);

}  // namespace rankdeck
