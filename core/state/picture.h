// SPDX-License-Identifier: GPL-3.0-or-later
// State of the job and its running actions at one time, with that time: the input of alarms and texts. Plain values. It
// refers to the JobState from which it was made, which must outlive it.
#pragma once

#include "core/state/fates.h"
#include "core/state/hang_scan.h"
#include "core/state/job_state.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// A graceful stop of the current attempt: the running one or the last one.
struct StopPicture {
    bool running = false;
    bool provenStopped = false;  // it ended with its proof
    bool timedOut = false;
    bool leavesLines = true;  // a rank that obeys reports it in its log
    bool mayBeCancelled = false;
    std::optional<WallTime> started = {};
    int ranks = 0, confirmed = 0, exited = 0;
};

// A resume: the running one or the last one.
struct ResumePicture {
    bool running = false;
    bool launched = false;  // the current attempt was started by this resume
    bool notProven = false;
    Message text = {};
    int unprovenRank = -1;
    std::optional<std::int64_t> unprovenStep = {};  // at which that rank began
};

struct SchedulerState;  // core/scheduler/scheduler_state.h

struct Picture {
    const JobState &view;
    WallTime now = {};
    std::optional<StopPicture> stop = {};
    std::optional<ResumePicture> resume = {};
    std::vector<std::string> notes = {};  // notes of the console itself: the job file, the history, interrupted actions
    bool settled = false;                 // every node has answered once, and logs and checkpoints were read
    Fates fates = {};
    Message fullDisk =
        {};  // the disk on which the next save has no room, from the newest check of the disks; empty: none known
    bool stoppedElsewhere = false;              // an exit of another console of this journal is in progress
    const SchedulerState *scheduler = nullptr;  // nullptr: no scheduler owns the job, or none has answered yet
    const HangScan *hangScan = nullptr;         // the newest scan; nullptr: there was none yet
};

}  // namespace rankdeck
