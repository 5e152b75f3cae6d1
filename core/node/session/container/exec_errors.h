// SPDX-License-Identifier: GPL-3.0-or-later
// Meaning of the last output of kubectl exec, podman exec or docker exec, and what to do. Temporary errors are
// unreachable (the pod may return, the API server may answer again). Permanent errors are refused, invalid, notFound
// and unsupported. Pure; output of a cluster is made safe to print.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

#include <optional>
#include <string>

namespace rankdeck {

// The error's detail is containerEndedDetail if the container is known to have stopped, podGoneDetail if the cluster
// has no such pod. The parameter errorOutput is the text on stderr, with the pod's state that execScript appended.
// Cannot fail.
Error execError(const NodeSpec &node, const std::string &errorOutput, const Error &ended);
// Error if kubectl could not reach the cluster, or was not permitted to: "WHAT cannot be reached: …". nullopt: another
// message.
std::optional<Error> clusterError(const std::string &what, const std::string &errorOutput);
// The message of kubectl in one line: each of its lines once, with its count. The time and the source position that
// kubectl puts before them are removed.
std::string kubectlText(const std::string &errorOutput);
// The output without the lines of the pod's state.
std::string withoutState(const std::string &errorOutput);
// "Failed (Evicted: …) on node-a; container main: OOMKilled, exit code 137"; empty if there was no state.
std::string podStateText(const std::string &errorOutput);

}  // namespace rankdeck
