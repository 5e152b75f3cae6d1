// SPDX-License-Identifier: GPL-3.0-or-later
// Labels and annotations of a vcjob by which MindX DL's components are told to bring a job back by themselves. Pure.
#pragma once

#include "core/recover/findings.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// told: labels and annotations together. Who would start something again, with the set that is chosen now; what does nothing,
// as it is no value that they know or its component is at its end; a stop without a save.
void checkRecovery(std::vector<Finding> &into, const std::map<std::string, std::string> &told);

}  // namespace rankdeck
