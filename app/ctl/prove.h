// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoints --prove SET: the training framework itself loads the files of one set on their nodes. Blocks.
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
    std::map<std::pair<std::string, std::string>, LoadProof> byFile = {};  // key: (node, path)
    // At least one file was not loaded because its node lacks the framework, and all other files are good.
    [[nodiscard]] bool notTried() const;
    [[nodiscard]] bool good() const;  // all files were loaded, and all values are finite
};

// On one connected machine, with the default python of the login. Results for unchanged files come from the state
// directory.
Result<Proofs> proveSet(const CheckpointSet &set, NodeClient &node, const std::string &host, const Globals &globals);
// On the nodes of the job, with the interpreter and environment of the job. Errors: a node that cannot be reached,
// cancelled.
Result<Proofs> proveSet(const CheckpointSet &set, const Globals &globals);

// Adds the proofs to the members of the set in the JSON report; proofLines() is the same for a terminal.
void addProofs(Json &report, const std::string &set, const Proofs &proofs);
std::string proofLines(const CheckpointSet &set, const Proofs &proofs);

}  // namespace rankdeck::ctl
