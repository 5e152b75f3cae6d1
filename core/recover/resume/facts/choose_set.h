// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of the set to resume, and of the way to load it, from the job state, the job file and the operator's options.
// Asks no node. Chooses only a VALID set, or a VALID-UNPROVEN set if that is allowed. Pure.
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

// An unread set that may be VALID and would then be recommended instead. nullptr: none.
const CheckpointSet *unreadBeforeRecommended(const CheckpointReport &report);
// A kept set that must be put back first. Either the resume names it, or it is newer than the set that the resume would
// choose. The result is nullptr if there is none, or if it is already VALID among the checkpoints.
const KeptSet *keptToPutBack(const JobState &view, const ResumeOptions &options);
// nullopt: refused; the findings contain the reason and the reasons of the verdict.
std::optional<CheckpointSet> chooseSet(const JobState &view, const ResumeOptions &options,
                                       std::vector<Finding> &findings);

}  // namespace rankdeck
