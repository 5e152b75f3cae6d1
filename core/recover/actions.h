// SPDX-License-Identifier: GPL-3.0-or-later
// Entry points of the actions, called by the engine. The plan that is shown is the plan that runs and that the journal
// records.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/findings.h"
#include "core/recover/keep_report.h"
#include "core/recover/plan.h"
#include "core/recover/rank_stacks.h"
#include "core/recover/resume_report.h"
#include "core/state/job_state.h"

#include <string>

namespace rankdeck {

// Read-only: returns findings and the planned writes on each node. Blocks until the nodes have answered.
ExitReport planExit(ActionContext &host, const ExitOptions &options);
ResumeReport planResume(ActionContext &host, const ResumeOptions &options);

// These run the action. They block until the outcome and report progress at each change.
ExitReport runExit(ActionContext &host, const ExitOptions &options, const ExitProgress &progress);
// Works even if no exit of this console is in progress.
ExitReport cancelExit(ActionContext &host, const ExitProgress &progress);
ResumeReport runResume(ActionContext &host, const ResumeOptions &options, const ResumeProgress &progress);
// Finishes the action of a console that was killed: sets the flag back to 0 if all ranks are gone, and returns a
// report. Empty: nothing was left. If the operator has not clicked, it only reports: it stops nothing and undoes no
// plan. own: the calling action.
Message finishInterrupted(ActionContext &host, bool clicked = true, const std::string &own = {});

// Runs on all nodes or none: if a node fails, the completed steps are undone.
KeepReport runKeep(ActionContext &host, const KeepOptions &options);
// Error unreachable when a node did not answer.
Result<std::vector<KeptSet>> listKept(ActionContext &host);
// Stack traces of every rank. Only reads, for about a second. Ranks on a node that does not answer are unknown.
std::vector<RankStack> readStacks(ActionContext &host);
StackReport groupStacks(const std::vector<RankStack> &ranks);  // pure

}  // namespace rankdeck
