// SPDX-License-Identifier: GPL-3.0-or-later
// Encoder of requests to the probe. An argument that cannot be sent (a zero byte in a path, too much at once) gives
// Error invalid before anything is sent. Pure; any thread. The layouts are those that core/node/probe reads.
#pragma once

#include "core/base/result.h"
#include "core/node/protocol/frame.h"
#include "core/node/protocol/messages.h"

#include <string>
#include <vector>

namespace rankdeck {

struct EncodedRequest {
    FrameType type = FrameType::list;
    std::string payload = {};
    std::size_t replyLimit = 1u << 20;  // bytes; a longer reply breaks the protocol
};

Result<EncodedRequest> encodeRequest(const ListRequest &request);
Result<EncodedRequest> encodeRequest(const std::vector<RangeRequest> &ranges);
Result<EncodedRequest> encodeRequest(const std::vector<ScanRequest> &files);
Result<EncodedRequest> encodeReadFile(const std::string &path, std::uint32_t maxBytes);
Result<EncodedRequest> encodeRequest(const ReplaceRequest &request);
Result<EncodedRequest> encodeRequest(const FileActionRequest &request);
Result<EncodedRequest> encodeRequest(const AppendRequest &request);
Result<EncodedRequest> encodeRequest(const HashRequest &request);
Result<EncodedRequest> encodeRoom(const std::vector<std::string> &directories);
Result<EncodedRequest> encodeRequest(const ProcessQuery &query);
Result<EncodedRequest> encodeRequest(const SignalRequest &request);
Result<EncodedRequest> encodeRequest(const LaunchRequest &request);
Result<EncodedRequest> encodeLaunched(const std::string &id, const std::string &runDirectory, bool callOff);
Result<EncodedRequest> encodeJobHolder(const JobClaim &job, const std::string &runDirectory);
Result<EncodedRequest> encodeReserve(const JobClaim &job, const std::string &runDirectory, bool hold);
Result<EncodedRequest> encodeLogoutRule();

}  // namespace rankdeck
