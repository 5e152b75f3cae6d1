// SPDX-License-Identifier: GPL-3.0-or-later
// Pods whose container has ended, by the cluster's report: none of their processes is left, and they cannot answer.
// Pure.
#pragma once

#include "core/state/job_state.h"

#include <string>

namespace rankdeck {

const NodeStatus *nodeStatusOf(const JobState &view, const std::string &node);  // nullptr: no status
bool podHasEnded(const JobState &view, const std::string &node);
// The cluster has no such pod any more. Its processes ended with it, unless it was deleted by force.
bool podIsGone(const JobState &view, const std::string &node);

}  // namespace rankdeck
