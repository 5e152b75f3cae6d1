// SPDX-License-Identifier: GPL-3.0-or-later
// Store whose small files are read completely and replaced by compare-and-swap: a node, or the cluster's own store of
// ConfigMaps. Each request answers through a future; Error unreachable if there is no connection.
#pragma once

#include "core/base/result.h"
#include "core/node/protocol/messages.h"

#include <future>
#include <string>

namespace rankdeck {

template <class T>
using Reply = std::future<Result<T>>;

class FileStore {
public:
    virtual ~FileStore() = default;
    [[nodiscard]] virtual NodeStatus status() const = 0;
    // With maxBytes 0 only the facts about the file are returned. In this case the path may also be a directory or a
    // huge file.
    virtual Reply<FileContent> readFile(std::string path, std::uint32_t maxBytes = 1u << 20) = 0;
    virtual Reply<ReplaceReply> replaceFile(ReplaceRequest request) = 0;
};

}  // namespace rankdeck
