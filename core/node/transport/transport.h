// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes in, bytes out, to a running probe. One thread uses a transport, the node's own. Reads and writes never block;
// wait() does, until bytes can be read, queued bytes can leave, wake() is called, or the time is over.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <string>

namespace rankdeck {

// Error::detail of what ends a connection when the far container is known to have ended, with all its processes.
inline constexpr const char *containerEndedDetail = "container ended";
// … when the cluster has no such pod any more.
inline constexpr const char *podGoneDetail = "no such pod";

class Transport {
public:
    virtual ~Transport() = default;  // closes; never blocks for long
    // Appends what has arrived. Error unreachable when the peer is gone (exit status and stderr tail in detail).
    virtual Result<std::size_t> read(std::string &into) = 0;
    // Takes what can be taken now, from the front; returns how much.
    virtual Result<std::size_t> write(std::string_view bytes) = 0;
    virtual void wait(bool wantWrite, std::chrono::milliseconds atMost) = 0;
    virtual void wake() = 0;                                    // from any thread
    [[nodiscard]] virtual std::string errorOutput() const = 0;  // the last 8 kB of the peer's stderr
    [[nodiscard]] virtual std::string security() const { return {}; }
};

}  // namespace rankdeck
