// SPDX-License-Identifier: GPL-3.0-or-later
// What an action needs from the engine.
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

// What an action needs from the engine. All calls come from the action's own thread.
class ActionContext {
public:
    virtual ~ActionContext() = default;
    [[nodiscard]] virtual JobState view() const = 0;
    // Returns when the view has changed since the last call, or at the deadline.
    virtual void waitForChange(SteadyTime deadline) = 0;
    virtual NodeClient *node(const std::string &name) = 0;  // nullptr: no such node
    virtual FileStore *cluster() = 0;                       // of ConfigMaps; nullptr: the job has none
    // What owns the job's processes has said last; no answers: nothing yet.
    [[nodiscard]] virtual SchedulerState scheduler() const = 0;
    // Where the files of a plan's or a flag's node are: that node, or the cluster under its own name. nullptr: not there.
    FileStore *store(const std::string &name);
    virtual Journal &journal() = 0;
    virtual void attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom) = 0;  // a new attempt begins
    // Its script counts steps from 1 although it goes on: they lie behind `position` on the job's axis.
    virtual void attemptCountsAnew(std::int64_t position) = 0;
    // rank → what it is about to be told to load: a line of its new log that names it is a sign of the load.
    virtual void expectLoads(const std::map<int, std::vector<std::string>> &paths) = 0;
    virtual void refreshFlags() = 0;                       // read the config files again, now
    [[nodiscard]] virtual bool stopRequested() const = 0;  // console closes, or the operator cancelled
    // A rung that the operator has confirmed while the exit runs; handed out once.
    [[nodiscard]] virtual std::optional<ConfirmedRung> takeConfirmedRung() = 0;
    // What counted of a rank's losses before the current attempt, positions [from, to]: what the new ones are compared
    // with. Empty: not known, and the proof says so.
    [[nodiscard]] virtual std::vector<PlacedSample> lossesBefore(int rank, std::int64_t from,
                                                                 std::int64_t to) const = 0;
};

}  // namespace rankdeck
