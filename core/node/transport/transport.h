// SPDX-License-Identifier: GPL-3.0-or-later
// Connection to a running probe: bytes in, bytes out. Only one thread uses a transport, that of its node. Reads and
// writes never block; wait() blocks until bytes can be read, queued bytes can be sent, wake() is called, or the time is
// over.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <string>

namespace rankdeck {

// Error::detail if the far container is known to have ended with all its processes.
inline constexpr const char *containerEndedDetail = "container ended";
// Error::detail if the cluster no longer has such a pod.
inline constexpr const char *podGoneDetail = "no such pod";

class Transport {
public:
    virtual ~Transport() = default;  // closes the connection; never blocks for long
    // Appends what has arrived. Error unreachable if the peer has ended (with exit status and end of stderr in detail).
    virtual Result<std::size_t> read(std::string &into) = 0;
    // Takes as many bytes from the front as can be taken now; returns their number.
    virtual Result<std::size_t> write(std::string_view bytes) = 0;
    virtual void wait(bool wantWrite, std::chrono::milliseconds atMost) = 0;
    virtual void wake() = 0;                                    // may be called from any thread
    [[nodiscard]] virtual std::string errorOutput() const = 0;  // the last 8 kB of the peer's stderr
    [[nodiscard]] virtual std::string security() const { return {}; }
};

}  // namespace rankdeck
