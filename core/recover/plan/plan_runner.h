// SPDX-License-Identifier: GPL-3.0-or-later
// Runner of a plan on its nodes: edits, file steps, launches; on all nodes or none. Each step is logged when its answer
// arrives. An undo needs only the plan and the log, so it also works from the journal after the console was killed.
// Blocks.
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
    Known launched = Known::unknown;        // as the node has recorded it
};

// Ends only the leftover processes that the plan names: signal, wait ten seconds, SIGKILL. Error conflict, naming the
// processes that still run.
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
                  const FileSteps &how = {});  // Applies edits of existing files only.
// Carries out the file steps of each node in order, all nodes in parallel. A requested stop takes effect between two
// steps, with the error cancelled.
Status applyFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how = {});
// Applies edits that create a file, after the steps that create its directory.
Status applyNewFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how = {});
// Starts every launch of the plan at once; each entry has its result.
std::vector<Started> launchAll(ActionContext &host, const Plan &plan);
// Returns when every launch that submits to an engine was accepted (its file exists) or has ended, or after a minute.
// `started` then has the results. accepted: launch id → file.
void awaitAccepted(ActionContext &host, const std::map<std::string, std::string> &accepted,
                   std::vector<Started> &started);
// Updates the state of the launches. Without an answer `launched` is unknown and the last reply stays.
void askLaunched(ActionContext &host, std::vector<Started> &started);
// Calls off launches that have not begun, so that they can never begin, even if a slow disk delays them. Ends running
// launches: the signal to each group, SIGKILL after ten seconds. Then ends processes with their launch ids that
// outlived their launcher. Returns sentences about processes that are left or unknown.
std::vector<Message> stopStarted(ActionContext &host, std::vector<Started> &started, const StopOfLaunch &stop);
// Processes that may descend from a program started at startTicks, and whose environment this login cannot read. They
// began later than it, and so did all their parents, except the process that adopts orphans.
std::vector<ProcessInfo> closedSince(const std::vector<ProcessInfo> &all, std::uint64_t startTicks);
// Processes with one of these launch ids, by node. Error if a node did not answer, or if this login cannot read a
// process that may have one.
Result<std::map<std::string, std::vector<ProcessInfo>>> launchedProcesses(ActionContext &host,
                                                                          const std::vector<Started> &started);

struct Left {  // a file that could not be put back
    std::string node;
    std::string path;
    Message text;
};
Message leftText(const std::vector<Left> &left);
struct UndoWay {
    Reservation *held = nullptr;  // if set: steps are made only while the job is held; taken again after a cut link
    // true: a file at the old place is moved to ….failed-<id>. false: that file stays, and so does the backup.
    bool displace = true;
};
// Sentence that says that undoing a plan has set the stop request again that the plan had withdrawn; empty: it has not.
Message requestStandsAgain(const Plan &plan);
// Moves files back, removes links and directories, undoes edits. Undoes only steps that the log shows as done, or that
// a file proves. Waits for a node that does not answer, and then leaves its files.
std::vector<Left> undoPlan(ActionContext &host, const Plan &plan, StepLog &log, const UndoWay &way = {});

}  // namespace rankdeck
