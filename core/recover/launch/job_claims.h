// SPDX-License-Identifier: GPL-3.0-or-later
// The action that currently holds this job, as each node reports it. Blocks until the deadline. An unanswered question
// is unknown, never no. An unreachable node has no entry, because it has its own finding.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"

#include <string>
#include <vector>

namespace rankdeck {

struct ClaimFact {
    std::string node;
    Known held = Known::unknown;  // held by another action than the calling one
    JobHolder holder = {};
    std::string problem = {};  // why it is unknown
};

// own: the calling action, which may hold the job itself.
std::vector<ClaimFact> readClaims(ActionContext &host, const JobState &view, const std::string &own,
                                  SteadyTime deadline);

}  // namespace rankdeck
