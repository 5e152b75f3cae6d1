// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/collective.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

constexpr std::uint32_t helloMagic = 0x524b4431;
constexpr std::uint32_t accepted = 1, repeated = 2;

struct Hello {
    std::uint32_t magic = helloMagic;
    std::int32_t rank = 0;
    std::int32_t world = 0;
};
struct Frame {
    std::int32_t votes = 0;
    std::uint32_t count = 0;
};

template <class T>
std::string bytesOf(const T &value)
{
    return {reinterpret_cast<const char *>(&value), sizeof value};
}

std::string frameOf(const std::vector<float> &values, int votes)
{
    std::string bytes = bytesOf(Frame{votes, static_cast<std::uint32_t>(values.size())});
    bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float));
    return bytes;
}

sockaddr_in addressOf(const CollectiveOptions &options)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(options.port));
    if (inet_pton(AF_INET, options.host.c_str(), &address.sin_addr) != 1)
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void setSocketTimeout(int fd, int milliseconds)
{
    const timeval limit{milliseconds / 1000, (milliseconds % 1000) * 1000L};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

template <class T>
bool receiveWhole(int fd, T &into)
{
    return recv(fd, &into, sizeof into, MSG_WAITALL) == static_cast<ssize_t>(sizeof into);
}

}  // namespace

Result<std::unique_ptr<Collective>> Collective::join(CollectiveOptions options, const MindSporeLog &log)
{
    std::unique_ptr<Collective> made(new Collective(std::move(options), log));
    if (made->m_options.world > 1) {
        const auto joined = made->m_options.rank == 0 ? made->listenAndGather() : made->connectToFirst();
        if (!joined) return joined.error();
    }
    return made;
}

Collective::~Collective()
{
    for (const auto &peer : m_peers)
        if (peer.fd >= 0) close(peer.fd);
    if (m_listener >= 0) close(m_listener);
}

void Collective::tick() const
{
    if (m_options.waiting) m_options.waiting();
}

void Collective::greet(int fd)
{
    setSocketTimeout(fd, 1000);
    Hello hello;
    if (!receiveWhole(fd, hello) || hello.magic != helloMagic) {
        close(fd);
        return;
    }
    const bool known = std::any_of(m_peers.begin(), m_peers.end(), [&](const Peer &p) { return p.rank == hello.rank; });
    const bool fits = hello.world == m_options.world && hello.rank > 0 && hello.rank < hello.world && !known;
    const std::uint32_t answer = fits ? accepted : repeated;
    if (send(fd, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer || !fits) {
        close(fd);
        return;
    }
    m_peers.push_back({hello.rank, fd});
}

Status Collective::listenAndGather()
{
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(m_options.buildSeconds));
    const auto bindDeadline = std::min(deadline, Clock::now() + std::chrono::seconds(5));
    const auto address = addressOf(m_options);
    m_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    setsockopt(m_listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    while (bind(m_listener, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
           listen(m_listener, 128) != 0) {
        m_log.native("WARNING", "DISTRIBUTED", "mindspore/ccsrc/distributed/rpc/tcp/tcp_comm.cc:206", "Listen",
                     "Failed to bind the port " + std::to_string(m_options.port) + ": " + std::strerror(errno));
        if (Clock::now() > bindDeadline)
            return fail(ErrorKind::conflict, "Failed to init the tcp server. The port " +
                                                 std::to_string(m_options.port) +
                                                 " is in use: expected it free, stop what listens there.");
        tick();
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    while (m_peers.size() + 1 < static_cast<std::size_t>(m_options.world)) {
        pollfd waiting{m_listener, POLLIN, 0};
        if (poll(&waiting, 1, 100) > 0) {
            const int fd = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (fd >= 0) greet(fd);
        }
        tick();
        if (Clock::now() > deadline)
            return fail(ErrorKind::timeout,
                        "Failed to initialize distributed job cluster because some processes in the cluster "
                        "are not successfully launched: expected " +
                            std::to_string(m_options.world) + " ranks, found " + std::to_string(m_peers.size() + 1) +
                            ".");
    }
    std::sort(m_peers.begin(), m_peers.end(), [](const Peer &a, const Peer &b) { return a.rank < b.rank; });
    return Done{};
}

Status Collective::connectToFirst()
{
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(m_options.buildSeconds));
    const auto address = addressOf(m_options);
    for (int attempt = 1; Clock::now() < deadline; ++attempt) {
        const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0) {
            const Hello hello{helloMagic, m_options.rank, m_options.world};
            std::uint32_t answer = 0;
            setSocketTimeout(fd, 5000);
            if (send(fd, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello && receiveWhole(fd, answer) &&
                answer == accepted) {
                m_peers.push_back({0, fd});
                return Done{};
            }
            if (answer == repeated && attempt > 4) {
                close(fd);
                return fail(ErrorKind::conflict, "Repeated registration node: " + std::to_string(m_options.rank) +
                                                     ". Another attempt of this job still holds the port " +
                                                     std::to_string(m_options.port) + ": stop its ranks first.");
            }
        }
        close(fd);
        m_log.native("WARNING", "DISTRIBUTED", "mindspore/ccsrc/distributed/cluster/cluster_context.cc:246",
                     "BuildCluster", "Topology build timed out., retry(" + std::to_string(attempt) + "/120).");
        tick();
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    return fail(ErrorKind::timeout, "Failed to initialize distributed job cluster: rank 0 did not answer at port " +
                                        std::to_string(m_options.port) + ".");
}

Result<int> Collective::allReduce(std::vector<float> &values, int vote)
{
    ++m_round;
    if (m_options.world == 1) return vote;
    return m_options.rank == 0 ? reduceAtFirst(values, vote) : reduceAtOther(values, vote);
}

Result<int> Collective::reduceAtFirst(std::vector<float> &values, int vote)
{
    const std::size_t bytes = sizeof(Frame) + values.size() * sizeof(float);
    if (auto received = receiveAll(bytes); !received) return received.error();
    int votes = vote;
    for (auto &peer : m_peers) {
        Frame frame;
        std::memcpy(&frame, peer.received.data(), sizeof frame);
        if (frame.count != values.size())
            return fail(ErrorKind::protocol, "AllReduce of rank " + std::to_string(peer.rank) + ": expected " +
                                                 std::to_string(values.size()) + " numbers, found " +
                                                 std::to_string(frame.count) + ".");
        votes += frame.votes;
        for (std::size_t i = 0; i < values.size(); ++i) {
            float value = 0;
            std::memcpy(&value, peer.received.data() + sizeof frame + i * sizeof value, sizeof value);
            values[i] += value;
        }
        peer.received.erase(0, bytes);
    }
    for (auto &value : values) value /= static_cast<float>(m_options.world);
    const std::string answer = frameOf(values, votes);
    for (auto &peer : m_peers)
        if (auto sent = sendAll(peer, answer); !sent) peerGone(peer);
    return votes;
}

Result<int> Collective::reduceAtOther(std::vector<float> &values, int vote)
{
    Peer &first = m_peers.front();
    if (auto sent = sendAll(first, frameOf(values, vote)); !sent) peerGone(first);
    const std::size_t bytes = sizeof(Frame) + values.size() * sizeof(float);
    if (auto received = receiveAll(bytes); !received) return received.error();
    Frame frame;
    std::memcpy(&frame, first.received.data(), sizeof frame);
    if (frame.count != values.size())
        return fail(ErrorKind::protocol, "AllReduce: the answer of rank 0 has another length.");
    std::memcpy(values.data(), first.received.data() + sizeof frame, values.size() * sizeof(float));
    first.received.erase(0, bytes);
    return frame.votes;
}

Status Collective::receiveAll(std::size_t bytes)
{
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(m_options.timeoutSeconds));
    while (true) {
        std::vector<pollfd> waiting;
        std::vector<Peer *> whose;
        bool missing = false;
        for (auto &peer : m_peers) {
            if (peer.received.size() >= bytes) continue;
            missing = true;
            if (peer.gone) continue;
            waiting.push_back({peer.fd, POLLIN, 0});
            whose.push_back(&peer);
        }
        if (!missing) return Done{};
        if (m_listener >= 0) waiting.push_back({m_listener, POLLIN, 0});
        if (Clock::now() > deadline) return timedOut("receiving");
        const int ready = poll(waiting.data(), waiting.size(), 100);
        if (ready == 0) tick();
        for (std::size_t i = 0; ready > 0 && i < whose.size(); ++i)
            if (waiting[i].revents) readFrom(*whose[i], bytes);
        if (ready > 0 && m_listener >= 0 && waiting.back().revents) {
            const int fd = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (fd >= 0) greet(fd);  // all ranks have joined already, so this one is refused
        }
    }
}

void Collective::readFrom(Peer &peer, std::size_t wanted)
{
    char buffer[65536];
    const auto got = recv(peer.fd, buffer, std::min(sizeof buffer, wanted - peer.received.size()), MSG_DONTWAIT);
    if (got > 0)
        peer.received.append(buffer, static_cast<std::size_t>(got));
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        peerGone(peer);
}

Status Collective::sendAll(Peer &peer, const std::string &bytes)
{
    if (peer.gone) return fail(ErrorKind::unreachable, "the peer is gone");
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(m_options.timeoutSeconds));
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto sent = send(peer.fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
            done += static_cast<std::size_t>(sent);
        else if (errno == EAGAIN || errno == EINTR) {
            pollfd writable{peer.fd, POLLOUT, 0};
            if (poll(&writable, 1, 100) == 0) tick();
            if (Clock::now() > deadline) return timedOut("sending");
        } else
            return fail(ErrorKind::unreachable, std::strerror(errno));
    }
    return Done{};
}

void Collective::peerGone(Peer &peer)
{
    if (peer.gone) return;
    peer.gone = true;
    m_log.native("WARNING", "PS", "mindspore/ccsrc/ps/core/communicator/tcp_client.cc:297", "EventCallbackInner",
                 "Client connected end of file! Peer Worker ip: 127.0.0.1, port: " + std::to_string(m_options.port));
}

Error Collective::timedOut(const std::string &doing) const
{
    m_log.native("ERROR", "PS", "mindspore/ccsrc/ps/core/collective_ops_impl.cc:171", "RunRingAllReduce",
                 "Ring ReduceScatter wait " + doing + " [" + std::to_string(m_options.rank) + "," +
                     std::to_string(m_round) + "] failed.");
    m_log.native("ERROR", "KERNEL", "mindspore/ops/kernel/cpu/allreduce_cpu_kernel.cc:83", "Launch",
                 "AllReduceCPUKernelMod launch failed.");
    const std::string bar = "----------------------------------------------------\n";
    return fail(ErrorKind::timeout,
                "\n" + bar + "- Kernel error:\n" + bar +
                    "Launch kernel failed: Default/grad_reducer-DistributedGradReducer/AllReduce-op2\n\n" + bar +
                    "- C++ Call Stack: (For framework developers)\n" + bar +
                    "mindspore/ccsrc/runtime/graph_scheduler/actor/kernel_actor.cc:1013 OnMemoryAllocFinish\n");
}

}  // namespace rankdeck::demo
