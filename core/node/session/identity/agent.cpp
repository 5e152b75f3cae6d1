// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/identity/agent.h"

#include "core/node/protocol/wire.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace rankdeck {

namespace {

// Message numbers of the agent protocol (draft-miller-ssh-agent).
constexpr char requestKeys = 11;
constexpr char keysAnswer = 12;
constexpr char requestSignature = 13;
constexpr char failure = 5;
constexpr std::size_t longestMessage = 256u << 10;
constexpr std::uint32_t mostKeys = 1024;

std::string withLength(std::string_view message)
{
    std::string bytes;
    WireWriter(bytes).blob(message);
    return bytes;
}

Error agentError(ErrorKind kind, const std::string &path, const Message &why)
{
    return fail(kind, message("The ssh-agent at %1 cannot be used: %2.", path, why));
}

Result<Socket> connectAgent(const std::string &path)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path)
        return agentError(ErrorKind::notFound, path, message("its path is empty or too long"));
    std::memcpy(address.sun_path, path.data(), path.size());
    Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.get() < 0 || connect(socket.get(), reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        return agentError(ErrorKind::notFound, path, std::strerror(errno));
    return socket;
}

// Moves all bytes, or returns the reason for the failure. Writes `out` if it is given, otherwise reads exactly `size`
// bytes.
Result<std::string> transfer(int fd, std::string_view out, std::size_t size, const Phase &phase)
{
    std::string in;
    while (!out.empty() || in.size() < size) {
        char buffer[4096];
        const ssize_t moved = out.empty() ? recv(fd, buffer, std::min(sizeof buffer, size - in.size()), 0)
                                          : send(fd, out.data(), out.size(), MSG_NOSIGNAL);
        if (moved > 0 && out.empty())
            in.append(buffer, std::size_t(moved));
        else if (moved > 0)
            out.remove_prefix(std::size_t(moved));
        else if (moved == 0)
            return fail(ErrorKind::protocol, message("it closed the connection"));
        else if (errno == EAGAIN || errno == EINTR) {
            if (phase.isStopped()) return fail(ErrorKind::cancelled, message("Cancelled."));
            if (phase.isOver()) return fail(ErrorKind::timeout, message("it does not answer"));
            pollfd wait = {fd, short(out.empty() ? POLLIN : POLLOUT), 0};
            poll(&wait, 1, phase.slice());
        } else
            return fail(ErrorKind::protocol, std::strerror(errno));
    }
    return in;
}

Result<std::string> receive(int fd, const Phase &phase)
{
    const auto head = transfer(fd, {}, 4, phase);
    if (!head) return head.error();
    const std::uint32_t size = WireReader(*head).u32();
    if (size == 0 || size > longestMessage) return fail(ErrorKind::protocol, message("its answer is too long"));
    return transfer(fd, {}, size, phase);
}

Result<std::string> exchange(int fd, std::string_view request, const Phase &phase)
{
    const auto sent = transfer(fd, withLength(request), 0, phase);
    if (!sent) return sent.error();
    return receive(fd, phase);
}

}  // namespace

std::optional<std::vector<AgentKey>> parseAgentKeys(std::string_view reply)
{
    if (reply.empty() || reply.front() != keysAnswer) return std::nullopt;
    WireReader reader(reply.substr(1));
    const std::uint32_t count = reader.count(8);
    std::vector<AgentKey> keys;
    for (std::uint32_t i = 0; i < count && i < mostKeys; ++i) {
        auto key = publicKeyFromBlob(reader.blob());
        std::string comment = reader.text();
        if (key) keys.push_back({std::move(*key), std::move(comment)});
    }
    if (!reader.ok()) return std::nullopt;
    return keys;
}

Result<std::vector<AgentKey>> agentKeys(const std::string &socketPath, const Phase &phase)
{
    const auto socket = connectAgent(socketPath);
    if (!socket) return socket.error();
    const auto reply = exchange(socket->get(), std::string(1, requestKeys), phase);
    if (!reply) return agentError(reply.error().kind, socketPath, reply.error().message);
    auto keys = parseAgentKeys(*reply);
    if (!keys) return agentError(ErrorKind::protocol, socketPath, "its answer is not a list of keys");
    return std::move(*keys);
}

AgentFilter::AgentFilter(std::string socketPath, std::function<bool()> stopped, Socket client, Socket server)
    : m_socketPath(std::move(socketPath)), m_stopped(std::move(stopped)), m_client(std::move(client)),
      m_server(std::move(server))
{
    m_thread = std::thread([this] { serve(); });
}

AgentFilter::~AgentFilter()
{
    m_ending = true;
    shutdown(m_server.get(), SHUT_RDWR);
    m_thread.join();
}

Result<std::unique_ptr<AgentFilter>> AgentFilter::start(std::string socketPath, std::function<bool()> stopped)
{
    auto pair = socketPair();
    if (!pair) return pair.error();
    return std::unique_ptr<AgentFilter>(
        new AgentFilter(std::move(socketPath), std::move(stopped), std::move(pair->first), std::move(pair->second)));
}

void AgentFilter::offer(PublicKey shown, PublicKey signer)
{
    const std::lock_guard lock(m_mutex);
    m_shown = std::move(shown);
    m_signer = std::move(signer);
    m_signRefused = false;
}

void AgentFilter::serve()
{
    // To stop this thread, the other end is shut down. Until then libssh may be silent without a limit.
    const auto ended = [this] { return m_ending.load(); };
    for (;;) {
        const Phase phase = Phase::lasting(std::chrono::hours(24), ended);
        const auto request = receive(m_server.get(), phase);
        if (!request) return;
        if (!transfer(m_server.get(), withLength(answer(*request)), 0, phase)) return;
    }
}

std::string AgentFilter::answer(std::string_view request)
{
    if (request.front() == requestSignature) return sign(request.substr(1));
    if (request.front() != requestKeys) return std::string(1, failure);
    const std::lock_guard lock(m_mutex);
    std::string keys(1, keysAnswer);
    WireWriter writer(keys);
    writer.u32(1);
    writer.blob(m_shown.blob);
    writer.blob({});
    return keys;
}

std::string AgentFilter::sign(std::string_view request)
{
    WireReader reader(request);
    const std::string_view blob = reader.blob();
    const std::string_view data = reader.blob();
    const std::uint32_t flags = reader.u32();
    std::string forward(1, requestSignature);
    {
        const std::lock_guard lock(m_mutex);
        if (!reader.ok() || blob != m_shown.blob) return std::string(1, failure);
        WireWriter writer(forward);
        writer.blob(m_signer.blob);
        writer.blob(data);
        writer.u32(flags);
    }
    const Phase phase =
        Phase::lasting(std::chrono::seconds(110), [this] { return m_ending || (m_stopped && m_stopped()); });
    const auto agent = connectAgent(m_socketPath);
    const Result<std::string> reply =
        agent ? exchange(agent->get(), forward, phase) : Result<std::string>(agent.error());
    m_signRefused = !reply || reply->front() == failure;
    return reply ? *reply : std::string(1, failure);
}

}  // namespace rankdeck
