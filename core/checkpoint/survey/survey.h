// SPDX-License-Identifier: GPL-3.0-or-later
// Driver of the readers over the node link. All files of a round are one request per node and step. Results are cached
// by path, size, mtime and inode, so that an unchanged file costs no read. Blocks; runs on the engine's survey thread.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/node/node.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

class Survey {
public:
    using Nodes = std::function<NodeClient *(const std::string &name)>;  // nullptr: no such node
    explicit Survey(Nodes nodes);
    ~Survey();

    // Evidence of these members, at least to the level; from the cache if nothing changed. A file that could not be
    // read, or whose node is unreachable (code "unreachable"), has L0 evidence with a problem. Such a file is requested
    // again.
    std::vector<Evidence> read(const std::vector<Member> &members, EvidenceLevel level,
                               const std::function<bool()> &stopped = {});
    // Cached evidence of this file as it is now (same stat), otherwise L0.
    [[nodiscard]] EvidencePtr known(const Member &member) const;
    // L4: crc trailer or whole-file hash, on the node. Error cancelled at most 0.1 s after stopped returns true; the
    // node still reads its file to the end.
    Result<Evidence> readEveryByte(const Member &member, const std::function<bool()> &stopped = {});
    [[nodiscard]] std::uint64_t bytesRead() const;
    [[nodiscard]] std::uint64_t roundTrips() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
