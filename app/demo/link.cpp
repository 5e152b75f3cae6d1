// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/link.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

constexpr std::size_t mostHeld = 1u << 20;

sockaddr_in loopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void noDelay(int fd)
{
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

Result<int> listenOnLoopback(int port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const auto address = loopback(port);
    if (bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0 && listen(fd, 128) == 0) return fd;
    const std::string why = std::strerror(errno);
    close(fd);
    return fail(ErrorKind::conflict, "cannot listen on 127.0.0.1:" + std::to_string(port) + ": " + why);
}

Result<int> freeServerPort()
{
    std::random_device random;
    std::uniform_int_distribution<int> ports(20000, 27999);  // higher ports are reserved for servers that start later
    Error last;
    for (int attempt = 0; attempt < 50; ++attempt) {
        const int port = ports(random);
        const auto fd = listenOnLoopback(port);
        if (fd) {
            close(fd.value());
            return port;
        }
        last = fd.error();
    }
    return last;
}

Result<std::unique_ptr<Link>> Link::make(int serverPort)
{
    const auto fd = listenOnLoopback(0);
    if (!fd) return fd.error();
    std::unique_ptr<Link> link(new Link);
    link->m_listener = fd.value();
    link->m_serverPort = serverPort;
    sockaddr_in address{};
    socklen_t length = sizeof address;
    getsockname(fd.value(), reinterpret_cast<sockaddr *>(&address), &length);
    link->m_port = ntohs(address.sin_port);
    return link;
}

Link::~Link()
{
    for (const auto &connection : m_connections) reset(*connection);
    if (m_listener >= 0) close(m_listener);
}

void Link::reset(Connection &connection)
{
    const linger now{1, 0};
    for (int *fd : {&connection.up.from, &connection.down.from}) {
        if (*fd < 0) continue;
        setsockopt(*fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close(*fd);
        *fd = -1;
    }
}

// Closes without a reset, because the peers may not have read the last bytes yet.
void Link::finish(Connection &connection)
{
    for (int *fd : {&connection.up.from, &connection.down.from}) {
        if (*fd >= 0) close(*fd);
        *fd = -1;
    }
}

void Link::apply(const Fault &fault)
{
    m_state = fault.kind;
    m_delay = std::chrono::milliseconds(fault.kind == FaultKind::slow ? fault.milliseconds : 0);
    const auto latest = Clock::now() + m_delay;
    for (const auto &connection : m_connections) {
        // Bytes swallowed by a black hole are lost, so its connections cannot be repaired.
        if (fault.kind == FaultKind::cut || (fault.kind == FaultKind::heal && connection->broken)) {
            reset(*connection);
            connection->broken = true;
        }
        for (Flow *flow : {&connection->up, &connection->down})
            for (auto &piece : flow->pieces) piece.due = std::min(piece.due, latest);
    }
}

void Link::gather(std::vector<pollfd> &into, int &milliseconds) const
{
    into.push_back({m_listener, POLLIN, 0});
    const auto now = Clock::now();
    for (const auto &connection : m_connections)
        for (const Flow *flow : {&connection->up, &connection->down}) {
            if (flow->from >= 0 && !flow->ended && flow->held < mostHeld) into.push_back({flow->from, POLLIN, 0});
            if (flow->pieces.empty()) continue;
            const auto wait = std::chrono::ceil<std::chrono::milliseconds>(flow->pieces.front().due - now).count();
            if (wait > 0)
                milliseconds = std::min<int>(milliseconds, static_cast<int>(wait));
            else
                into.push_back({flow->to, POLLOUT, 0});
        }
}

void Link::acceptNew()
{
    while (true) {
        const int client = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client < 0) return;
        auto connection = std::make_unique<Connection>();
        connection->up.from = client;
        const auto address = loopback(m_serverPort);
        const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        connection->down.from = server;
        if (m_state == FaultKind::cut ||
            connect(server, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
            reset(*connection);
            continue;
        }
        noDelay(client);
        noDelay(server);
        connection->up.to = server;
        connection->down.to = client;
        m_connections.push_back(std::move(connection));
    }
}

void Link::receive(Flow &flow, bool &broken)
{
    char buffer[65536];
    while (!flow.ended && flow.from >= 0 && flow.held < mostHeld) {
        const auto got = recv(flow.from, buffer, sizeof buffer, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) {
            flow.ended = true;
            return;
        }
        if (m_state == FaultKind::hole) {
            broken = true;
            continue;
        }
        flow.pieces.push_back({Clock::now() + m_delay, std::string(buffer, static_cast<std::size_t>(got))});
        flow.held += static_cast<std::size_t>(got);
    }
}

void Link::deliver(Flow &flow, bool &broken)
{
    while (!broken && !flow.pieces.empty() && flow.pieces.front().due <= Clock::now()) {
        auto &bytes = flow.pieces.front().bytes;
        const auto sent = send(flow.to, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) return;
        if (sent < 0) {
            broken = true;
            return;
        }
        flow.held -= static_cast<std::size_t>(sent);
        bytes.erase(0, static_cast<std::size_t>(sent));
        if (bytes.empty()) flow.pieces.pop_front();
    }
    if (flow.ended && flow.pieces.empty() && !flow.endSent && flow.to >= 0) {
        shutdown(flow.to, SHUT_WR);
        flow.endSent = true;
    }
}

void Link::turn()
{
    acceptNew();
    for (const auto &connection : m_connections) {
        if (connection->up.from < 0) continue;
        receive(connection->up, connection->broken);
        receive(connection->down, connection->broken);
        if (m_state == FaultKind::hole) continue;
        deliver(connection->up, connection->broken);
        deliver(connection->down, connection->broken);
        if (connection->broken)
            reset(*connection);
        else if (connection->up.endSent && connection->down.endSent)
            finish(*connection);
    }
    std::erase_if(m_connections, [](const auto &connection) { return connection->up.from < 0; });
}

}  // namespace rankdeck::demo
