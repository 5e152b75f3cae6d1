// SPDX-License-Identifier: GPL-3.0-or-later
// The network between the console and one node: accepts on loopback, connects to the node's sshd, and forwards bytes
// both ways. It can be slow, cut (connections are reset and refused), or a hole (data is accepted and never delivered).
// One thread, driven by poll.
#pragma once

#include "app/demo/trainer/fault.h"
#include "core/base/result.h"

#include <chrono>
#include <deque>
#include <memory>
#include <poll.h>
#include <string>
#include <vector>

namespace rankdeck::demo {

class Link {
public:
    // Listens on a free port of 127.0.0.1.
    static Result<std::unique_ptr<Link>> make(int serverPort);
    ~Link();
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;

    [[nodiscard]] int port() const { return m_port; }
    void apply(const Fault &fault);
    // Adds the descriptors to poll; call turn() afterwards, whatever poll returns. milliseconds: is lowered to the time
    // until data is due.
    void gather(std::vector<pollfd> &into, int &milliseconds) const;
    void turn();

private:
    using Clock = std::chrono::steady_clock;
    struct Piece {
        Clock::time_point due;
        std::string bytes;
    };
    struct Flow {  // one direction
        int from = -1, to = -1;
        std::deque<Piece> pieces = {};
        std::size_t held = 0;
        bool ended = false, endSent = false;
    };
    struct Connection {
        Flow up, down;
        bool broken = false;
    };

    Link() = default;
    void acceptNew();
    void receive(Flow &flow, bool &broken);
    void deliver(Flow &flow, bool &broken);
    static void reset(Connection &connection);
    static void finish(Connection &connection);

    int m_listener = -1;
    int m_port = 0;
    int m_serverPort = 0;
    FaultKind m_state = FaultKind::heal;
    std::chrono::milliseconds m_delay{0};
    std::vector<std::unique_ptr<Connection>> m_connections;
};

// A socket that listens on 127.0.0.1 at this port (0: any). Error conflict if the port is taken.
Result<int> listenOnLoopback(int port);
// A port that is free now and that the system does not assign to clients.
Result<int> freeServerPort();

}  // namespace rankdeck::demo
