// SPDX-License-Identifier: GPL-3.0-or-later
// Decoder of the probe's answers and pushes. Every field is bounded and checked; bytes that do not fit give Error
// protocol. If the answer is an error of the node, it is returned as that Error. Pure; any thread.
#pragma once

#include "core/base/result.h"
#include "core/node/protocol/messages.h"

#include <string_view>

namespace rankdeck {

// The body of a reply: the bytes after the status byte, or the error that the reply contains.
Result<std::string_view> replyBody(std::string_view payload);

Result<Listing> decodeListing(std::string_view body, const std::string &root);
Result<std::vector<RangeReply>> decodeRanges(std::string_view body, std::size_t asked);
Result<std::vector<ScanReply>> decodeSkims(std::string_view body, std::size_t asked);
Result<FileContent> decodeFileContent(std::string_view body);
Result<ReplaceReply> decodeReplace(std::string_view body);
Result<std::vector<DiskSpace>> decodeRooms(std::string_view body, std::size_t asked);
Result<Done> decodeDone(std::string_view body);
Result<HashReply> decodeHash(std::string_view body, std::size_t spans);
Result<ProcessList> decodeProcessList(std::string_view body);
Result<std::vector<ProcessInfo>> decodeProcesses(std::string_view body);
Result<SignalReply> decodeSignal(std::string_view body);
Result<LaunchReply> decodeLaunch(std::string_view body);
Result<JobHolder> decodeJobHolder(std::string_view body);
Result<LogoutRule> decodeLogoutRule(std::string_view body);

struct ProbeHello {
    NodeFacts facts;
    std::int64_t wallNs = 0;
};
Result<ProbeHello> decodeHello(std::string_view payload);

// Pushes. The caller fills in their ids.
Result<TailChunk> decodeTailChunk(std::string_view payload);
Result<TailEvent> decodeTailEvent(std::string_view payload);
struct DirectoryDelta {
    bool full = false;  // replaces everything that was known
    bool truncated = false;
    std::string error = {};
    std::vector<std::string> removed = {};
    std::vector<FileEntry> entries = {};
    std::int64_t asOfNs = 0;  // start of the reported scan
    [[nodiscard]] bool unchanged() const { return !full && removed.empty() && entries.empty(); }
};
Result<DirectoryDelta> decodeDirectory(std::string_view payload);

}  // namespace rankdeck
