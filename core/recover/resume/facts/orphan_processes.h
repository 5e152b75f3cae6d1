// SPDX-License-Identifier: GPL-3.0-or-later
// What of an old attempt still runs, and what it holds: devices, ports, files. And who else would write where the new
// attempt writes. readSurvivors blocks until the deadline; the rest is pure.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan.h"
#include "core/recover/resume_report.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct OrphanProcess {
    enum class Role { rank, launcher, leftover, stranger } role = Role::rank;
    std::string node;
    ProcessInfo process;
    int rank = -1;
    std::vector<std::string> holds = {};  // "device 3", "port 8118", "LeNet5_train.ckpt"
};
struct SurvivorFacts {
    std::vector<OrphanProcess> all = {};           // of this job
    std::optional<OrphanProcess> portHolder = {};  // who listens where the scheduler must
    Known portBusy = {};
    bool holderSought = false;                // in every process that this login can look into
    std::vector<OrphanProcess> begun = {};    // of this job, and not yet there when its processes were asked for
    std::vector<OrphanProcess> sharing = {};  // of other jobs, on our paths: told in holds
    std::map<std::string, std::string> unasked = {};  // node → why the two above are not known of it
};

SurvivorFacts readSurvivors(ActionContext &host, const JobState &view, const ProcessSnapshot &picture,
                            const LaunchPlan &launch, SteadyTime deadline);
// ---- pure parts
// What open files of a process mean, by their link targets.
std::vector<std::string> holdsOf(const std::vector<std::string> &links, const std::map<std::string, int> &listeners,
                                 const std::vector<std::string> &directories);
// Paths of the job that another process writes too: its log, or a word of its command line.
std::vector<std::string> sharedPaths(const std::vector<std::string> &ours, const ProcessInfo &other);

}  // namespace rankdeck
