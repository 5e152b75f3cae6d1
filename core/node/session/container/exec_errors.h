// SPDX-License-Identifier: GPL-3.0-or-later
// What the last words of kubectl exec, podman exec or docker exec mean for the operator: which of them is worth another try
// (the pod may come back, the API server may answer again: unreachable) and which is not (refused, invalid, notFound,
// unsupported), and what to do. Pure; what a cluster says is printed safely.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

#include <optional>
#include <string>

namespace rankdeck {

// detail is containerEndedDetail when the container is known to run no more, podGoneDetail when the cluster has no such pod.
// errorOutput: what came on stderr, with the state that execScript asked for at its end. Cannot fail.
Error execError(const NodeSpec &node, const std::string &errorOutput, const Error &ended);
// When kubectl could not ask the cluster, or was not let: "WHAT cannot be reached: …". nullopt: it says something else.
std::optional<Error> clusterError(const std::string &what, const std::string &errorOutput);
// What kubectl said in one line: each of its lines once, with how often it came; without the time and place in its source that
// it puts before them.
std::string kubectlText(const std::string &errorOutput);
// Without the lines of that state.
std::string withoutState(const std::string &errorOutput);
// "Failed (Evicted: …) on node-a; container main: OOMKilled, exit code 137"; empty when nothing was said of it.
std::string podStateText(const std::string &errorOutput);

}  // namespace rankdeck
