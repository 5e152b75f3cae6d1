// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as JSON, for the journal and for `--json`, and back, so that an interrupted action can be undone from what
// the journal kept. Paths and file texts that are no UTF-8 travel as base64 under "…64" keys. A text that is no plan is
// ErrorKind::invalid.
#pragma once

#include "core/base/result.h"
#include "core/recover/action_context.h"
#include "core/recover/plan.h"
#include "core/recover/plan/plan_runner.h"

#include <string>
#include <vector>

namespace rankdeck {

std::string planToJson(const Plan &plan);
Result<Plan> planFromJson(const std::string &json);
std::string startedToJson(const std::vector<Started> &started);  // what became of its launches

}  // namespace rankdeck
