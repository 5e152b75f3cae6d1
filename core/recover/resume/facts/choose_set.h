// SPDX-License-Identifier: GPL-3.0-or-later
// What a resume would load and how, by the picture, the job file and the operator's wish alone: nothing is asked for it.
// A set that is VALID at once, VALID-UNPROVEN when allowed, nothing else. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/launch/script_adapter.h"
#include "core/recover/resume_report.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct ResumeChoice {
    std::optional<CheckpointSet> set = {};
    std::optional<std::string> sibling = {};  // id of the VALID periodic set at the step of a graceful one
    AdaptedScript script = {};                // the job as it will be launched
    const Recipe *recipe = nullptr;           // never null when fit
    std::vector<Finding> findings = {};
    [[nodiscard]] bool fit() const { return set && recipe && !anyRefusal(findings); }
};
ResumeChoice chooseResume(const JobState &view, const ResumeOptions &options);

// A set that is not read yet, and that may be VALID: it would come before the one that is recommended now. nullptr: none.
const CheckpointSet *unreadBeforeRecommended(const CheckpointReport &report);
// The kept set that the resume asks for, or that is newer than what it would take by itself, where it is not VALID among the
// checkpoints: it must be put back first. nullptr: none.
const KeptSet *keptToPutBack(const JobState &view, const ResumeOptions &options);
// nullopt: refused; findings say why, with the reasons of the verdict.
std::optional<CheckpointSet> chooseSet(const JobState &view, const ResumeOptions &options,
                                       std::vector<Finding> &findings);

}  // namespace rankdeck
