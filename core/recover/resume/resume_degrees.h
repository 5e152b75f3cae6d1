// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the ranks of the launch can load what other ranks saved: world size and parallel degrees of the set against
// those of the launch command. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/plan.h"
#include "core/recover/resume_report.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// Degrees by the names that checkpoints use (tensor_model_parallel_size …), as the command and its environment say.
std::map<std::string, int> degreesOf(const LaunchSpec &launch);
// python: version of the interpreter that will load, by node; empty where it is not known.
std::vector<Finding> degreeFindings(const Job &job, const CheckpointSet &set,
                                    const std::map<std::string, std::string> &python);

}  // namespace rankdeck
