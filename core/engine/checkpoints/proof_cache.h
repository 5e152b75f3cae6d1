// SPDX-License-Identifier: GPL-3.0-or-later
// What loading has shown (evidence L5), kept in the state directory: files that have not changed since are not loaded
// again. Only what did load is kept; a failure may be the node's. Bounded: the oldest go first. One thread.
#pragma once

#include "core/base/clock.h"
#include "core/base/deadline.h"
#include "core/engine/checkpoints/load_proof.h"
#include "core/node/node.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Path, size, mtime and inode of every file of a checkpoint: a file, a directory or a prefix. Empty: not known, as when the
// node has not answered by the deadline, or of too many files.
std::string filesIdentity(NodeClient &node, const std::string &path, SteadyTime deadline);

class ProofCache {
public:
    // Without a directory, or where it cannot be read or is another user's, nothing is known and nothing is kept.
    explicit ProofCache(const std::string &stateDirectory);

    struct Key {
        std::string host, path, python, identity;
    };
    [[nodiscard]] std::optional<LoadProof> find(const Key &key) const;  // with `loaded`, when it was
    void keep(const Key &key, const LoadProof &proof, WallTime now);
    Status save() const;  // Errors: the file cannot be written

private:
    struct Kept {
        Key key;
        LoadProof proof;
    };
    std::string m_path;        // empty: none
    std::vector<Kept> m_kept;  // the oldest first
};

}  // namespace rankdeck
