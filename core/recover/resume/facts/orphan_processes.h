// SPDX-License-Identifier: GPL-3.0-or-later
// Leftover processes of an old attempt and their devices, ports and files. Also other processes that write to the files
// of the new attempt. readLeftovers blocks until the deadline; the rest is pure.
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
    bool holderSought = false;                        // all readable processes were searched for the port's holder
    std::vector<OrphanProcess> begun = {};            // this job's processes that started after the listing
    std::vector<OrphanProcess> sharing = {};          // processes of other jobs that use our paths: `holds` lists these
    std::map<std::string, std::string> unasked = {};  // node → why `begun` and `sharing` are unknown there
};

LeftoverFacts readLeftovers(ActionContext &host, const JobState &view, const ProcessSnapshot &picture,
                            const LaunchPlan &launch, SteadyTime deadline);
// ---- pure parts
// Devices, ports and files that a process holds, from the link targets of its open files.
std::vector<std::string> holdsOf(const std::vector<std::string> &links, const std::map<std::string, int> &listeners,
                                 const std::vector<std::string> &directories);
// Paths of the job that another process also uses: as its log, or as an argument of its command line.
std::vector<std::string> sharedPaths(const std::vector<std::string> &ours, const ProcessInfo &other);

}  // namespace rankdeck
