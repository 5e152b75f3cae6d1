// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/reach/socket.h"

#include "core/base/clock.h"
#include "core/base/text.h"

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <netdb.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace rankdeck {

namespace {

struct Address {
    int family = 0;
    std::string bytes;  // a sockaddr
};

struct Lookup {
    std::mutex mutex;
    std::condition_variable finished;
    std::optional<int> error;
    std::vector<Address> addresses;
};

int familyOf(AddressFamily family)
{
    return family == AddressFamily::inet ? AF_INET : family == AddressFamily::inet6 ? AF_INET6 : AF_UNSPEC;
}

int resolveNow(const std::string &name, int port, int family, int flags, std::vector<Address> &into)
{
    addrinfo hints = {};
    hints.ai_family = family;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo *found = nullptr;
    const int error = getaddrinfo(name.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (error) return error;
    for (const addrinfo *each = found; each; each = each->ai_next)
        into.push_back({each->ai_family, std::string(reinterpret_cast<const char *>(each->ai_addr), each->ai_addrlen)});
    freeaddrinfo(found);
    return 0;
}

Error unresolved(const std::string &name, const std::string &why)
{
    return fail(
        ErrorKind::unreachable,
        message("The name %1 cannot be resolved: %2. Check HostName in the ssh config and the network.", name, why));
}

// A lookup cannot be interrupted. Therefore it runs on its own thread, which may outlive this call if the operator does
// not want to wait.
Result<std::vector<Address>> resolve(const SshConfig &config, const Phase &phase)
{
    const int family = familyOf(config.addressFamily);
    std::vector<Address> addresses;
    if (resolveNow(config.hostname, config.port, family, AI_NUMERICHOST, addresses) == 0) return addresses;
    const auto lookup = std::make_shared<Lookup>();
    std::thread([lookup, name = config.hostname, port = config.port, family] {
        std::vector<Address> found;
        const int error = resolveNow(name, port, family, 0, found);
        const std::lock_guard lock(lookup->mutex);
        lookup->addresses = std::move(found);
        lookup->error = error;
        lookup->finished.notify_all();
    }).detach();
    std::unique_lock lock(lookup->mutex);
    while (!lookup->error) {
        if (phase.isStopped()) return fail(ErrorKind::cancelled, message("Cancelled."));
        if (phase.isOver()) return unresolved(config.hostname, "no answer in time");
        lookup->finished.wait_for(lock, std::chrono::milliseconds(std::max(1, phase.slice())));
    }
    if (*lookup->error) return unresolved(config.hostname, gai_strerror(*lookup->error));
    return std::move(lookup->addresses);
}

void setOptions(int fd)
{
    const int on = 1;
    const unsigned deadAfterMs = 20000;  // if bytes stay unacknowledged for this long, the link counts as dead
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &deadAfterMs, sizeof deadAfterMs);
}

bool bindTo(int fd, const std::string &bindAddress, int family)
{
    std::vector<Address> local;
    if (bindAddress.empty()) return true;
    if (resolveNow(bindAddress, 0, family, AI_NUMERICHOST | AI_PASSIVE, local) != 0 || local.empty()) return false;
    return bind(fd, reinterpret_cast<const sockaddr *>(local[0].bytes.data()), socklen_t(local[0].bytes.size())) == 0;
}

// The socket, or an errno: ETIMEDOUT if the time is over, ECANCELED if it was stopped.
std::pair<Socket, int> connectOne(const Address &address, const SshConfig &config, const Phase &phase)
{
    Socket socket(::socket(address.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.get() < 0) return {Socket(), errno};
    setOptions(socket.get());
    if (!bindTo(socket.get(), config.bindAddress, address.family)) return {Socket(), EADDRNOTAVAIL};
    if (connect(socket.get(), reinterpret_cast<const sockaddr *>(address.bytes.data()),
                socklen_t(address.bytes.size())) == 0)
        return {std::move(socket), 0};
    if (errno != EINPROGRESS) return {Socket(), errno};
    for (;;) {
        pollfd fd = {socket.get(), POLLOUT, 0};
        if (poll(&fd, 1, phase.slice()) > 0) break;
        if (phase.isStopped()) return {Socket(), ECANCELED};
        if (phase.isOver()) return {Socket(), ETIMEDOUT};
    }
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    if (error) return {Socket(), error};
    return {std::move(socket), 0};
}

std::string adviceFor(int error)
{
    if (error == ECONNREFUSED) return "Nothing listens there: check the port and that sshd runs";
    if (error == ETIMEDOUT) return "The machine is off, or a firewall drops the packets";
    return "Check the network and the ssh config";
}

}  // namespace

Socket::~Socket()
{
    if (m_fd >= 0) close(m_fd);
}

Result<Socket> connectTcp(const SshConfig &config, const Phase &phase)
{
    const auto addresses = resolve(config, phase);
    if (!addresses) return addresses.error();
    int error = EHOSTUNREACH;
    for (std::size_t i = 0; i < addresses->size(); ++i) {
        // A dead address must not use up the time of the live ones behind it.
        const auto now = steadyNow();
        const Phase share = {now + (phase.deadline - now) / int(addresses->size() - i), phase.stopped};
        auto [socket, failed] = connectOne((*addresses)[i], config, share);
        if (!failed) return std::move(socket);
        if (failed == ECANCELED) return fail(ErrorKind::cancelled, message("Cancelled."));
        error = failed;
    }
    return fail(ErrorKind::unreachable,
                message("No connection to %1: %2. %3.", config.gateway(), std::strerror(error), adviceFor(error)));
}

Result<std::pair<Socket, Socket>> socketPair()
{
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0)
        return fail(ErrorKind::internal,
                    message("Cannot create a socket pair: %1. Close some connections or raise the limit of open files.",
                            std::strerror(errno)));
    return std::pair{Socket(fds[0]), Socket(fds[1])};
}

}  // namespace rankdeck
