// SPDX-License-Identifier: GPL-3.0-or-later
// Interface through which an action uses the engine.
#pragma once

#include "core/base/clock.h"
#include "core/recover/process_target.h"
#include "core/scheduler/scheduler_state.h"
#include "core/state/job_state.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

class FileStore;
class NodeClient;
class Journal;

// The engine's services for one action. All calls come from the action's own thread.
class ActionContext {
public:
    virtual ~ActionContext() = default;
    [[nodiscard]] virtual JobState view() const = 0;
    // Blocks until the view has changed since the last call, or until the deadline.
    virtual void waitForChange(SteadyTime deadline) = 0;
    virtual NodeClient *node(const std::string &name) = 0;  // nullptr: no such node
    virtual FileStore *cluster() = 0;                       // store of ConfigMaps; nullptr: the job has none
    // Latest answers of the scheduler that owns the job's processes; empty until it has answered.
    [[nodiscard]] virtual SchedulerState scheduler() const = 0;
    // File store of the node that a plan or flag names: a node, or the cluster under its own name. nullptr if there is
    // none.
    FileStore *store(const std::string &name);
    virtual Journal &journal() = 0;
    virtual void attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom) = 0;  // a new attempt begins
    // Reports that the script counts steps from 1 again after a resume: its step 0 is at `position` on the job's axis.
    virtual void attemptCountsAnew(std::int64_t position) = 0;
    // rank → paths that the launch gives it to load. A line in its new log that names one of them is evidence of the
    // load.
    virtual void expectLoads(const std::map<int, std::vector<std::string>> &paths) = 0;
    virtual void refreshFlags() = 0;                       // read the config files again, now
    [[nodiscard]] virtual bool stopRequested() const = 0;  // the console closes, or the operator has cancelled
    // A force stop that the operator confirmed while the exit was running; each is returned only once.
    [[nodiscard]] virtual std::optional<ConfirmedRung> takeConfirmedRung() = 0;
    // The finite losses of a rank before the current attempt, at positions [from, to]; the proof compares the new
    // losses with them. Empty: unknown, and the proof says so.
    [[nodiscard]] virtual std::vector<PlacedSample> lossesBefore(int rank, std::int64_t from,
                                                                 std::int64_t to) const = 0;
};

}  // namespace rankdeck
