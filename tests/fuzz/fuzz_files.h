// SPDX-License-Identifier: GPL-3.0-or-later
// Answers requests of a reader from bytes in memory, like a node. Checks the reader's bounds: few steps, and no range
// that a node would refuse.
#pragma once

#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/read/reader.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

namespace rankdeck {

class FuzzFiles {
public:
    std::map<std::string, std::string> contents;  // contents by path

    // All files of the tree have the same stat, except for the size.
    [[nodiscard]] FileStat statOf(const std::string &path) const
    {
        FileStat stat;
        stat.size = contents.at(path).size();
        return stat;
    }

    [[nodiscard]] Evidence read(FormatReader &reader) const
    {
        ReadStep step = reader.advance({});
        for (int steps = 0; !step.done(); ++steps) {
            if (steps > 200) std::abort();
            ReadReplies replies;
            for (const RangeRequest &request : step.ranges) replies.ranges.push_back(range(request));
            for (const ScanRequest &request : step.scans) replies.scans.push_back(skim(request));
            step = reader.advance(replies);
        }
        return reader.evidence();
    }

private:
    [[nodiscard]] RangeReply range(const RangeRequest &request) const
    {
        RangeReply reply;
        if (request.length > (8u << 20)) std::abort();
        const auto found = contents.find(request.path);
        if (found == contents.end()) {
            reply.error = "No such file or directory";
            return reply;
        }
        const std::string &bytes = found->second;
        reply.stat = statOf(request.path);
        reply.offset =
            request.fromEnd ? bytes.size() - std::min<std::uint64_t>(bytes.size(), request.offset) : request.offset;
        if (reply.offset < bytes.size()) reply.bytes = bytes.substr(std::size_t(reply.offset), request.length);
        return reply;
    }

    [[nodiscard]] ScanReply skim(const ScanRequest &request) const
    {
        ScanReply reply;
        const auto found = contents.find(request.path);
        if (found == contents.end()) {
            reply.error = "No such file or directory";
            return reply;
        }
        const std::string &bytes = found->second;
        reply.stat = statOf(request.path);
        reply.end = request.offset;
        while (reply.records.size() < request.maxRecords && reply.end < bytes.size()) {
            std::size_t at = std::size_t(reply.end) + 1;
            if (static_cast<unsigned char>(bytes[std::size_t(reply.end)]) != request.lead) break;
            const auto payload = varint(bytes, at);
            if (!payload || *payload > bytes.size() - at) break;
            const std::uint64_t length = at - reply.end + *payload;
            reply.records.push_back(
                {reply.end, length,
                 bytes.substr(std::size_t(reply.end), std::min<std::uint64_t>(request.headBytes, length))});
            reply.end += length;
        }
        return reply;
    }
};

}  // namespace rankdeck
