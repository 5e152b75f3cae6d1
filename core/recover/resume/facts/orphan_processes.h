// SPDX-License-Identifier: GPL-3.0-or-later
// Leftover processes of an old attempt and their devices, ports and files. Also other processes that write to the new
// attempt's files. readLeftovers blocks until the deadline; the rest is pure.
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
struct LeftoverFacts {
    std::vector<OrphanProcess> all = {};           // processes of this job
    std::optional<OrphanProcess> portHolder = {};  // the process that listens on the scheduler's port
    Known portBusy = {};
    bool holderSought = false;                        // all processes that this login can read were searched
    std::vector<OrphanProcess> begun = {};            // of this job, but started after its processes were listed
    std::vector<OrphanProcess> sharing = {};          // of other jobs, on our paths: listed in holds
    std::map<std::string, std::string> unasked = {};  // node → why the two above are unknown there
};

LeftoverFacts readLeftovers(ActionContext &host, const JobState &view, const ProcessSnapshot &picture,
                            const LaunchPlan &launch, SteadyTime deadline);
// ---- pure parts
// What open files of a process mean, by their link targets.
std::vector<std::string> holdsOf(const std::vector<std::string> &links, const std::map<std::string, int> &listeners,
                                 const std::vector<std::string> &directories);
// Paths of the job that another process also uses: its log, or an argument of its command line.
std::vector<std::string> sharedPaths(const std::vector<std::string> &ours, const ProcessInfo &other);

}  // namespace rankdeck
