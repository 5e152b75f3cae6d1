// SPDX-License-Identifier: GPL-3.0-or-later
// Check of a vcjob's labels and annotations that make MindX DL's components restart a job automatically. Pure.
#pragma once

#include "core/recover/findings.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// Checks labels and annotations together. Reports components that would restart the job with the set that is chosen
// now, and components that would stop it without a save. Also reports settings without effect: unknown values, and
// values of discontinued components.
void checkRecovery(std::vector<Finding> &into, const std::map<std::string, std::string> &told);

}  // namespace rankdeck
