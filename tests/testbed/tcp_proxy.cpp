// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/tcp_proxy.h"

#include "tests/testbed/free_port.h"

#include <algorithm>
#include <deque>
#include <fcntl.h>
#include <list>
#include <mutex>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/eventfd.h>
#include <thread>
#include <vector>

namespace rankdeck {

namespace {

using Clock = std::chrono::steady_clock;
enum class Mode { pass, blackHole, stall };

struct Chunk {
    Clock::time_point due;
    std::string bytes;
};

// One direction of one connection.
struct Pipe {
    int from = -1;
    int to = -1;
    std::deque<Chunk> queue = {};
    std::size_t queued = 0;
    bool ended = false;  // whether `from` has no more data
    bool passedEnd = false;
};

struct Connection {
    int client = -1;
    int server = -1;
    Pipe up = {};
    Pipe down = {};
    bool lostBytes = false;
    bool dead = false;
};

constexpr std::size_t queueLimit = 64u << 20;

void endSocket(int fd, bool reset)
{
    if (fd < 0) return;
    const linger now = {1, 0};
    if (reset) setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}

int loopbackSocket(int port, bool listening)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(std::uint16_t(port));
    auto *raw = reinterpret_cast<sockaddr *>(&address);
    const bool good = fd >= 0 && (listening ? bind(fd, raw, sizeof address) == 0 && listen(fd, 128) == 0
                                            : connect(fd, raw, sizeof address) == 0);
    if (good) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

}  // namespace

class TcpProxy::Impl {
public:
    explicit Impl(int serverPort)
        : m_serverPort(serverPort), m_listener(loopbackSocket(0, true)), m_wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    {
        if (m_listener < 0 || m_wake < 0) throw std::runtime_error("the proxy cannot listen");
        sockaddr_in address = {};
        socklen_t size = sizeof address;
        getsockname(m_listener, reinterpret_cast<sockaddr *>(&address), &size);
        m_port = ntohs(address.sin_port);
        fcntl(m_listener, F_SETFL, O_NONBLOCK);
        m_thread = std::thread([this] { run(); });
    }
    ~Impl()
    {
        m_stop = true;
        wake();
        m_thread.join();
        for (Connection &each : m_connections) end(each, true);
        close(m_listener);
        close(m_wake);
    }

    template <class Change>
    void change(Change what)
    {
        {
            const std::lock_guard lock(m_mutex);
            what();
        }
        wake();
    }
    void wake() const
    {
        const std::uint64_t one = 1;
        if (write(m_wake, &one, sizeof one) < 0) return;  // full: it is awake anyway
    }

    void run();
    void accept();
    void fill(Pipe &pipe, Connection &connection, bool fromServer);
    void drain(Pipe &pipe, Connection &connection) const;
    void cutAll();
    void end(Connection &connection, bool reset);
    int pollOnce();

    int m_serverPort;
    int m_listener;
    int m_wake;
    int m_port = 0;
    std::mutex m_mutex;  // guards everything below except the atomics
    Mode m_mode = Mode::pass;
    bool m_refuse = false;
    std::chrono::milliseconds m_delay{0};
    std::optional<std::uint64_t> m_cutLeft;
    bool m_cutReset = false;
    std::list<Connection> m_connections;
    std::atomic<std::uint64_t> m_fromServer{0};
    std::atomic<std::uint64_t> m_fromClient{0};
    std::atomic<int> m_accepted{0};
    std::atomic<int> m_open{0};
    std::atomic<int> m_mostOpen{0};
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

void TcpProxy::Impl::end(Connection &connection, bool reset)
{
    if (connection.dead) return;
    endSocket(connection.client, reset);
    endSocket(connection.server, reset);
    connection.dead = true;
    --m_open;
}

void TcpProxy::Impl::accept()
{
    const int client = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    ++m_accepted;
    if (m_refuse) return endSocket(client, true);
    const int server = m_mode == Mode::blackHole ? -1 : loopbackSocket(m_serverPort, false);
    if (server < 0 && m_mode != Mode::blackHole) return endSocket(client, true);
    for (const int fd : {client, server})
        if (fd >= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
    Connection made{client, server, {client, server}, {server, client}};
    made.lostBytes = server < 0;
    m_connections.push_back(std::move(made));
    ++m_open;
    m_mostOpen = std::max(m_mostOpen.load(), m_open.load());
}

void TcpProxy::Impl::fill(Pipe &pipe, Connection &connection, bool fromServer)
{
    char buffer[65536];
    const ssize_t got = recv(pipe.from, buffer, sizeof buffer, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        pipe.ended = true;
        if (got < 0) end(connection, true);
        return;
    }
    if (m_mode == Mode::blackHole) {
        connection.lostBytes = true;
        return;
    }
    std::size_t take = std::size_t(got);
    if (fromServer && m_cutLeft) take = std::size_t(std::min<std::uint64_t>(take, *m_cutLeft));
    (fromServer ? m_fromServer : m_fromClient) += take;
    pipe.queue.push_back({Clock::now() + m_delay, std::string(buffer, take)});
    pipe.queued += take;
    if (fromServer && m_cutLeft) *m_cutLeft -= take;
}

void TcpProxy::Impl::drain(Pipe &pipe, Connection &connection) const
{
    const auto now = Clock::now();
    while (!pipe.queue.empty() && pipe.queue.front().due <= now) {
        std::string &bytes = pipe.queue.front().bytes;
        const ssize_t sent = send(pipe.to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno != EAGAIN && errno != EINTR) pipe.ended = pipe.passedEnd = connection.lostBytes = true;
            return;
        }
        pipe.queued -= std::size_t(sent);
        bytes.erase(0, std::size_t(sent));
        if (!bytes.empty()) return;
        pipe.queue.pop_front();
    }
    if (pipe.ended && pipe.queue.empty() && !pipe.passedEnd) {
        shutdown(pipe.to, SHUT_WR);
        pipe.passedEnd = true;
    }
}

void TcpProxy::Impl::cutAll()
{
    for (Connection &each : m_connections) {
        // Bytes from before an orderly end must arrive; a reset does not guarantee that.
        if (!m_cutReset && m_mode == Mode::pass) {
            const auto now = Clock::now();
            for (Chunk &chunk : each.down.queue) chunk.due = now;
            drain(each.down, each);
        }
        end(each, m_cutReset);
    }
}

int TcpProxy::Impl::pollOnce()
{
    std::vector<pollfd> fds = {{m_listener, POLLIN, 0}, {m_wake, POLLIN, 0}};
    int timeout = -1;
    {
        const std::lock_guard lock(m_mutex);
        const auto now = Clock::now();
        for (Connection &each : m_connections)
            for (Pipe *pipe : {&each.up, &each.down}) {
                if (m_mode == Mode::stall) continue;
                const bool room = pipe->queued < queueLimit && !pipe->ended;
                if (room && pipe->from >= 0) fds.push_back({pipe->from, POLLIN, 0});
                if (m_mode == Mode::blackHole || pipe->queue.empty()) continue;
                const auto wait = std::chrono::ceil<std::chrono::milliseconds>(pipe->queue.front().due - now).count();
                if (wait <= 0)
                    fds.push_back({pipe->to, POLLOUT, 0});
                else
                    timeout = timeout < 0 ? int(wait) : std::min(timeout, int(wait));
            }
    }
    const int ready = poll(fds.data(), fds.size(), timeout);
    std::uint64_t woken = 0;
    if (fds[1].revents && read(m_wake, &woken, sizeof woken) < 0) return ready;
    return ready;
}

void TcpProxy::Impl::run()
{
    while (!m_stop) {
        pollOnce();
        const std::lock_guard lock(m_mutex);
        accept();
        for (Connection &each : m_connections) {
            if (m_mode == Mode::stall) break;
            if (m_mode == Mode::pass && each.lostBytes) end(each, true);
            for (Pipe *pipe : {&each.up, &each.down}) {
                if (each.dead || pipe->from < 0) continue;
                if (!pipe->ended && pipe->queued < queueLimit) fill(*pipe, each, pipe == &each.down);
                if (!each.dead && m_mode == Mode::pass) drain(*pipe, each);
            }
            if (m_mode == Mode::blackHole && each.up.ended) end(each, true);
            if (!each.dead && each.up.passedEnd && each.down.passedEnd) end(each, false);
        }
        if (m_cutLeft && *m_cutLeft == 0) {
            cutAll();
            m_cutLeft.reset();
        }
        m_connections.remove_if([](const Connection &each) { return each.dead; });
    }
}

TcpProxy::TcpProxy(int serverPort) : m_impl(std::make_unique<Impl>(serverPort)) {}
TcpProxy::~TcpProxy() = default;
int TcpProxy::port() const { return m_impl->m_port; }

void TcpProxy::pass() { delay(std::chrono::milliseconds(0)); }
void TcpProxy::delay(std::chrono::milliseconds eachWay)
{
    m_impl->change([&] {
        m_impl->m_mode = Mode::pass;
        m_impl->m_refuse = false;
        m_impl->m_delay = eachWay;
    });
}
void TcpProxy::blackHole()
{
    m_impl->change([&] { m_impl->m_mode = Mode::blackHole; });
}
void TcpProxy::stall()
{
    m_impl->change([&] { m_impl->m_mode = Mode::stall; });
}
void TcpProxy::refuse()
{
    m_impl->change([&] { m_impl->m_refuse = true; });
}
void TcpProxy::cutAfter(std::uint64_t bytes, bool reset)
{
    m_impl->change([&] {
        m_impl->m_cutLeft = bytes;
        m_impl->m_cutReset = reset;
    });
}
void TcpProxy::cutNow(bool reset) { cutAfter(0, reset); }

std::uint64_t TcpProxy::bytesFromServer() const { return m_impl->m_fromServer; }
std::uint64_t TcpProxy::bytesFromClient() const { return m_impl->m_fromClient; }
int TcpProxy::accepted() const { return m_impl->m_accepted; }
int TcpProxy::open() const { return m_impl->m_open; }
int TcpProxy::mostOpen() const { return m_impl->m_mostOpen; }

}  // namespace rankdeck
