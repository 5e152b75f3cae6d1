// SPDX-License-Identifier: GPL-3.0-or-later
// Check of a vcjob's labels and annotations that make MindX DL's components restart a job automatically. Pure.
#pragma once

#include "core/recover/findings.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// Checks labels and annotations together. Reports components that would restart the job with the set chosen now, and
// stops without a save. Also reports settings without effect: unknown values, and values of components that are
// discontinued.
void checkRecovery(std::vector<Finding> &into, const std::map<std::string, std::string> &told);

}  // namespace rankdeck
