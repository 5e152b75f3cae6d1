// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/node_impl.h"

#include "core/base/clock.h"

namespace rankdeck {

Node::Impl::Impl(NodeSpec spec, ConnectOptions options, std::shared_ptr<SessionFactory> sessions,
                 NodeListener &listener)
    : m_spec(std::move(spec)), m_options(std::move(options)), m_sessions(std::move(sessions)), m_listener(listener),
      m_random(std::random_device{}())
{
    m_status.name = m_spec.name;
    m_status.since = wallNow();
}

Node::Impl::~Impl()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        if (m_transport != nullptr) m_transport->wake();
    }
    m_changed.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void Node::Impl::start()
{
    if (!m_thread.joinable()) m_thread = std::thread([this] { run(); });
}

void Node::Impl::watch(WatchSpec spec)
{
    const std::lock_guard lock(m_mutex);
    m_wanted = std::move(spec);
    if (m_transport != nullptr) m_transport->wake();
}

void Node::Impl::answer(Answer answer)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_asking) return;
        m_answer = std::move(answer);
    }
    m_changed.notify_all();
}

void Node::Impl::retryNow()
{
    {
        const std::lock_guard lock(m_mutex);
        m_retry = true;
    }
    m_changed.notify_all();
}

NodeStatus Node::Impl::status() const
{
    const std::lock_guard lock(m_mutex);
    NodeStatus status = m_status;
    if (status.state == NodeState::lost) {
        const std::chrono::duration<double> left = m_retryAt - steadyNow();
        status.retryInSeconds = std::max(0.0, left.count());
    }
    return status;
}

Error Node::Impl::notLive() const
{
    return fail(ErrorKind::unreachable,
                m_status.reason.empty()
                    ? message("Node %1 is %2, not live. No request was sent to it; try again when it is live.",
                              m_spec.name, nodeStateName(m_status.state))
                    : message("Node %1 is %2, not live: %3 No request was sent to it; try again when it is live.",
                              m_spec.name, nodeStateName(m_status.state), m_status.reason));
}

void Node::Impl::submit(EncodedRequest request, NodeLink::Completion done)
{
    std::optional<Error> refusal;
    {
        const std::lock_guard lock(m_mutex);
        if (m_status.state == NodeState::live && m_transport != nullptr) {
            m_queue.push_back({std::move(request), done});
            m_transport->wake();
        } else {
            refusal = notLive();
        }
    }
    if (!refusal) return;
    static_cast<void>(done(*refusal));  // an error has no body, so decoding cannot fail
}

bool Node::Impl::stopping() const
{
    const std::lock_guard lock(m_mutex);
    return m_stop;
}

ContainerFate Node::Impl::fateIn(const Error &error)
{
    if (error.detail == containerEndedDetail) return ContainerFate::ended;
    return error.detail == podGoneDetail ? ContainerFate::gone : ContainerFate::notKnown;
}

void Node::Impl::setState(NodeState state, Message reason, ContainerFate container)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_status.state != state) m_status.since = wallNow();
        m_status.state = state;
        m_status.reason = std::move(reason);
        // While the node is connecting again, the last fate of its container still applies.
        if (container != ContainerFate::notKnown || state != NodeState::connecting) m_status.container = container;
        if (state != NodeState::needsYou) {
            m_status.hostKey.reset();
            m_status.auth.reset();
        }
        if (state != NodeState::lost) m_status.retryInSeconds = 0;
    }
    tellStatus();
}

void Node::Impl::heard(std::size_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_status.bytesRead += bytes;
    m_status.lastContact = wallNow();
}

void Node::Impl::tellStatus() { m_listener.nodeStatus(m_spec.name, status()); }

void Node::Impl::greeted(const NodeFacts &facts)
{
    {
        const std::lock_guard lock(m_mutex);
        m_status.facts = facts;
        m_status.facts.security = m_security;
    }
    setState(NodeState::live, {});
}

void Node::Impl::measured(const NodeFacts &facts)
{
    {
        const std::lock_guard lock(m_mutex);
        m_status.facts = facts;
        m_status.facts.security = m_security;
    }
    tellStatus();
}

void Node::Impl::tailChunk(TailChunk chunk) { m_listener.tailChunk(m_spec.name, std::move(chunk)); }

void Node::Impl::tailEvent(TailEvent event) { m_listener.tailEvent(m_spec.name, std::move(event)); }

void Node::Impl::directory(int id, Listing listing) { m_listener.directory(m_spec.name, id, std::move(listing)); }

void Node::Impl::directoryUnchanged(int id, std::int64_t asOfNs)
{
    m_listener.directoryUnchanged(m_spec.name, id, asOfNs);
}

void Node::Impl::processes(ProcessList list) { m_listener.processes(m_spec.name, std::move(list)); }

}  // namespace rankdeck
