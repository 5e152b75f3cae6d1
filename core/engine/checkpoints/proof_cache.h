// SPDX-License-Identifier: GPL-3.0-or-later
// Cache of load results (evidence L5) in the state directory: unchanged files are not loaded again. Only successes are
// kept, because a failure may be the node's fault. Bounded: the oldest are removed first. One thread.
#pragma once

#include "core/base/clock.h"
#include "core/base/deadline.h"
#include "core/engine/checkpoints/load_proof.h"
#include "core/node/node.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Path, size, mtime and inode of every file of a checkpoint: a file, a directory or a prefix. Empty: unknown, because
// the node has not answered by the deadline or there are too many files.
std::string filesIdentity(NodeClient &node, const std::string &path, SteadyTime deadline);

class ProofCache {
public:
    // Without a directory, or with one that cannot be read or belongs to another user, the cache is empty and keeps
    // nothing.
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
