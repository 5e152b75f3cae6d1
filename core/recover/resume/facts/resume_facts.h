// SPDX-License-Identifier: GPL-3.0-or-later
// All that is known before a resume: what was chosen, what the nodes said of their files and processes, what would be run
// there, and what the nodes said of that. readResumeFacts alone asks nodes, all at once per question, and blocks until the
// deadline, or for some seconds per question where that has passed; it writes nothing. What was not answered is a value of its
// own in each part, never a no.
#pragma once

#include "core/base/known.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/checkpoint_mends.h"
#include "core/recover/launch/fault_controller.h"
#include "core/recover/launch/rank_folders.h"
#include "core/recover/launch/script_config.h"
#include "core/recover/resume/aside/dying_gasps.h"
#include "core/recover/resume/facts/choose_set.h"
#include "core/recover/resume/facts/exit_load.h"
#include "core/recover/resume/facts/logout_rules.h"
#include "core/recover/resume/facts/orphan_processes.h"
#include "core/recover/resume/facts/program_search.h"
#include "core/recover/resume/facts/resume_layout.h"
#include "core/recover/resume/facts/resume_places.h"
#include "core/recover/resume/facts/running_facts.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct ResumeFacts {
    std::string id = {};  // of the action
    ResumeOptions options = {};
    JobState view = {};        // with the job as it will be launched
    ResumeChoice choice = {};  // when it is not fit nothing was asked, and the rest is empty

    PathStats book = {};
    std::vector<UnknownPlace> unsearched = {};  // where saves of a graceful exit may lie
    ProcessSnapshot processes = {};
    RunningFacts running = {};
    PlaceFacts places = {};
    std::vector<ConfigCopy> copies = {};
    Known gracefulTags = {};     // of the chosen set
    CheckpointMends mends = {};  // where it is known to have them
    bool mendsWanted = false;    // the scripts load such a set into their train cell, or somebody asked for it

    ResumeLayout layout = {};  // follows from the above

    ProgramFacts programs = {};
    ExitLoad exitLoad = {};
    GaspFacts gasps = {};
    RankFolders folders = {};
    FaultController controller = {};
    std::map<std::string, LogoutRule> logouts = {};  // node → rule
    SurvivorFacts survivors = {};
    ScriptConfigs scriptConfigs = {};
    SchedulerState scheduler = {};
};

ResumeFacts readResumeFacts(ActionContext &host, const JobState &view, const ResumeOptions &options,
                            const std::string &id, SteadyTime deadline);

}  // namespace rankdeck
