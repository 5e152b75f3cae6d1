// SPDX-License-Identifier: GPL-3.0-or-later
// Drives readers over the node link: all files of a round in one request per node and step, results cached by path,
// size, mtime and inode, so that an unchanged file costs no read. Blocks; runs on the engine's survey thread.
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
    using Nodes = std::function<NodeClient *(const std::string &name)>;  // nullptr: not there
    explicit Survey(Nodes nodes);
    ~Survey();

    // Evidence of these members, at least to the level, from the cache where nothing changed. A file that could not be
    // read has L0 evidence with a problem; a node that is gone too (code "unreachable"). Such a file is asked again.
    std::vector<Evidence> read(const std::vector<Member> &members, EvidenceLevel level,
                               const std::function<bool()> &stopped = {});
    // What is cached for this file as it is now (same stat), else L0.
    [[nodiscard]] EvidencePtr known(const Member &member) const;
    // L4: crc trailer or whole-file hash, on the node. Error cancelled once stopped says so, at most 0.1 s later; the
    // node then reads its file to the end for nothing.
    Result<Evidence> readEveryByte(const Member &member, const std::function<bool()> &stopped = {});
    [[nodiscard]] std::uint64_t bytesRead() const;
    [[nodiscard]] std::uint64_t roundTrips() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
