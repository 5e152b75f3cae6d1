// SPDX-License-Identifier: GPL-3.0-or-later
// Runner of a plan on its nodes: edits, file steps, launches; all nodes or none. Each step is logged when its answer
// arrives. Undo needs only the plan and the log, so that it also works from the journal after a kill. Blocks.
#pragma once

#include "core/base/known.h"
#include "core/base/result.h"
#include "core/recover/action_context.h"
#include "core/recover/plan.h"
#include "core/recover/plan/reservation.h"
#include "core/recover/plan/step_log.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rankdeck {

struct Started {
    std::string node;
    LaunchRequest request;
    std::optional<LaunchReply> reply = {};  // the last reply
    std::optional<Error> problem = {};      // problem of the launch itself
    Known launched = Known::unknown;        // from the node's record of it
};

// Ends only the leftover processes that the plan names: each gets the signal, ten seconds, then SIGKILL. Error
// conflict, naming those that still run.
Status endProcesses(ActionContext &host, const Plan &plan);
struct FileSteps {
    const Reservation *held = nullptr;  // if set: steps are made only while the job is held
    double seconds = 30;                // limit for one step of applyFiles
    template <class Step>
    [[nodiscard]] Step bound(const std::string &node, Step step) const
    {
        return held ? held->bound(node, std::move(step)) : step;
    }
};
// Copies files from one node to another, through this console, under a temporary name until the hashes agree.
Status applyCopies(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how = {});
Status applyEdits(ActionContext &host, const Plan &plan, StepLog &log,
                  const FileSteps &how = {});  // only existing files
// Steps of one node in order, all nodes in parallel. A requested stop ends it between two steps, with the error
// cancelled.
Status applyFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how = {});
// Edits that make a file, after the steps that make its directory.
Status applyNewFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how = {});
// Every launch of the plan at once; each entry has its result.
std::vector<Started> launchAll(ActionContext &host, const Plan &plan);
// Returns when every launch that submits to an engine has been accepted (its file exists) or has ended, or after a
// minute. `started` then has the results. accepted: launch id → file.
void awaitAccepted(ActionContext &host, const std::map<std::string, std::string> &accepted,
                   std::vector<Started> &started);
// Updates the state of the launches. Without an answer `launched` is unknown and the last reply stays.
void askLaunched(ActionContext &host, std::vector<Started> &started);
// Calls off launches that have not begun, so that they never will, even if a slow disk delays them. Ends running
// launches: the signal to each group, SIGKILL after ten seconds. Then ends processes that have their launch ids but
// live on without their launcher. Returns sentences about processes that are left or unknown.
std::vector<Message> stopStarted(ActionContext &host, std::vector<Started> &started, const StopOfLaunch &stop);
// Processes that may descend from a program started at startTicks, and whose environment this login cannot read. They
// began later, and none of their parents is older, except the process that adopts orphans.
std::vector<ProcessInfo> closedSince(const std::vector<ProcessInfo> &all, std::uint64_t startTicks);
// Processes with one of these launch ids, by node. Error if a node did not answer, or if this login cannot read some
// that may be of them.
Result<std::map<std::string, std::vector<ProcessInfo>>> launchedProcesses(ActionContext &host,
                                                                          const std::vector<Started> &started);

struct Left {  // a file that could not be put back
    std::string node;
    std::string path;
    Message text;
};
Message leftText(const std::vector<Left> &left);
struct UndoWay {
    Reservation *held = nullptr;  // if set: steps are made only while the job is held; reserved again after a cut link
    // A file that is in the way is moved to ….failed-<id>; if false, it stays, and the backup stays too.
    bool displace = true;
};
// A sentence about the stop request that an undone plan had withdrawn, and that is set again; empty: none.
Message requestStandsAgain(const Plan &plan);
// Moves files back, removes links and directories, undoes edits: only steps that are logged as done, or that a file
// proves. Waits for a node that does not answer, then leaves its files.
std::vector<Left> undoPlan(ActionContext &host, const Plan &plan, StepLog &log, const UndoWay &way = {});

}  // namespace rankdeck
