// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the job file that say for many nodes how they are reached: "kubernetes", from which nodes that are pods or
// containers take it, and "relays"; what is wrong is told to the state.
#pragma once

#include "core/job/job.h"
#include "core/job/job_reader.h"

#include <nlohmann/json.hpp>

namespace rankdeck {

// After the nodes and the other sections were read.
void readCluster(ReadState &state, ObjectReader &root, Job &job);
// Through which head nodes the others are reached: what "relays" names has an equal part of the nodes, in their order; a node
// that is a relay itself, this machine, a pod or a container is reached without. After readCluster.
void readRelays(ReadState &state, ObjectReader &root, Job &job);
// The same rules for what was typed. Error invalid: expected, found.
Status checkKubernetes(const KubernetesSpec &spec);
void clusterToJson(const KubernetesSpec &spec, nlohmann::ordered_json &into);

}  // namespace rankdeck
