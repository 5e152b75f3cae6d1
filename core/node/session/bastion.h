// SPDX-License-Identifier: GPL-3.0-or-later
// A jump host: one logged-in session, with one direct-tcpip channel for each machine behind it. A separate thread moves
// the bytes between these channels and socket pairs, which the sessions of those machines use. All of them share the
// login and its second factor. The end of one channel does not affect the others; if the bastion dies, all its sockets
// end.
#pragma once

#include "core/node/session/channel_forwarder.h"
#include "core/node/session/connection.h"

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace rankdeck {

class Bastion {
public:
    static Result<std::shared_ptr<Bastion>> start(std::unique_ptr<SshConnection> connection);
    ~Bastion();
    Bastion(const Bastion &) = delete;
    Bastion &operator=(const Bastion &) = delete;

    // Opens a socket to host:port, as the bastion resolves it. Any thread; blocks. Error unreachable, refused
    // (forwarding is disabled there), cancelled.
    Result<Socket> reach(const std::string &host, int port, const Phase &phase);
    [[nodiscard]] bool isAlive() const { return !m_dead; }
    [[nodiscard]] const std::string &name() const { return m_name; }

private:
    struct Request {
        std::string host;
        int port = 0;
        ChannelHandle channel = {};
        std::optional<Result<Socket>> answer = {};  // under m_mutex
        bool abandoned = false;                     // under m_mutex
    };
    Bastion(std::unique_ptr<SshConnection> connection, Socket wake);
    void run();
    bool serveOnce(ssh_event event);  // true: call it again, there may be more
    void takeRequests();
    bool advance(Request &request);  // true: the request was answered
    void answer(Request &request, Result<Socket> result);
    void waitForWork(int milliseconds);
    void checkPulse();
    void die(const std::string &why);
    void wake() const;
    [[nodiscard]] Error openError(const Request &request) const;

    std::unique_ptr<SshConnection> m_connection;  // used only by the thread
    std::string m_name;
    Socket m_wake;
    std::list<std::shared_ptr<Request>> m_opening;  // used only by the thread
    std::list<Pump> m_pumps;                        // used only by the thread
    std::uint64_t m_heardBytes = 0;
    SteadyTime m_lastContact = {};
    SteadyTime m_askedAt = {};
    std::vector<char> m_scratch;
    std::atomic<bool> m_dead{false};
    std::atomic<bool> m_stop{false};
    std::mutex m_mutex;
    std::condition_variable m_answered;
    std::list<std::shared_ptr<Request>> m_requests;
    Message m_whyDead;
    std::thread m_thread;
};

}  // namespace rankdeck
