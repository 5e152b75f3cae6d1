// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of a graceful exit, and what it says of itself while it runs and at its end. Plain values.
#pragma once

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
    bool allowUnreachable = false;  // write the reachable nodes although one is not
    std::string escalate = {};      // "" | "term" | "kill"
    // The operator has confirmed a rung below the graceful one: it is taken at once, and nothing is asked of the ranks.
    std::optional<ConfirmedRung> confirmed = {};
};
struct RankExit {
    int rank = -1;
    bool armed = false;      // its node's config says 1
    bool seen = false;       // has begun a step since: it has read the flag
    bool confirmed = false;  // logged the exit
    std::optional<WallTime> seenAt = {}, confirmedAt = {}, savedAt = {}, exitedAt = {};
    std::string savedPath = {};
    std::optional<Verdict> savedVerdict = {};  // of the set it belongs to
    bool exited = false;
    std::optional<int> exitCode = {};
    double lateSeconds = 0;  // behind the time at which it should have answered
    std::string note = {};   // "12 s late"
    // What was observed, as sentences: the log line, the file, the process.
    std::string seenBy = {}, confirmedBy = {}, savedBy = {}, exitedBy = {};
};

// One way down the ladder, with what it costs at this moment and whom it would hit.
struct ExitRung {
    std::string name = {};  // "graceful", "term", "kill"
    bool available = false;
    std::string text = {};  // what it does, or why it is not there
    LostWork price = {};
    std::vector<Finding> findings = {};
    std::vector<ProcessTarget> targets = {};  // exactly these get the signal when the rung is confirmed
};

// Another console that is at it: by the journal that both keep.
struct ExitElsewhere {
    std::string kind = "exit";  // or "resume"
    std::string action = {}, user = {}, host = {}, state = {};
    WallTime since = {};  // armed, else begun
    bool live = false;    // its process may run; false: it was killed in the middle
};
// A file in which the request may still stand after the exit has ended.
struct FlagLeft {
    std::string node = {}, path = {};
    std::optional<int> value = {};  // nullopt: the node did not say
};
struct ExitReport {
    ExitPhase phase = {};
    ExitOutcome outcome = {};
    std::string text = {};
    std::vector<Finding> preflight = {};
    Plan plan = {};
    std::vector<RankExit> ranks = {};
    bool flagReset = false;           // every node that was asked to stop has said that the request is taken back
    std::vector<FlagLeft> left = {};  // empty when flagReset
    bool cancellable = true;          // what was asked can be taken back, and no rank is known to have read it
    std::string journal = {};
    std::optional<WallTime> started = {};
    std::optional<std::string> set = {};  // what the exit saved and verdict VALID found
    StopMethod way = StopMethod::none;
    LostWork price = {};                        // of a kill at this moment; a graceful stop loses no finished step
    std::optional<double> answerSeconds = {};   // until the ranks are expected to read the flag
    std::vector<ExitRung> ladder = {};          // from the gentlest rung down
    std::vector<ExitElsewhere> elsewhere = {};  // other consoles' exits of this job that have not ended
};

using ExitProgress = std::function<void(const ExitReport &)>;

}  // namespace rankdeck
