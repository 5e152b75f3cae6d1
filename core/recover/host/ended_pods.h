// SPDX-License-Identifier: GPL-3.0-or-later
// Pods whose container has ended according to the cluster: none of their processes is left, and they cannot answer.
// Pure.
#pragma once

#include "core/state/job_state.h"

#include <string>

namespace rankdeck {

const NodeStatus *nodeStatusOf(const JobState &view, const std::string &node);  // nullptr: no status
bool podHasEnded(const JobState &view, const std::string &node);
// True if the cluster no longer has this pod. Its processes ended with the pod, unless the pod was deleted by force.
bool podIsGone(const JobState &view, const std::string &node);

}  // namespace rankdeck
