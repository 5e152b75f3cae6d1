// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/held_port.h"

#include "app/demo/link.h"

#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace rankdeck::demo {

namespace {

constexpr int firstPort = 28000, lastPort = 31999;  // between the server ports and the client ports

// Returns -1 if another process holds the port.
int lockOf(int port)
{
    const std::string name = "rankdeck-port-" + std::to_string(port);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;  // abstract socket: sun_path begins with a zero byte, no file is made
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, reinterpret_cast<const sockaddr *>(&address), length) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

}  // namespace

Result<HeldPort> HeldPort::take()
{
    std::random_device random;
    std::uniform_int_distribution<int> ports(firstPort, lastPort);
    for (int attempt = 0; attempt < 200; ++attempt) {
        const int port = ports(random), lock = lockOf(port);
        if (lock < 0) continue;
        HeldPort held(port, lock);
        const auto fd = listenOnLoopback(port);
        if (!fd) continue;
        close(fd.value());
        return held;
    }
    return fail(ErrorKind::noSpace, "no free port of 127.0.0.1 was found from " + std::to_string(firstPort) + " to " +
                                        std::to_string(lastPort));
}

HeldPort::HeldPort(HeldPort &&other) noexcept : m_number(other.m_number), m_lock(std::exchange(other.m_lock, -1)) {}

HeldPort &HeldPort::operator=(HeldPort &&other) noexcept
{
    m_number = other.m_number;
    std::swap(m_lock, other.m_lock);
    return *this;
}

HeldPort::~HeldPort()
{
    if (m_lock >= 0) close(m_lock);
}

}  // namespace rankdeck::demo
