// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs below the graceful one: SIGTERM or SIGKILL to exactly the processes that are listed, each checked by pid,
// start time and boot id on the node at the moment of the signal. A node that does not answer is not a process that is
// gone. Asking and sending block until the deadline.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/process_target.h"
#include "core/recover/stop/checks/exit_preflight.h"

#include <string>
#include <vector>

namespace rankdeck {

// What the signal does to these ranks of the job, as findings, before it is sent; looks: which signals they handle.
std::vector<Finding> escalationFindings(const Job &job, const ProcessSnapshot &picture,
                                        const std::map<int, ProcDetails> &looks, Signal signal);
// All rungs, each with its price at this moment, what it does and whom it would hit. findings: of the graceful one.
std::vector<ExitRung> exitLadder(const JobState &view, const ExitFacts &facts, const std::vector<Finding> &findings);
// The list itself: ranks first; for kill then scheduler, launcher and the launcher's tails, which would stay for ever
// (a launcher that lives restarts or waits; SIGTERM to msrun leaves its workers training, so it gets none).
std::vector<ProcessTarget> signalTargets(const JobState &view, const ProcessSnapshot &picture, Signal signal);
// The action that launched it, or what it descends from; empty: none of ours.
std::string launchingAction(const ProcessInfo &process);
// Of now, those that are not in the confirmed list: they appeared since, and are not signalled.
std::vector<ProcessTarget> appearedSince(const std::vector<ProcessTarget> &confirmed,
                                         const std::vector<ProcessTarget> &now);
// Fills in sent and reason of each.
void sendSignals(ActionContext &host, std::vector<ProcessTarget> &list, Signal signal, SteadyTime deadline);
// Takes out those that are known to be gone; one whose node does not answer stays.
void eraseGone(ActionContext &host, std::vector<ProcessTarget> &list);
std::string signalledText(const std::vector<ProcessTarget> &list, Signal signal);
std::string namesOf(const std::vector<ProcessTarget> &list);  // "rank 3, pid 4711 (python3, group 4711) on node n0; …"

}  // namespace rankdeck
