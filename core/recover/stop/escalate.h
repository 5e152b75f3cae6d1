// SPDX-License-Identifier: GPL-3.0-or-later
// The force stop: SIGTERM or SIGKILL to exactly the listed processes. The node checks pid, start time and boot id of
// each process when it sends the signal. If a node does not answer, its processes do not count as gone. Asking and
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

// Findings about the effects of the signal on these ranks, before it is sent. looks: the signals that the ranks handle.
std::vector<Finding> escalationFindings(const Job &job, const ProcessSnapshot &picture,
                                        const std::map<int, ProcDetails> &looks, Signal signal);
// All ways to stop, each with the work that it would lose now, its effect and its target processes. findings: those of
// the graceful stop.
std::vector<ExitRung> exitLadder(const JobState &view, const ExitFacts &facts, const std::vector<Finding> &findings);
// The processes to signal, ranks first. For kill, they are followed by the scheduler, the launcher and the launcher's
// tails, which would otherwise run for ever. (A living launcher restarts ranks or waits. It gets no SIGTERM, because
// after a SIGTERM to msrun its workers go on training.)
std::vector<ProcessTarget> signalTargets(const JobState &view, const ProcessSnapshot &picture, Signal signal);
// The action that launched the process or one of its parents; empty: this program did not launch it.
std::string launchingAction(const ProcessInfo &process);
// Processes of `now` that are missing in the confirmed list: they are new, and are not signalled.
std::vector<ProcessTarget> appearedSince(const std::vector<ProcessTarget> &confirmed,
                                         const std::vector<ProcessTarget> &now);
// Fills in sent and reason for each target.
void sendSignals(ActionContext &host, std::vector<ProcessTarget> &list, Signal signal, SteadyTime deadline);
// Removes the processes that are known to be gone. A process on a node that does not answer stays.
void eraseGone(ActionContext &host, std::vector<ProcessTarget> &list);
Message signalledText(const std::vector<ProcessTarget> &list, Signal signal);
Message namesOf(const std::vector<ProcessTarget> &list);  // "rank 3, pid 4711 (python3, group 4711) on node n0; …"

}  // namespace rankdeck
