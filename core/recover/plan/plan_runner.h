// SPDX-License-Identifier: GPL-3.0-or-later
// Carries out a plan on its nodes: edits, file steps, launches; all nodes or none. Each step goes into the log when its
// answer came; undoing works from plan and log alone, so that it also works from the journal after a kill. Blocks.
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
    std::optional<LaunchReply> reply = {};  // the last one
    std::optional<Error> problem = {};      // of the launch itself
    Known launched = Known::unknown;        // by the node's record of it
};

// The survivors that the plan names, and no others: each is told, given ten seconds, then killed. Error conflict naming
// those that run on.
Status endProcesses(ActionContext &host, const Plan &plan);
struct FileSteps {
    const Reservation *held = nullptr;  // the steps are made only while it is
    double seconds = 30;                // for one step of applyFiles
    template <class Step>
    [[nodiscard]] Step bound(const std::string &node, Step step) const
    {
        return held ? held->bound(node, std::move(step)) : step;
    }
};
// Files of one node onto another, through this console, under a name of their own until the hashes agree.
Status applyCopies(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how = {});
Status applyEdits(ActionContext &host, const Plan &plan, StepLog &log,
                  const FileSteps &how = {});  // of files that are there
// Steps of one node in order, all nodes side by side. Ends with cancelled between two of them when that is asked for.
Status applyFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how = {});
// Edits that make a file, after the steps that make its place.
Status applyNewFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how = {});
// Every launch of the plan at once; each entry says what became of it.
std::vector<Started> launchAll(ActionContext &host, const Plan &plan);
// Returns when every launch that submits to an engine has been accepted (its file is there) or has ended, or after a
// minute; `started` then says what became of it. accepted: launch id → file.
void awaitAccepted(ActionContext &host, const std::map<std::string, std::string> &accepted,
                   std::vector<Started> &started);
// What became of them by now. Without an answer `launched` is unknown and the last reply stays.
void askLaunched(ActionContext &host, std::vector<Started> &started);
// Calls off what has not begun of them: it never will, also when a slow disk holds it up. Ends what runs: the signal to each
// group, SIGKILL after ten seconds; then what carries their launch ids and lives on without its launcher. Returns sentences
// for what is left or not known.
std::vector<std::string> stopStarted(ActionContext &host, std::vector<Started> &started, const StopOfLaunch &stop);
// Of all processes of a node those that may descend from a program that was started then, and whose environment is closed to
// the login: they began since, and none above them is older, but for what takes orphans in.
std::vector<ProcessInfo> closedSince(const std::vector<ProcessInfo> &all, std::uint64_t startTicks);
// Processes that carry one of these launch ids, by node. Error when a node did not answer, or when some that may be of them
// are closed to the login.
Result<std::map<std::string, std::vector<ProcessInfo>>> launchedProcesses(ActionContext &host,
                                                                          const std::vector<Started> &started);

struct Left {  // what could not be put back
    std::string node;
    std::string path;
    std::string text;
};
std::string leftText(const std::vector<Left> &left);
struct UndoWay {
    Reservation *held = nullptr;  // steps are made only while it is; after a cut link it is taken again
    // What stands in the way is moved to ….failed-<id>; else it stays, and so does what was moved.
    bool displace = true;
};
// A sentence of the request to stop that an undone plan had taken back, and that stands again; empty: there was none.
std::string requestStandsAgain(const Plan &plan);
// Moved files back, links and directories away, edits undone: what the log says was done, or what a file proves. A node that
// does not answer is waited for, then its files are left.
std::vector<Left> undoPlan(ActionContext &host, const Plan &plan, StepLog &log, const UndoWay &way = {});

}  // namespace rankdeck
