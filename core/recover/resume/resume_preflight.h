// SPDX-License-Identifier: GPL-3.0-or-later
// The traps of a relaunch, as findings. Pure: everything was read before.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan.h"
#include "core/recover/resume/checks/running.h"
#include "core/recover/resume/orphan_processes.h"
#include "core/recover/resume/resume_places.h"
#include "core/recover/resume_report.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rankdeck {

struct ResumeFacts {
    PathStats book = {};
    ProcessSnapshot processes = {};
    std::vector<ConfigCopy> copies = {};
    std::set<std::string> nodesWithoutProgram = {};                 // node names; the program is the plan's argv[0]
    std::map<std::string, std::vector<std::string>> searched = {};  // node → where it was looked for
    std::map<std::string, std::string> workerMissing = {};          // node → interpreter that is not there
    std::map<std::string, std::string> scriptMissing = {};          // node → script that is not there
    std::map<std::string, std::string> pythonVersions = {};         // node → of what loads, as its file is named
    SurvivorFacts survivors = {};
    RunningFacts running = {};
    PlaceFacts places = {};
    std::optional<bool> gracefulTags = {};    // of the chosen set
    std::optional<std::string> sibling = {};  // id of the VALID periodic set at the step of a graceful one
};

std::vector<Finding> resumeFindings(const JobState &view, const CheckpointSet &set, const ResumeFacts &facts,
                                    const LaunchPlan &launch, const ResumeOptions &options);
// node → members that lie on another node and can be copied from there, when that is wanted.
std::map<std::string, std::vector<FileCopy>> memberCopies(const JobState &view, const CheckpointSet &set,
                                                          const PathStats &book, const ResumeOptions &options);

}  // namespace rankdeck
