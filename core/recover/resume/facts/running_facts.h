// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds this job's claim, on the word of each node, and when a stop of it was last proven. Blocks until the deadline. What
// a node does not answer is unknown, never no; a node that cannot be reached has no entry, it is a finding of its own.
#pragma once

#include "core/base/result.h"
#include "core/recover/action_context.h"
#include "core/recover/launch/job_claims.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct RunningFacts {
    std::vector<ClaimFact> claims = {};
    std::optional<Error> journal = {};     // why it does not say what is in progress
    std::optional<WallTime> stopped = {};  // a proven stop, by the console's clock
    WallTime now = {};
};

// own: the action that asks, which may have reserved the job.
RunningFacts readRunning(ActionContext &host, const JobState &view, const std::string &own, SteadyTime deadline);
}  // namespace rankdeck
