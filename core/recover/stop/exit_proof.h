// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence from each rank since the request was written (confirmed, saved, gone), and whether it proves the stop. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/plan.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rankdeck {

inline constexpr double lineDelaySeconds = 2.5;  // delay until a written line arrives here

struct ExitBaseline {
    StopMethod way = StopMethod::config;
    std::optional<std::int64_t> setStep = {};          // step of the set
    bool savesNothing = false;                         // the script's callback saves nothing
    WallTime armedAt = {};                             // by the console's clock
    std::optional<double> answer = {};                 // seconds until the ranks were expected to read the flag
    std::map<std::string, std::int64_t> armedNs = {};  // node → the config's time after the write, by the node's clock
    std::set<int> armedRanks = {};
    std::map<int, Message> unsent = {};          // signal: rank that may not have received it → reason
    std::map<int, ProcessId> processes = {};     // processes of the ranks when the flag was written
    std::map<int, std::int64_t> positions = {};  // last sample of each rank at that time
    std::set<int> unseen = {};                   // configMap: ranks whose pod may not see the request yet
    // Position of each rank after all lines written before the request have arrived. Only later lines are evidence.
    std::map<int, std::int64_t> delivered = {};
    // Checkpoint files that existed before the request was written, with their times then. They are not saves of the
    // exit.
    std::map<std::pair<std::string, std::string>, WallTime> filesBefore = {};  // by node and path
};

struct ExitProof {
    std::vector<RankExit> ranks = {};
    std::optional<std::string> set = {};       // VALID, and saved by every rank after the flag was written
    std::optional<std::int64_t> setStep = {};  // step of the set
    bool savesNothing = false;                 // no set can be saved
    // A later set may still appear: one is being judged, or a directory has not been listed since its rank ended.
    bool mayBeMore = false;
    [[nodiscard]] bool allConfirmed() const;
    [[nodiscard]] bool anyConfirmed() const;
    [[nodiscard]] bool anyExited() const;
    [[nodiscard]] bool allExited() const;
    // True if every rank has confirmed (if the stop method has confirmations), saved and ended.
    [[nodiscard]] bool complete(StopMethod way) const;
    [[nodiscard]] std::vector<int> missing(bool RankExit::*done) const;
};

// True if a file with a time was saved after the request, by the clock of its node if a request is there.
bool isSavedAfterRequest(const MemberVerdict &member, const ExitBaseline &baseline);
// before: the result of the last check; the first observation of each fact is kept.
ExitProof proveExit(const JobState &view, const ExitBaseline &baseline, WallTime now,
                    const std::vector<RankExit> &before = {});
// Number of loss lines that a rank has written since the request. One line: it may have begun a step and read the
// request. Two lines: it has read the request. No line: no evidence.
std::optional<std::int64_t> linesSince(const JobState &view, const RankState &rank, const ExitBaseline &baseline);
// Ranks that have begun a step since the request was written, or may have: MindSpore never forgets a request that it
// has read.
std::vector<int> ranksThatMayHold(const JobState &view, const ExitBaseline &baseline);
// One sentence for each thing that is missing: "rank 3 did not confirm within 60 s."
Message missingText(const ExitProof &proof, StopMethod way, double waitedSeconds);

}  // namespace rankdeck
