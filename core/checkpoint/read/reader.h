// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one checkpoint file by ranges, without knowing where they come from: a pure state machine. Each advance() takes
// the replies to the requests of the step before and says what it wants next, or that it is done. So the driver can
// pipeline all files of a set into one round trip per step, tests feed bytes, and fuzzers feed garbage.
// Bounded: memory and number of steps do not grow with what the file claims. Nothing of it fails: what is cut, missing
// or contradicts itself is a problem of the evidence.
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
    virtual ReadStep advance(const ReadReplies &replies) = 0;  // first call: empty replies
    [[nodiscard]] virtual Evidence evidence() const = 0;       // at any time: what is known so far
};

// These two are made by the list of all formats (formats/formats.cpp); readers of directories open their parts by them.
// Sniffs the content first, then reads with the format's own reader, up to the wanted level (L4 is not read here: it
// needs a hash on the node).
std::unique_ptr<FormatReader> makeReader(const FileEntry &file, EvidenceLevel wanted);
// Of a member: with parts, the reader of the layout that they are of.
std::unique_ptr<FormatReader> makeReader(const FileEntry &file, const std::vector<FileEntry> &parts,
                                         EvidenceLevel wanted);

}  // namespace rankdeck
