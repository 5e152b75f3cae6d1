// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs below the graceful one: SIGTERM or SIGKILL to exactly the processes that are listed, each checked by pid,
// start time and boot id on the node at the moment of the signal. Blocks until they are gone or the wait is over.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/plan/plan.h"
#include "core/recover/stop/exit_preflight.h"
#include "core/recover/stop/exit_report.h"

#include <string>
#include <vector>

namespace rankdeck {

struct Signalled {
    std::string node;
    ProcessInfo process;
    int rank = -1;  // -1: scheduler or launcher
    bool sent = false;
    std::string reason = {};  // why not
};

// What the signal does to these ranks of the job, as findings, before it is sent; looks: which signals they handle.
std::vector<Finding> escalationFindings(const Job &job, const ProcessSnapshot &picture,
                                        const std::map<int, ProcDetails> &looks, Signal signal);
// All rungs, each with its price at this moment, what it does and whom it would hit. findings: of the graceful one.
std::vector<ExitRung> exitLadder(const JobState &view, const ExitFacts &facts, const std::vector<Finding> &findings);
// The list itself: ranks first; for kill then scheduler, launcher and the launcher's tails, which would stay for ever
// (a launcher that lives restarts or waits; SIGTERM to msrun leaves its workers training, so it gets none).
std::vector<Signalled> signalList(const JobState &view, const ProcessSnapshot &picture, Signal signal);
void sendSignals(ActionContext &host, std::vector<Signalled> &list, Signal signal, SteadyTime deadline);
// Waits until none of them runs; returns those that still do.
std::vector<Signalled> waitGone(ActionContext &host, std::vector<Signalled> list, double seconds);
std::string signalledText(const std::vector<Signalled> &list, Signal signal);
std::string signalledJson(const std::vector<Signalled> &list);

}  // namespace rankdeck
