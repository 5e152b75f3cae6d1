// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds this job's claim, on the word of each node. Blocks until the deadline. What a node does not answer is unknown,
// never no; a node that cannot be reached has no entry, it is a finding of its own.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"

#include <string>
#include <vector>

namespace rankdeck {

struct ClaimFact {
    std::string node;
    Known held = Known::unknown;  // by another action than the one that asks
    JobHolder holder = {};
    std::string problem = {};  // why it is unknown
};

// own: the action that asks, and may have the job itself.
std::vector<ClaimFact> readClaims(ActionContext &host, const JobState &view, const std::string &own,
                                  SteadyTime deadline);

}  // namespace rankdeck
