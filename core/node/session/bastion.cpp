// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/bastion.h"

#include "core/base/clock.h"
#include "core/base/text.h"

#include <cstdint>
#include <libssh/server.h>  // where libssh declares its keepalive
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <vector>

namespace rankdeck {

namespace {

constexpr std::chrono::seconds quietTime(5);  // after this silence, the bastion must answer a request
constexpr std::chrono::seconds deadTime(20);

}  // namespace

Bastion::Bastion(std::unique_ptr<SshConnection> connection, Socket wake)
    : m_connection(std::move(connection)), m_name(m_connection->config().alias), m_wake(std::move(wake)),
      m_lastContact(steadyNow()), m_scratch(Pump::readSize)
{
    m_thread = std::thread([this] { run(); });
}

Bastion::~Bastion()
{
    m_stop = true;
    wake();
    m_thread.join();
}

Result<std::shared_ptr<Bastion>> Bastion::start(std::unique_ptr<SshConnection> connection)
{
    Socket wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (wake.get() < 0)
        return fail(ErrorKind::internal, message("No more files can be opened. Raise the limit of open files."));
    connection->admitted();  // releases the permit, so that logins to machines behind the bastion do not wait for it
    return std::shared_ptr<Bastion>(new Bastion(std::move(connection), std::move(wake)));
}

Result<Socket> Bastion::reach(const std::string &host, int port, const Phase &phase)
{
    const auto request = std::make_shared<Request>();
    request->host = host;
    request->port = port;
    std::unique_lock lock(m_mutex);
    if (m_dead) return fail(ErrorKind::unreachable, message("The jump host %1 is gone: %2.", m_name, m_whyDead));
    m_requests.push_back(request);
    wake();
    while (!request->answer) {
        m_answered.wait_for(lock, std::chrono::milliseconds(std::max(1, phase.slice())));
        if (request->answer) break;
        lock.unlock();
        const bool stopped = phase.isStopped();
        lock.lock();
        if (!stopped && !phase.isOver()) continue;
        request->abandoned = true;
        if (stopped) return fail(ErrorKind::cancelled, message("Cancelled."));
        return fail(ErrorKind::unreachable, message("The jump host %1 did not reach %2:%3 in time. That machine is "
                                                    "off, or a firewall is between the two hosts.",
                                                    m_name, host, port));
    }
    return std::move(*request->answer);
}

void Bastion::run()
{
    prepareLibssh();
    // Each event contains only this session: two sessions in one event would fail together.
    const std::unique_ptr<ssh_event_struct, void (*)(ssh_event)> event(ssh_event_new(), ssh_event_free);
    if (!event || ssh_event_add_session(event.get(), m_connection->session()) != SSH_OK) die("no memory");
    while (!m_stop && !m_dead) {
        const bool more = serveOnce(event.get());
        if (!m_stop && !m_dead) waitForWork(more ? 0 : 1000);
        checkPulse();
    }
    die("it was closed");
    m_pumps.clear();  // channels must be freed before the session
    m_opening.clear();
    if (event) ssh_event_remove_session(event.get(), m_connection->session());
    m_connection.reset();
}

bool Bastion::serveOnce(ssh_event event)
{
    takeRequests();
    // Repeats until a round has moved and read nothing. A call for one channel may read the bytes of all others, and
    // then the socket does not report them. The limit lets new requests in during a transfer that never pauses.
    for (int round = 0; round < 64; ++round) {
        const std::uint64_t before = m_connection->bytesIn();
        ssh_event_dopoll(event, 0);
        bool moved = false;
        m_opening.remove_if([&](const std::shared_ptr<Request> &request) { return advance(*request); });
        for (Pump &pump : m_pumps) moved |= pump.step(m_scratch.data());
        m_pumps.remove_if([](const Pump &pump) { return pump.isOver(); });
        if (!ssh_is_connected(m_connection->session()) ||
            (ssh_get_status(m_connection->session()) & (SSH_CLOSED | SSH_CLOSED_ERROR)))
            die(m_connection->errorText());
        if (m_dead || (!moved && m_connection->bytesIn() == before)) return false;
    }
    return true;
}

void Bastion::takeRequests()
{
    const std::lock_guard lock(m_mutex);
    m_opening.splice(m_opening.end(), m_requests);
    m_opening.remove_if([](const std::shared_ptr<Request> &request) { return request->abandoned; });
}

bool Bastion::advance(Request &request)
{
    if (!request.channel) request.channel.reset(ssh_channel_new(m_connection->session()));
    if (!request.channel) {
        answer(request, fail(ErrorKind::internal, message("No memory for a channel through %1.", m_name)));
        return true;
    }
    const int opened =
        ssh_channel_open_forward(request.channel.get(), request.host.c_str(), request.port, "127.0.0.1", 0);
    if (opened == SSH_AGAIN) {
        const std::lock_guard lock(m_mutex);
        return request.abandoned;
    }
    auto pair = opened == SSH_OK ? socketPair() : Result<std::pair<Socket, Socket>>(openError(request));
    if (!pair) {
        answer(request, pair.error());
        return true;
    }
    m_pumps.emplace_back(std::move(request.channel), std::move(pair->first));
    answer(request, std::move(pair->second));
    return true;
}

Error Bastion::openError(const Request &request) const
{
    const std::string why = m_connection->errorText();
    const std::string target = request.host + ":" + std::to_string(request.port);
    // Reason 1 of RFC 4254 §5.1: the administrator forbids forwarding, and the console cannot change that.
    if (why.find("(1)") != std::string::npos || why.find("rohibited") != std::string::npos)
        return fail(ErrorKind::refused,
                    message("Forwarding is disabled on the jump host %1 for %2: its administrator must allow it "
                            "(AllowTcpForwarding, PermitOpen).",
                            m_name, target),
                    why);
    return fail(ErrorKind::unreachable, message("The jump host %1 cannot reach %2: %3.", m_name, target, why), why);
}

void Bastion::answer(Request &request, Result<Socket> result)
{
    const std::lock_guard lock(m_mutex);
    request.answer = std::move(result);
    m_answered.notify_all();
}

void Bastion::waitForWork(int milliseconds)
{
    const bool unsent = ssh_get_status(m_connection->session()) & SSH_WRITE_PENDING;
    std::vector<pollfd> fds = {{m_connection->fd(), short(POLLIN | (unsent ? POLLOUT : 0)), 0},
                               {m_wake.get(), POLLIN, 0}};
    for (const Pump &pump : m_pumps)
        if (const short events = pump.events()) fds.push_back({pump.fd(), events, 0});
    poll(fds.data(), fds.size(), milliseconds);
    std::uint64_t count = 0;
    if (fds[1].revents && ::read(m_wake.get(), &count, sizeof count) < 0) return;  // another wake was read already
}

// For libssh, a bastion behind a dead link looks alive for ever; only a request without an answer reveals it.
void Bastion::checkPulse()
{
    if (m_dead || !m_connection) return;
    const auto now = steadyNow();
    if (m_connection->bytesIn() != m_heardBytes) {
        m_heardBytes = m_connection->bytesIn();
        m_lastContact = now;
    }
    if (now - m_lastContact < quietTime) {
        m_askedAt = now - quietTime;
        return;
    }
    if (now - m_askedAt >= quietTime) {
        m_askedAt = now;
        ssh_send_keepalive(m_connection->session());
    }
    if (now - m_lastContact > deadTime) die("no contact for 20 s");
}

void Bastion::die(const std::string &why)
{
    const std::lock_guard lock(m_mutex);
    if (!m_dead) m_whyDead = why;
    m_dead = true;
    m_opening.splice(m_opening.end(), m_requests);
    for (const auto &request : m_opening)
        if (!request->answer)
            request->answer = Result<Socket>(
                fail(ErrorKind::unreachable, message("The jump host %1 is gone: %2.", m_name, m_whyDead)));
    m_answered.notify_all();
}

void Bastion::wake() const
{
    const std::uint64_t one = 1;
    if (::write(m_wake.get(), &one, sizeof one) < 0) return;  // the pipe is full, so the thread wakes up anyway
}

}  // namespace rankdeck
