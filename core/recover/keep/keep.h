// SPDX-License-Identifier: GPL-3.0-or-later
// Plan of the links and directories that keep a set. Pure.
#pragma once

#include "core/base/result.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/plan.h"
#include "core/state/job_state.h"

#include <string>

namespace rankdeck {

// Requests the file status that planKeep needs to detect which nodes see the same directory.
void wantRoots(PathStats &book, const JobState &view);
// Error refused: the set is not complete; notFound: there is no such set.
Result<Plan> planKeep(const JobState &view, const std::string &set, const PathStats &book);

}  // namespace rankdeck
