// SPDX-License-Identifier: GPL-3.0-or-later
// Where small files are read whole and replaced by compare-and-swap: a node, or the cluster's own store of ConfigMaps. Each
// request answers through a future, with Error unreachable while nobody is there.
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
    // maxBytes 0: none of its bytes, only what is around them; so it may be a directory too, and a huge file.
    virtual Reply<FileContent> readFile(std::string path, std::uint32_t maxBytes = 1u << 20) = 0;
    virtual Reply<ReplaceReply> replaceFile(ReplaceRequest request) = 0;
};

}  // namespace rankdeck
