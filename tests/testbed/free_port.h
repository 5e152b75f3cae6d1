// SPDX-License-Identifier: GPL-3.0-or-later
// A TCP port of 127.0.0.1 on which no process listens now. It is below the range from which the system takes ports for
// outgoing connections. Another test may still take it before the caller does. Be ready to try again, or bind to port 0
// if the program under test can.
#pragma once

#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <random>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck {

inline int freePort()
{
    std::random_device random;
    std::uniform_int_distribution<int> ports(20000, 27999);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const int port = ports(random);
        const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(std::uint16_t(port));
        const bool bound = fd >= 0 && bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
        if (fd >= 0) close(fd);
        if (bound) return port;
    }
    throw std::runtime_error("no free port on 127.0.0.1");
}

}  // namespace rankdeck
