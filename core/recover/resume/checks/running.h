// SPDX-License-Identifier: GPL-3.0-or-later
// Whether an attempt of this job runs already, whoever started it: on the word of the nodes that hold its claim, and by what
// still grows. A run that is seen to move is running, whatever the list of processes says; only a rank whose process was
// seen and is seen no more, or whose stop was proven, is known to be gone. readRunning blocks until the deadline; the
// rest is pure. What a node does not answer is unknown, never no.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"
#include "core/recover/findings.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/resume_report.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct ClaimFact {
    std::string node;
    Known held = Known::unknown;
    JobHolder holder = {};
    std::string problem = {};  // why it is unknown
};
struct RunningFacts {
    std::vector<ClaimFact> claims = {};
    std::optional<WallTime> stopped = {};  // a proven stop, by the console's clock
    WallTime now = {};
};

RunningFacts readRunning(ActionContext &host, const JobState &view, SteadyTime deadline);
// So long after a log or checkpoint grew it may grow again: max(60 s, 10 steps).
double quietSeconds(const JobState &view);
// When a rank that is not known to be gone was last seen to write; by the console's clock. nullopt: none was.
std::optional<WallTime> lastGrowth(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                                   const RunningFacts &facts);
std::vector<Finding> runningFindings(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                                     const RunningFacts &facts, const ResumeOptions &options);

}  // namespace rankdeck
