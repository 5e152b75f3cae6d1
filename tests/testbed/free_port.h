// SPDX-License-Identifier: GPL-3.0-or-later
// A TCP port of 127.0.0.1 that nobody listens on at this moment. Another process may take it before the caller does:
// be ready to ask again, or bind to port 0 where the program under test can.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck {

inline int freePort()
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool bound = fd >= 0 && bind(fd, reinterpret_cast<sockaddr *>(&address), size) == 0 &&
                       getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size) == 0;
    if (fd >= 0) close(fd);
    if (!bound) throw std::runtime_error("no free port on 127.0.0.1");
    return ntohs(address.sin_port);
}

}  // namespace rankdeck
