// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of one checkpoint file by ranges, whatever their source: a pure state machine. Each advance() takes the
// replies to the previous requests and returns the next requests, or that it is done. Therefore the driver can combine
// all files of a set into one round trip per step, and tests and fuzzers can feed any bytes. Bounded: memory and number
// of steps do not grow with the file's claims. It never fails: cuts, missing parts and contradictions are problems in
// the evidence.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <memory>
#include <variant>
#include <vector>

namespace rankdeck {

struct ReadStep {  // both empty: the reader is done
    std::vector<RangeRequest> ranges = {};
    std::vector<ScanRequest> scans = {};
    [[nodiscard]] bool done() const { return ranges.empty() && scans.empty(); }
    // length bytes of path from an offset, in ranges of 4 MiB.
    static ReadStep of(const std::string &path, std::uint64_t from, std::uint64_t length);
};
struct ReadReplies {
    std::vector<RangeReply> ranges = {};
    std::vector<ScanReply> scans = {};
    [[nodiscard]] std::string joined() const;  // the bytes of all ranges, in their order
};

class FormatReader {
public:
    virtual ~FormatReader() = default;
    virtual ReadStep advance(const ReadReplies &replies) = 0;  // first call: with empty replies
    [[nodiscard]] virtual Evidence evidence() const = 0;       // at any time: the evidence so far
};

// These two functions use the list of all formats (formats/formats.cpp); readers of directories open their parts with
// them. The format is detected from the content, and its reader then reads up to the wanted level. L4 is not read here,
// because it needs a hash on the node.
std::unique_ptr<FormatReader> makeReader(const FileEntry &file, EvidenceLevel wanted);
// Reader of a member: with parts, the reader of their layout.
std::unique_ptr<FormatReader> makeReader(const FileEntry &file, const std::vector<FileEntry> &parts,
                                         EvidenceLevel wanted);

}  // namespace rankdeck
