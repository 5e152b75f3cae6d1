// SPDX-License-Identifier: GPL-3.0-or-later
// List of all checks for and against a graceful exit, over facts that were read before; it returns findings. Pure. In
// the facts, an unanswered question is an empty optional, and never counts as a no. The page docs/graceful-exit.md
// explains every code.
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

struct RankNames {  // a rank that uses another file than the job file's
    int rank = -1;
    NamedConfig named;
    std::string configured;
};

struct ExitFacts {  // facts in addition to the job state
    StopMethod way = StopMethod::none;
    std::vector<ConfigCopy> copies = {};
    std::vector<ConfigCopy> mounted = {};  // configMap: the pods' view of it
    ProcessSnapshot processes = {};
    std::map<int, ProcDetails> looks = {};
    std::map<std::string, std::vector<DiskSpace>> room = {};  // node → disk space in its ranks' output directories
    std::map<int, std::string> staleSaves = {};               // rank → existing *_train.ckpt
    std::optional<ExitCallback> callback = {};                // the callback, if all scripts that were read agree
    Known gracefulReady = {};                                 // the newest checkpoint carries the switch's parameters
    std::set<int> named = {};                                 // ranks that name a config at all
    std::vector<RankNames> elsewhere = {};
    std::vector<ExitElsewhere> consoles = {};   // other consoles' exits and resumes of this job
    std::optional<Error> consolesUnknown = {};  // why the other consoles are unknown
    std::vector<ClaimFact> claims = {};         // holders of the job, as the nodes report them
    std::string slurmJob = {};                  // scancel: found or configured
    std::optional<WallTime> ends = {};          // when the scheduler ends the job by force
    WallTime now = {};
};

std::vector<Finding> exitFindings(const JobState &view, const ExitFacts &facts, const ExitOptions &options);
// Refusal because the journal does not show the other actions.
Finding journalFinding(const Error &error);
// Refusal that names the other console: exit_elsewhere, or other_console for a resume.
Finding elsewhereFinding(const ExitElsewhere &other);
// Findings other_console: resumes that have reserved the job but started nothing yet, even if their consoles use
// another journal.
std::vector<Finding> claimFindings(const std::vector<ClaimFact> &claims);
// Nodes that answered before the request was written and do not answer now: a resume may have begun there.
std::vector<Finding> silentSince(const std::vector<ClaimFact> &before, const std::vector<ClaimFact> &now);
// True if every refusal only means that the graceful stop cannot work. A force stop is possible without it.
bool onlyGracefulIsImpossible(const std::vector<Finding> &findings);

}  // namespace rankdeck
