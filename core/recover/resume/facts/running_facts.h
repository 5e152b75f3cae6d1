// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds this job's claim, on the word of each node, and when a stop of it was last proven. Blocks until the deadline. What
// a node does not answer is unknown, never no; a node that cannot be reached has no entry, it is a finding of its own.
#pragma once

#include "core/base/known.h"
#include "core/base/result.h"
#include "core/recover/action_context.h"

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
    std::optional<Error> journal = {};     // why it does not say what is in progress
    std::optional<WallTime> stopped = {};  // a proven stop, by the console's clock
    WallTime now = {};
};

RunningFacts readRunning(ActionContext &host, const JobState &view, SteadyTime deadline);
}  // namespace rankdeck
