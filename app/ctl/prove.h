// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoints --prove SET: the framework itself loads the files of one set on their nodes. Blocks.
#pragma once

#include "app/ctl/command.h"

#include "core/base/result.h"
#include "core/engine/checkpoints/load_proof.h"
#include "core/verdict/verdict.h"

#include <map>
#include <string>
#include <utility>

namespace rankdeck::ctl {

struct Proofs {
    std::map<std::pair<std::string, std::string>, LoadProof> byFile = {};  // (node, path)
    // At least one was not loaded for want of the framework on its node, and all others are good.
    [[nodiscard]] bool notTried() const;
    [[nodiscard]] bool good() const;  // all loaded, and all values are finite
};

// On one machine that is connected, with the login's own python. What was loaded before and has not changed since comes from
// the state directory.
Result<Proofs> proveSet(const CheckpointSet &set, NodeClient &node, const std::string &host, const Globals &globals);
// On the nodes of the job, with its interpreter and environment. Errors: a node that cannot be reached, cancelled.
Result<Proofs> proveSet(const CheckpointSet &set, const Globals &globals);

// Into the members of the set in the JSON of its report; as lines for a terminal.
void addProofs(Json &report, const std::string &set, const Proofs &proofs);
std::string proofLines(const CheckpointSet &set, const Proofs &proofs);

}  // namespace rankdeck::ctl
