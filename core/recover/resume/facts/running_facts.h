// SPDX-License-Identifier: GPL-3.0-or-later
// The action that holds this job, as each node reports it, and the time of the last proven stop. Blocks until the
// deadline. An unanswered question is unknown, never no. An unreachable node has no entry, because it has its own
// finding.
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
    std::optional<Error> journal = {};     // reason why the journal cannot be read
    std::optional<WallTime> stopped = {};  // a proven stop, by the console's clock
    WallTime now = {};
};

// own: the calling action, which may have reserved the job.
RunningFacts readRunning(ActionContext &host, const JobState &view, const std::string &own, SteadyTime deadline);
}  // namespace rankdeck
