// SPDX-License-Identifier: GPL-3.0-or-later
// What each rank has shown since the flag was written: confirmed, saved, gone; and whether that proves the stop. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/plan.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rankdeck {

inline constexpr double lineDelaySeconds = 2.5;  // until a line that a rank has written is here

struct ExitBaseline {
    StopMethod way = StopMethod::config;
    std::optional<std::int64_t> setStep = {};          // where it stands
    bool savesNothing = false;                         // the script has said so to its callback
    WallTime armedAt = {};                             // by our clock
    std::optional<double> answer = {};                 // seconds until the ranks were expected to read the flag
    std::map<std::string, std::int64_t> armedNs = {};  // node → the config's time after the write, by its clock
    std::set<int> armedRanks = {};
    std::map<int, std::string> unsent = {};      // signal: ranks that are not known to have it, and why
    std::map<int, ProcessId> processes = {};     // of the ranks when the flag was written
    std::map<int, std::int64_t> positions = {};  // last sample of each rank then
    std::set<int> unseen = {};                   // configMap: ranks whose pod is not known to see the request yet
    // The same once every line that had been written by then has come: what a rank is said to have seen counts from here.
    std::map<int, std::int64_t> delivered = {};
    // Checkpoint files that were there when the flag was written, with their times then: these are no saves of the exit.
    std::map<std::pair<std::string, std::string>, WallTime> filesBefore = {};  // by node and path
};

struct ExitProof {
    std::vector<RankExit> ranks = {};
    std::optional<std::string> set = {};       // VALID, and saved by every rank after the flag was written
    std::optional<std::int64_t> setStep = {};  // where it stands
    bool savesNothing = false;                 // no set can come
    // A later set may still turn up: one is being judged, or a directory has not been listed since its rank went.
    bool mayBeMore = false;
    [[nodiscard]] bool allConfirmed() const;
    [[nodiscard]] bool anyConfirmed() const;
    [[nodiscard]] bool anyExited() const;
    [[nodiscard]] bool allExited() const;
    // Every rank confirmed (where the way of asking has such a thing), saved and gone.
    [[nodiscard]] bool complete(StopMethod way) const;
    [[nodiscard]] std::vector<int> missing(bool RankExit::*done) const;
};

// before: what the last look said; the first time that something was seen is kept.
ExitProof proveExit(const JobState &view, const ExitBaseline &baseline, WallTime now,
                    const std::vector<RankExit> &before = {});
// How many loss lines a rank has written since the flag was: one, and it may have begun a step and read the flag; two,
// and it has. A rank without any line says nothing.
std::optional<std::int64_t> linesSince(const JobState &view, const RankState &rank, const ExitBaseline &baseline);
// Ranks that have begun a step since the flag was written, or may have: MindSpore never forgets what it read.
std::vector<int> ranksThatMayHold(const JobState &view, const ExitBaseline &baseline);
// One sentence per thing that is missing, for the outcome: "rank 3 did not confirm within 60 s."
std::string missingText(const ExitProof &proof, StopMethod way, double waitedSeconds);

}  // namespace rankdeck
