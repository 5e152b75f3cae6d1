// SPDX-License-Identifier: GPL-3.0-or-later
// The key "kubernetes" of the job file, and what its nodes that are pods or containers take from it; what is wrong is told to
// the state.
#pragma once

#include "core/job/job.h"
#include "core/job/job_reader.h"

#include <nlohmann/json.hpp>

namespace rankdeck {

// After the nodes and the other sections were read.
void readCluster(ReadState &state, ObjectReader &root, Job &job);
// The same rules for what was typed. Error invalid: expected, found.
Status checkKubernetes(const KubernetesSpec &spec);
void clusterToJson(const KubernetesSpec &spec, nlohmann::ordered_json &into);

}  // namespace rankdeck
