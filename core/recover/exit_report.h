// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a graceful exit, and its report while it runs and at its end. Plain values.
#pragma once

#include "core/base/message.h"
#include "core/base/word.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"
#include "core/recover/process_target.h"
#include "core/recover/stop_method.h"
#include "core/state/job_state.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

inline constexpr std::array exitPhases{PlainWord{"preflight"}, PlainWord{"arming"},     PlainWord{"armed"},
                                       PlainWord{"saving"},    PlainWord{"escalating"}, PlainWord{"proving"},
                                       PlainWord{"resetting"}, PlainWord{"done"}};
using ExitPhase = Word<exitPhases>;
// "" while it runs.
inline constexpr std::array exitOutcomes{PlainWord{""},          PlainWord{"stopped"},         PlainWord{"refused"},
                                         PlainWord{"cancelled"}, PlainWord{"cancel_too_late"}, PlainWord{"timed_out"},
                                         PlainWord{"dry_run"}};
using ExitOutcome = Word<exitOutcomes>;

struct ExitOptions {
    bool dryRun = false;
    double waitSeconds = 600;
    bool allowUnreachable = false;  // write the reachable nodes even if another one is unreachable
    std::string escalate = {};      // "" | "term" | "kill"
    // A force stop that the operator has confirmed: it is carried out at once, without a stop request.
    std::optional<ConfirmedRung> confirmed = {};
};
struct RankExit {
    int rank = -1;
    bool armed = false;      // the config on its node contains the request
    bool seen = false;       // has begun a step since: it has read the flag
    bool confirmed = false;  // logged the exit
    std::optional<WallTime> seenAt = {}, confirmedAt = {}, savedAt = {}, exitedAt = {};
    std::string savedPath = {};
    std::optional<Verdict> savedVerdict = {};  // verdict of the set that it belongs to
    bool exited = false;
    std::optional<int> exitCode = {};
    double lateSeconds = 0;  // delay after the expected time of its answer
    Message note = {};       // "12 s late"
    // Observed evidence, as sentences: the log line, the file, the process.
    Message seenBy = {}, confirmedBy = {}, savedBy = {}, exitedBy = {};
};

// One way to stop the run: the work that it would lose now, and the processes that it would signal.
struct ExitRung {
    std::string name = {};  // "graceful", "term", "kill"
    bool available = false;
    Message text = {};  // what it does, or why it is not available
    LostWork price = {};
    std::vector<Finding> findings = {};
    std::vector<ProcessTarget> targets = {};  // exactly these get the signal if this way is confirmed
};

// Another console with an unfinished action on this job, from the journal that both consoles share.
struct ExitElsewhere {
    std::string kind = "exit";  // or "resume"
    std::string action = {}, user = {}, host = {}, state = {};
    WallTime since = {};  // time at which it set the stop request, otherwise at which it began
    bool live = false;    // false: its process was killed during the action
};
// A file that may still contain the stop request after the end of the exit.
struct FlagLeft {
    std::string node = {}, path = {};
    std::optional<int> value = {};  // nullopt: the node did not answer
};
struct ExitReport {
    ExitPhase phase = {};
    ExitOutcome outcome = {};
    Message text = {};
    std::vector<Finding> preflight = {};
    Plan plan = {};
    std::vector<RankExit> ranks = {};
    bool flagReset = false;           // true: every written node has confirmed that the request is withdrawn
    std::vector<FlagLeft> left = {};  // empty when flagReset
    bool cancellable = true;          // the request can be withdrawn, and no rank is known to have read it
    std::string journal = {};
    std::optional<WallTime> started = {};
    std::optional<std::string> set = {};  // the set that the exit saved and that was judged VALID
    StopMethod way = StopMethod::none;
    LostWork price = {};                        // lost work of a kill now; a graceful stop loses no finished step
    std::optional<double> answerSeconds = {};   // seconds until the ranks are expected to read the request
    std::vector<ExitRung> ladder = {};          // ways to stop, the gentlest first
    std::vector<ExitElsewhere> elsewhere = {};  // unfinished exits of this job in other consoles
};

using ExitProgress = std::function<void(const ExitReport &)>;

}  // namespace rankdeck
