// SPDX-License-Identifier: GPL-3.0-or-later
// Which checkpoint set a resume may take: VALID at once, VALID-UNPROVEN when allowed, nothing else. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/plan.h"
#include "core/recover/resume_report.h"

#include <optional>
#include <vector>

namespace rankdeck {

// nullopt: refused; findings say why, with the reasons of the verdict.
std::optional<CheckpointSet> chooseSet(const JobState &view, const ResumeOptions &options,
                                       std::vector<Finding> &findings);

}  // namespace rankdeck
