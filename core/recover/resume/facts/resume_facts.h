// SPDX-License-Identifier: GPL-3.0-or-later
// All facts for a resume: the chosen set, the files and processes of the nodes, the planned launch, and the nodes'
// answers about it. Only readResumeFacts asks nodes. For each question it asks all nodes at once, until the deadline or
// at least for some seconds. It writes nothing. In each part, a missing answer has its own value and is never a no.
#pragma once

#include "core/base/known.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/checkpoint_mends.h"
#include "core/recover/launch/fault_controller.h"
#include "core/recover/launch/rank_folders.h"
#include "core/recover/launch/script_config.h"
#include "core/recover/resume/aside/emergency_checkpoints.h"
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
    std::string id = {};  // id of the action
    ResumeOptions options = {};
    JobState view = {};        // state with the job as it will be launched
    ResumeChoice choice = {};  // if it is not fit, no node was asked, and the rest is empty

    PathStats book = {};
    std::vector<UnknownPlace> unsearched = {};  // roots that may contain saves of a graceful exit
    ProcessSnapshot processes = {};
    RunningFacts running = {};
    PlaceFacts places = {};
    std::vector<ConfigCopy> copies = {};
    Known gracefulTags = {};     // tags of the chosen set
    CheckpointMends mends = {};  // filled only if the set is known to have the tags
    bool mendsWanted = false;    // the scripts load such a set into their train cell, or the operator requested it

    ResumeLayout layout = {};  // computed from the facts above

    ProgramFacts programs = {};
    ExitLoad exitLoad = {};
    EmergencyFacts gasps = {};
    RankFolders folders = {};
    FaultController controller = {};
    std::map<std::string, LogoutRule> logouts = {};  // node → rule
    LeftoverFacts survivors = {};
    ScriptConfigs scriptConfigs = {};
    SchedulerState scheduler = {};
};

ResumeFacts readResumeFacts(ActionContext &host, const JobState &view, const ResumeOptions &options,
                            const std::string &id, SteadyTime deadline);

}  // namespace rankdeck
