// SPDX-License-Identifier: GPL-3.0-or-later
// Cache of load results (evidence L5) in the state directory, so that unchanged files are not loaded again. Only
// successes are kept, because a failure may be the fault of the node. Bounded: the oldest entries are removed first.
// One thread.
#pragma once

#include "core/base/clock.h"
#include "core/base/deadline.h"
#include "core/engine/checkpoints/load_proof.h"
#include "core/node/node.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Path, size, mtime and inode of every file of a checkpoint (a file, a directory or a prefix). Empty: unknown, because
// the node did not answer before the deadline or there are too many files.
std::string filesIdentity(NodeClient &node, const std::string &path, SteadyTime deadline);

class ProofCache {
public:
    // If there is no directory, or one that cannot be read or belongs to another user, the cache stays empty and keeps
    // nothing.
    explicit ProofCache(const std::string &stateDirectory);

    struct Key {
        std::string host, path, python, identity;
    };
    [[nodiscard]] std::optional<LoadProof> find(const Key &key) const;  // with the time of the proof in `loaded`
    void keep(const Key &key, const LoadProof &proof, WallTime now);
    Status save() const;  // Errors: the file cannot be written

private:
    struct Kept {
        Key key;
        LoadProof proof;
    };
    std::string m_path;        // empty: no file
    std::vector<Kept> m_kept;  // the oldest first
};

}  // namespace rankdeck
