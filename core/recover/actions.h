// SPDX-License-Identifier: GPL-3.0-or-later
// Entry points of the actions, called by the engine. The same plan is shown, run and written to the journal.
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

// Read-only: findings, and the planned writes with their nodes. Blocks on the nodes.
ExitReport planExit(ActionContext &host, const ExitOptions &options);
ResumeReport planResume(ActionContext &host, const ResumeOptions &options);

// These run the action. They block until the outcome and report progress at each change.
ExitReport runExit(ActionContext &host, const ExitOptions &options, const ExitProgress &progress);
// Works even if no exit of ours is in progress.
ExitReport cancelExit(ActionContext &host, const ExitProgress &progress);
ResumeReport runResume(ActionContext &host, const ResumeOptions &options, const ResumeProgress &progress);
// Finishes what a killed console left: sets a flag back to 0 when all ranks are gone, and returns a report. Empty if
// nothing was found. Without a click it stops nothing and undoes no plan; it only reports. own: the action that calls.
Message finishInterrupted(ActionContext &host, bool clicked = true, const std::string &own = {});

// All nodes or none: if a node fails, the steps that were done are undone.
KeepReport runKeep(ActionContext &host, const KeepOptions &options);
// Error unreachable when a node did not answer.
Result<std::vector<KeptSet>> listKept(ActionContext &host);
// Stack traces of every rank. Reads only, for about a second; ranks of a node that does not answer are unknown.
std::vector<RankStack> readStacks(ActionContext &host);
StackReport groupStacks(const std::vector<RankStack> &ranks);  // pure

}  // namespace rankdeck
