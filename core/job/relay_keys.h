// SPDX-License-Identifier: GPL-3.0-or-later
// The keys "relays" and "nodes[].relay" of the job file: through which head nodes the others are reached. What "relays" names
// has an equal part of the nodes, in their order; a node that is a relay itself, this machine, a pod or a container is
// reached without. Used by job_file.cpp only.
#pragma once

#include "core/job/job.h"
#include "core/job/job_reader.h"

namespace rankdeck {

// After the nodes and "kubernetes". What is wrong becomes the state's error.
void readRelays(ReadState &state, ObjectReader &root, Job &job);

}  // namespace rankdeck
