// SPDX-License-Identifier: GPL-3.0-or-later
// The force stop: SIGTERM or SIGKILL to exactly the listed processes. The node checks pid, start time and boot id of
// each when it sends the signal. A node that does not answer does not mean that its processes are gone. Asking and
// sending block until the deadline.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/process_target.h"
#include "core/recover/stop/checks/exit_preflight.h"

#include <string>
#include <vector>

namespace rankdeck {

// Effects of the signal on these ranks, as findings, before it is sent; looks: the signals that the ranks handle.
std::vector<Finding> escalationFindings(const Job &job, const ProcessSnapshot &picture,
                                        const std::map<int, ProcDetails> &looks, Signal signal);
// All ways to stop, each with the work that it would lose now, its effect and its target processes. findings: those of
// the graceful stop.
std::vector<ExitRung> exitLadder(const JobState &view, const ExitFacts &facts, const std::vector<Finding> &findings);
// The target list, ranks first. For kill, then scheduler, launcher and the launcher's tails, which would otherwise stay
// for ever. (A living launcher restarts ranks or waits. SIGTERM to msrun leaves its workers training, so it gets none.)
std::vector<ProcessTarget> signalTargets(const JobState &view, const ProcessSnapshot &picture, Signal signal);
// The action that launched the process or one of its parents; empty: not launched by us.
std::string launchingAction(const ProcessInfo &process);
// Processes of `now` that are not in the confirmed list: they are new, and are not signalled.
std::vector<ProcessTarget> appearedSince(const std::vector<ProcessTarget> &confirmed,
                                         const std::vector<ProcessTarget> &now);
// Fills in sent and reason for each target.
void sendSignals(ActionContext &host, std::vector<ProcessTarget> &list, Signal signal, SteadyTime deadline);
// Removes those that are known to be gone; a target on a node that does not answer stays.
void eraseGone(ActionContext &host, std::vector<ProcessTarget> &list);
Message signalledText(const std::vector<ProcessTarget> &list, Signal signal);
Message namesOf(const std::vector<ProcessTarget> &list);  // "rank 3, pid 4711 (python3, group 4711) on node n0; …"

}  // namespace rankdeck
