// SPDX-License-Identifier: GPL-3.0-or-later
// Carries out a plan on its nodes: edits, file steps, launches; all nodes or none. Undoing works from the plan alone,
// whatever part of it was done, so that it also works from the journal after a kill. Blocks.
#pragma once

#include "core/base/result.h"
#include "core/recover/action_context.h"
#include "core/recover/plan/plan.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct Started {
    std::string node;
    LaunchRequest request;
    std::optional<LaunchReply> reply = {};
    std::optional<Error> problem = {};
};

// The survivors that the plan names, and no others: each is told, given ten seconds, then killed. Error conflict naming
// those that run on.
Status endProcesses(ActionContext &host, const Plan &plan);
// Files of one node onto another, through this console, under a name of their own until the hashes agree.
Status applyCopies(ActionContext &host, const Plan &plan);
Status applyEdits(ActionContext &host, const Plan &plan);  // of files that are there
Status applyFiles(ActionContext &host, const Plan &plan);
Status applyNewFiles(ActionContext &host,
                     const Plan &plan);  // edits that make a file, after the steps that make its place
// Every launch of the plan at once; each entry says what became of it.
std::vector<Started> launchAll(ActionContext &host, const Plan &plan);
// Returns when every launch that submits to an engine has been accepted (its file is there) or has ended, or after a
// minute; `started` then says what became of it. accepted: launch id → file.
void awaitAccepted(ActionContext &host, const std::map<std::string, std::string> &accepted,
                   std::vector<Started> &started);
// What became of them by now.
void askLaunched(ActionContext &host, std::vector<Started> &started);
// Ends what runs of them: the signal to each group, SIGKILL after ten seconds. Returns sentences for what is left.
std::vector<std::string> stopStarted(ActionContext &host, std::vector<Started> &started, Signal signal);
// Moved files back, links and directories away, edits undone. What was never done is skipped; what stands in the way is
// moved to ….failed-<id>. Returns sentences for what could not be undone.
std::vector<std::string> undoPlan(ActionContext &host, const Plan &plan);

}  // namespace rankdeck
