// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as JSON for the journal and for `--json`, and back, so that an interrupted action can be undone from the
// journal. Paths and file texts that are not UTF-8 are stored as base64 under "…64" keys. Error ErrorKind::invalid if
// the text does not describe a plan.
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
std::string startedToJson(const std::vector<Started> &started);  // results of its launches

}  // namespace rankdeck
