// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the job file that configure the access to many nodes: "kubernetes", from which pods and containers take it,
// and "relays". Errors are added to the state.
#pragma once

#include "core/job/job.h"
#include "core/job/job_reader.h"

#include <nlohmann/json.hpp>

namespace rankdeck {

// To be called after the nodes and the other sections were read.
void readCluster(ReadState &state, ObjectReader &root, Job &job);
// Assigns head nodes to the other nodes: each node named in "relays" gets an equal part of the nodes, in their order. A
// node that is a relay itself, this machine, a pod or a container needs none. To be called after readCluster.
void readRelays(ReadState &state, ObjectReader &root, Job &job);
// The same rules for typed values. Error invalid: expected, found.
Status checkKubernetes(const KubernetesSpec &spec);
void clusterToJson(const KubernetesSpec &spec, nlohmann::ordered_json &into);

}  // namespace rankdeck
