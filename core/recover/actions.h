// SPDX-License-Identifier: GPL-3.0-or-later
// The acts: what the engine calls. What is shown is what runs and what the journal keeps.
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

// Read-only: findings and what would be written where. Blocks on the nodes.
ExitReport planExit(ActionContext &host, const ExitOptions &options);
ResumeReport planResume(ActionContext &host, const ResumeOptions &options);

// Acts. Block until the outcome; progress is told at each change.
ExitReport runExit(ActionContext &host, const ExitOptions &options, const ExitProgress &progress);
ExitReport cancelExit(ActionContext &host, const ExitProgress &progress);  // also without an exit of ours in progress
ResumeReport runResume(ActionContext &host, const ResumeOptions &options, const ResumeProgress &progress);
// What a killed console left: puts a flag back to 0 when all ranks are gone, says what was found. "" when nothing was.
// Without a click nothing is stopped and no plan is undone: it is only said. own: the action that asks.
std::string finishInterrupted(ActionContext &host, bool clicked = true, const std::string &own = {});

// All nodes or none; what was done is undone when a node fails.
KeepReport runKeep(ActionContext &host, const KeepOptions &options);
// Error unreachable when a node did not answer.
Result<std::vector<KeptSet>> listKept(ActionContext &host);
// What every rank does now. Reads only, for about a second; a node that does not answer makes its ranks unknown.
std::vector<RankStack> readStacks(ActionContext &host);
StackReport groupStacks(const std::vector<RankStack> &ranks);  // pure

}  // namespace rankdeck
