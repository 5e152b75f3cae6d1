// SPDX-License-Identifier: GPL-3.0-or-later
// Pods whose container has ended, as the cluster says: no process of theirs is left, and they answer nothing. Pure.
#pragma once

#include "core/state/job_state.h"

#include <string>

namespace rankdeck {

const NodeStatus *nodeStatusOf(const JobState &view, const std::string &node);  // nullptr: nothing is known of it
bool podHasEnded(const JobState &view, const std::string &node);
// The cluster has no such pod any more. Its processes ended with it, unless it was deleted by force.
bool podIsGone(const JobState &view, const std::string &node);

}  // namespace rankdeck
