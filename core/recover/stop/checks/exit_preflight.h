// SPDX-License-Identifier: GPL-3.0-or-later
// What speaks for and against a graceful exit, as findings: the one list of checks, over facts that were all read before.
// Pure; a question that was not answered is an empty optional in the facts, and never counts as a no.
// docs/graceful-exit.md explains every code.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/flag/config_named.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/job_claims.h"
#include "core/recover/plan.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rankdeck {

struct RankNames {  // a rank that takes another file than the job file says
    int rank = -1;
    NamedConfig named;
    std::string configured;
};

struct ExitFacts {  // beside the view
    StopMethod way = StopMethod::none;
    std::vector<ConfigCopy> copies = {};
    std::vector<ConfigCopy> mounted = {};  // configMap: what the pods see of it
    ProcessSnapshot processes = {};
    std::map<int, ProcDetails> looks = {};
    std::map<std::string, std::vector<DiskSpace>> room = {};  // node → where its ranks save
    std::map<int, std::string> staleSaves = {};               // rank → *_train.ckpt that is there already
    std::optional<ExitCallback> callback = {};                // as all scripts that were read have it
    Known gracefulReady = {};                                 // the newest checkpoint carries the switch's parameters
    std::set<int> named = {};                                 // ranks that name a config at all
    std::vector<RankNames> elsewhere = {};
    std::vector<ExitElsewhere> consoles = {};   // other consoles' exits and resumes of this job
    std::optional<Error> consolesUnknown = {};  // why they are not known
    std::vector<ClaimFact> claims = {};         // who has the job, on the word of the nodes
    std::string slurmJob = {};                  // scancel: found or configured
    std::optional<WallTime> ends = {};          // when the scheduler ends the job by force
    WallTime now = {};
};

std::vector<Finding> exitFindings(const JobState &view, const ExitFacts &facts, const ExitOptions &options);
// The refusal of a journal that does not say who else acts.
Finding journalFinding(const Error &error);
// The refusal that says which other console is at it: exit_elsewhere, or other_console for a resume.
Finding elsewhereFinding(const ExitElsewhere &other);
// Of resumes that have reserved the job and started nothing yet, whatever journal their consoles keep: other_console.
std::vector<Finding> claimFindings(const std::vector<ClaimFact> &claims);
// Nodes that were asked before the request was written and do not answer now: whether a resume began there is not known.
std::vector<Finding> silentSince(const std::vector<ClaimFact> &before, const std::vector<ClaimFact> &now);
// The refusals that only say that the graceful rung cannot work; an escalation may go on without it.
bool onlyGracefulIsImpossible(const std::vector<Finding> &findings);

}  // namespace rankdeck
