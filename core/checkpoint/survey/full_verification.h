// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence level 4: the node reads every byte of a file, which proves that each can be read and that none changes
// meanwhile, and says the checksums of the pieces that carry one: a MindSpore file before its CRC trailer, the records of
// a zip of torch. Formats without a checksum keep the SHA-256 for later comparison. Blocks.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/node/node.h"

#include <functional>

namespace rankdeck {

class EveryByte {
public:
    using Stopped = std::function<bool()>;
    EveryByte(NodeClient &node, Stopped stopped) : m_node(node), m_stopped(std::move(stopped)) {}

    // evidence: of this member, to L3. Errors: what the node says, conflict when a file changed since it was listed,
    // cancelled.
    Result<Evidence> read(const Member &member, Evidence evidence);
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytes; }  // that came over the link
    [[nodiscard]] std::uint64_t roundTrips() const { return m_trips; }

private:
    struct Piece {  // of a file, with the checksum that it is said to have
        std::string name;
        FileSpan span;
        std::uint32_t crc = 0;
    };
    Result<std::vector<Piece>> trailedPiece(const FileEntry &file);
    Result<std::vector<Piece>> zipPieces(const FileEntry &file);
    Result<std::vector<RangeReply>> ranges(std::vector<RangeRequest> wanted);
    Result<HashReply> hash(HashRequest request);
    Result<std::string> compare(const FileEntry &file, const std::vector<Piece> &pieces, Evidence &evidence);

    NodeClient &m_node;
    Stopped m_stopped;
    std::uint64_t m_bytes = 0, m_trips = 0;
};

}  // namespace rankdeck
