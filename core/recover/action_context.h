// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's services for one action.
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
    // Returns when the view has changed since the last call, or at the deadline.
    virtual void waitForChange(SteadyTime deadline) = 0;
    virtual NodeClient *node(const std::string &name) = 0;  // nullptr: no such node
    virtual FileStore *cluster() = 0;                       // store of ConfigMaps; nullptr: the job has none
    // Latest answers of the scheduler that owns the job's processes; empty before the first answer.
    [[nodiscard]] virtual SchedulerState scheduler() const = 0;
    // File store of the node named in a plan or a flag: that node, or the cluster under its own name. nullptr: no such
    // store.
    FileStore *store(const std::string &name);
    virtual Journal &journal() = 0;
    virtual void attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom) = 0;  // a new attempt begins
    // The script counts steps from 1 again after a resume: its step 0 is at `position` on the job's axis.
    virtual void attemptCountsAnew(std::int64_t position) = 0;
    // rank → paths that it will be asked to load. A line of its new log that names one of them is evidence of the load.
    virtual void expectLoads(const std::map<int, std::vector<std::string>> &paths) = 0;
    virtual void refreshFlags() = 0;                       // read the config files again, now
    [[nodiscard]] virtual bool stopRequested() const = 0;  // the console closes, or the operator has cancelled
    // A force stop that the operator has confirmed while the exit runs; returned once.
    [[nodiscard]] virtual std::optional<ConfirmedRung> takeConfirmedRung() = 0;
    // The valid losses of a rank before the current attempt, at positions [from, to]; the new losses are compared with
    // them. Empty: unknown, and the proof says so.
    [[nodiscard]] virtual std::vector<PlacedSample> lossesBefore(int rank, std::int64_t from,
                                                                 std::int64_t to) const = 0;
};

}  // namespace rankdeck
