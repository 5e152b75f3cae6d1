// SPDX-License-Identifier: GPL-3.0-or-later
// Implementation of Node: its thread, the requests of other threads, and the state that they may read. All members
// under m_mutex are shared; the others belong to the node's thread. Callbacks of the listener and completions run
// without the lock. The reason why a connection ended becomes the node's state and reason; every open request gets
// Error unreachable.
#pragma once

#include "core/node/backoff.h"
#include "core/node/node.h"
#include "core/node/protocol/node_link.h"
#include "core/node/protocol/output_log.h"
#include "core/node/transport/session_factory.h"
#include "core/node/transport/transport.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <random>
#include <thread>

namespace rankdeck {

class Node::Impl final : private LinkSink {
public:
    Impl(NodeSpec spec, ConnectOptions options, std::shared_ptr<SessionFactory> sessions, NodeListener &listener);
    ~Impl() override;
    Impl(const Impl &) = delete;
    Impl &operator=(const Impl &) = delete;

    void start();
    void watch(WatchSpec spec);
    void answer(Answer answer);
    void retryNow();
    [[nodiscard]] NodeStatus status() const;
    void submit(EncodedRequest request, NodeLink::Completion done);
    void setTiming(LinkTiming timing) { m_timing = timing; }  // before start()

private:
    struct Ending {
        NodeState state = NodeState::lost;
        Message reason;
        ContainerFate container = ContainerFate::notKnown;
        bool noPython = false;
    };
    struct Queued {
        EncodedRequest request;
        NodeLink::Completion done;
    };
    // Run on the node's thread:
    void run();
    Ending connectAndServe();
    Ending serve(Transport &transport);
    Ending turn(Transport &transport, NodeLink &link, std::string &bytes);  // returns when the link has ended
    Ending followOutput(Ending ending);                                     // for a pod without python3
    Ending turnOutput(Transport &transport, OutputLog &log, const Ending &state);
    void tellOutput(OutputLog::News news);
    void heard(std::size_t bytes);
    Ending afterDrop(const Transport &transport, const NodeLink &link, const Error &error) const;
    static ContainerFate fateIn(const Error &error);
    Status takeQueue(NodeLink &link);
    void tellUnwatchable(const WatchSpec &wanted);
    void updateLiveness(const NodeLink &link);
    void closeRequests(NodeLink &link, const std::string &reason);
    void waitForRetry(Ending ending);
    Questions questions();
    template <class Ask>
    Answer ask(Ask fill);
    void setState(NodeState state, Message reason, ContainerFate container = ContainerFate::notKnown);
    void tellStatus();
    [[nodiscard]] bool stopping() const;
    [[nodiscard]] Moment linkNow() const;
    [[nodiscard]] Error notLive() const;  // call it with m_mutex held

    // LinkSink
    void greeted(const NodeFacts &facts) override;
    void measured(const NodeFacts &facts) override;
    void tailChunk(TailChunk chunk) override;
    void tailEvent(TailEvent event) override;
    void directory(int id, Listing listing) override;
    void directoryUnchanged(int id, std::int64_t asOfNs) override;
    void processes(ProcessList list) override;

    const NodeSpec m_spec;
    const ConnectOptions m_options;
    const std::shared_ptr<SessionFactory> m_sessions;
    NodeListener &m_listener;
    LinkTiming m_timing;
    int m_patience = 1;  // multiplies m_timing.start for a slow node; adjusted at each try
    WatchState m_watchState;
    std::optional<OutputLog> m_output;  // also kept over reconnects
    Backoff m_backoff;
    std::mt19937_64 m_random;
    std::string m_security;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    NodeStatus m_status;
    SteadyTime m_retryAt = {};
    std::deque<Queued> m_queue;
    std::optional<WatchSpec> m_wanted;
    std::optional<Answer> m_answer;
    Transport *m_transport = nullptr;  // for wake()
    bool m_asking = false;
    bool m_retry = false;
    bool m_stop = false;

    std::thread m_thread;
};

}  // namespace rankdeck
