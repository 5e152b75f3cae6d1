// SPDX-License-Identifier: GPL-3.0-or-later
// A head node that opens the sessions to its neighbours. It needs one link, one small program in the head node's memory
// (relay.py), and one stream per neighbour. A separate thread moves the bytes; each stream is a Transport for its
// node's thread. When the link or the program ends, all streams end with Error unreachable, after the received bytes
// have been read. If the head node does not answer for 20 s, it counts as ended.
#pragma once

#include "core/node/session/reach/connect_deadline.h"
#include "core/node/session/relay/relay_mux.h"
#include "core/node/transport/transport.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace rankdeck {

struct RelayTiming {
    std::chrono::milliseconds ping{5000};
    std::chrono::milliseconds lost{20000};
    std::chrono::milliseconds lease{60000};  // after this silence, relay.py gives up the console
};

class Relay : public std::enable_shared_from_this<Relay> {
public:
    // outer: runs probeCommand() on the head node. text: the probe as it is sent, once for all neighbours. Blocks until
    // relay.py has answered. Errors: unreachable, unsupported (no python3 there), protocol, cancelled.
    static Result<std::shared_ptr<Relay>> start(std::string name, std::unique_ptr<Transport> outer, std::string text,
                                                const Phase &phase, RelayTiming timing = {});
    ~Relay();
    Relay(const Relay &) = delete;
    Relay &operator=(const Relay &) = delete;

    // Runs a command on the head node as a stream. Any thread. Error unreachable if the relay has ended.
    Result<std::unique_ptr<Transport>> run(const std::vector<std::string> &argv);
    [[nodiscard]] bool isAlive() const { return !m_dead; }
    [[nodiscard]] const std::string &name() const { return m_name; }

private:
    class Stream;
    struct Waiting {
        std::condition_variable changed;
        bool woken = false;
    };
    Relay(std::string name, std::unique_ptr<Transport> outer, RelayMux mux, RelayTiming timing);
    void serve();
    Status moveOut(bool &more);
    Status moveIn(std::string &bytes);
    void checkPulse(SteadyTime now, bool heard);
    void die(const Error &why);
    void wakeThread();  // call it with m_mutex held
    [[nodiscard]] Error gone() const;

    const std::string m_name;
    const std::string m_security;
    const RelayTiming m_timing;
    std::unique_ptr<Transport> m_outer;  // used only by the thread, except wake()
    SteadyTime m_lastContact;            // used only by the thread
    SteadyTime m_askedAt;                // used only by the thread
    std::atomic<bool> m_dead{false};
    std::atomic<bool> m_stop{false};
    std::mutex m_mutex;  // guards the following members
    RelayMux m_mux;
    std::map<std::uint32_t, std::shared_ptr<Waiting>> m_waiting;
    Message m_whyDead;
    bool m_awake = false;  // the thread was woken and has not looked yet
    std::thread m_thread;
};

}  // namespace rankdeck
