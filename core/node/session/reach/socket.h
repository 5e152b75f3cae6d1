// SPDX-License-Identifier: GPL-3.0-or-later
// TCP connect below libssh: tries all addresses of a name, has a deadline, can be stopped, and makes a socket that
// detects a dead peer. The connect of libssh has none of these. The Socket owns and closes the descriptor.
#pragma once

#include "core/base/result.h"
#include "core/node/session/reach/connect_deadline.h"
#include "core/node/session/reach/ssh_config.h"

#include <utility>

namespace rankdeck {

class Socket {
public:
    Socket() = default;
    explicit Socket(int fd) : m_fd(fd) {}
    ~Socket();
    Socket(Socket &&other) noexcept : m_fd(other.release()) {}
    Socket &operator=(Socket &&other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    [[nodiscard]] int get() const { return m_fd; }
    int release() { return std::exchange(m_fd, -1); }

private:
    int m_fd = -1;
};

// Error unreachable (name, route, no listener, timeout), cancelled.
Result<Socket> connectTcp(const SshConfig &config, const Phase &phase);
// A connected pair; both ends are close-on-exec and non-blocking.
Result<std::pair<Socket, Socket>> socketPair();

}  // namespace rankdeck
