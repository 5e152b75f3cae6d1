// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence level 4: the node reads every byte of a file. That proves that each byte can be read and that the file does
// not change during the read. The node returns the checksums of the pieces whose checksum is in the file: MindSpore
// data before the CRC trailer, records of a torch zip. For other formats the SHA-256 is kept for a later comparison.
// Blocks.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/node/node.h"

#include <functional>

namespace rankdeck {

class EveryByte {
public:
    using Stopped = std::function<bool()>;
    EveryByte(NodeClient &node, Stopped stopped) : m_node(node), m_stopped(std::move(stopped)) {}

    // evidence: of this member, to L3. Errors: those of the node, conflict if a file changed since it was listed, and
    // cancelled.
    Result<Evidence> read(const Member &member, Evidence evidence);
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytes; }  // bytes received over the link
    [[nodiscard]] std::uint64_t roundTrips() const { return m_trips; }

private:
    struct Piece {  // part of a file, with the checksum that the file states for it
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
