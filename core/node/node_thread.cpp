// SPDX-License-Identifier: GPL-3.0-or-later
// The node's own thread: connects, serves requests, waits, and connects again.
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/node_impl.h"
#include "core/node/protocol/probe_source.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr int mostPatience = 8;  // 4 min

NodeState stateAfterRefusal(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::refused:
    case ErrorKind::permission:
    case ErrorKind::invalid: return NodeState::refused;
    case ErrorKind::unsupported:
    case ErrorKind::notFound: return NodeState::unsupported;
    default: return NodeState::lost;
    }
}

}  // namespace

void Node::Impl::run()
{
    std::string before;  // why the previous connection ended
    while (!stopping()) {
        setState(NodeState::connecting, before);
        Ending ending = connectAndServe();
        if (ending.noPython && !stopping()) ending = followOutput(std::move(ending));
        if (stopping()) return;
        before = ending.reason;
        waitForRetry(std::move(ending));
    }
}

Node::Impl::Ending Node::Impl::connectAndServe()
{
    auto command = probeCommand(m_spec.python);
    if (!command) return {NodeState::refused, command.error().message};
    auto transport = m_sessions->open(m_spec, m_options, *command, questions());
    if (!transport)
        return {stateAfterRefusal(transport.error().kind), transport.error().message, fateIn(transport.error())};
    m_security = (*transport)->security();
    {
        const std::lock_guard lock(m_mutex);
        if (m_stop) return {};
        m_transport = transport->get();
    }
    const auto began = steadyNow();
    Ending ending = serve(**transport);
    m_backoff.connectionLasted(std::chrono::duration_cast<std::chrono::milliseconds>(steadyNow() - began));
    return ending;
}

Moment Node::Impl::linkNow() const
{
    if (m_timing.clock != nullptr) return {m_timing.clock->steady(), m_timing.clock->wall()};
    return {steadyNow(), wallNow()};
}

Node::Impl::Ending Node::Impl::serve(Transport &transport)
{
    const std::string source = m_options.probeSource.empty() ? builtInProbe() : m_options.probeSource;
    LinkTiming timing = m_timing;
    timing.start *= m_patience;
    const SteadyTime began = linkNow().steady;
    NodeLink link(Bootstrap(randomNonce(), source), m_watchState, timing, !m_security.empty(), linkNow());
    std::string bytes;
    Ending ending = turn(transport, link, bytes);
    const bool tooSlow = !link.greeted() && linkNow().steady - began > timing.start;
    m_patience = tooSlow ? std::min(2 * m_patience, mostPatience) : 1;
    closeRequests(link, ending.reason);
    return ending;
}

Node::Impl::Ending Node::Impl::turn(Transport &transport, NodeLink &link, std::string &bytes)
{
    while (!stopping()) {
        if (auto taken = takeQueue(link); !taken) return afterDrop(transport, link, taken.error());
        if (!link.outgoing().empty()) {
            auto sent = transport.write(link.outgoing());
            if (!sent) return afterDrop(transport, link, sent.error());
            link.sent(*sent);
        }
        const auto pause = std::chrono::ceil<std::chrono::milliseconds>(napFor(link.nextTick() - linkNow().steady));
        transport.wait(!link.outgoing().empty(), pause);
        bytes.clear();
        auto got = transport.read(bytes);
        if (!bytes.empty()) {
            heard(bytes.size());
            if (auto fed = link.feed(bytes, linkNow(), *this); !fed) return afterDrop(transport, link, fed.error());
        }
        if (!got) return afterDrop(transport, link, got.error());
        if (auto ticked = link.tick(linkNow()); !ticked) return afterDrop(transport, link, ticked.error());
        updateLiveness(link);
    }
    return {};
}

Status Node::Impl::takeQueue(NodeLink &link)
{
    std::deque<Queued> queue;
    std::optional<WatchSpec> wanted;
    {
        const std::lock_guard lock(m_mutex);
        queue.swap(m_queue);
        wanted.swap(m_wanted);
    }
    if (wanted) {
        m_watchState.set(*wanted);
        tellUnwatchable(*wanted);
    }
    for (Queued &queued : queue) link.request(std::move(queued.request), std::move(queued.done));
    return wanted ? link.watchChanged() : Status(Done{});
}

void Node::Impl::tellUnwatchable(const WatchSpec &wanted)
{
    const std::string text = "The path is empty or contains a zero byte.";
    for (const TailSpec &tail : wanted.tails)
        if (!WatchState::sendable(tail.path)) tailEvent({tail.id, TailChange::unreadable, 0, 0, {}, text});
    for (const DirectorySpec &spec : wanted.directories)
        if (!WatchState::sendable(spec.root)) directory(spec.id, {spec.root, {}, false, text});
}

void Node::Impl::updateLiveness(const NodeLink &link)
{
    if (!link.greeted()) return;
    const bool stale = link.stale(linkNow().steady);
    NodeState state = NodeState::live;
    {
        const std::lock_guard lock(m_mutex);
        state = m_status.state;
    }
    if (stale && state == NodeState::live)
        setState(NodeState::stale, message("No contact for 10 s; the values shown are old."));
    if (!stale && state == NodeState::stale) setState(NodeState::live, {});
}

Node::Impl::Ending Node::Impl::afterDrop(const Transport &transport, const NodeLink &link, const Error &error) const
{
    const std::string said = printableLines(transport.errorOutput());
    const ContainerFate container = fateIn(error);
    if (link.greeted() || container != ContainerFate::notKnown) return {NodeState::lost, error.message, container};
    if (saysNoPython(said))
        return {.state = NodeState::unsupported,
                .reason =
                    message("No python3 of version 3.6 or newer was found on %1; the node needs nothing else. Install "
                            "it, or set \"python\" in the job file. The node said: %2",
                            m_spec.name, said),
                .noPython = true};
    const std::string heard = printableLines(link.chatter()) + (said.empty() ? "" : " " + said);
    if (heard.find("sftp") != std::string::npos)
        return {NodeState::unsupported,
                message("The login on %1 allows file transfer only; Rankdeck needs one that runs "
                        "commands. The node said: %2",
                        m_spec.name, heard)};
    return {NodeState::lost,
            joined({error.message, heard.find_first_not_of(" \n") == std::string::npos
                                       ? message("The probe had not started.")
                                       : message("The probe had not started. The node said: %1", heard)})};
}

void Node::Impl::closeRequests(NodeLink &link, const std::string &reason)
{
    std::deque<Queued> queue;
    {
        const std::lock_guard lock(m_mutex);
        m_transport = nullptr;
        queue.swap(m_queue);
    }
    const Error error =
        fail(ErrorKind::unreachable,
             reason.empty() ? message("The connection to %1 ended before the answer arrived. Cannot tell whether the "
                                      "request was carried out; check before you repeat it.",
                                      m_spec.name)
                            : message("The connection to %1 ended before the answer arrived: %2 Cannot tell whether "
                                      "the request was carried out; check before you repeat it.",
                                      m_spec.name, reason));
    link.close(error);
    // An error has no body, so decoding cannot fail.
    for (Queued &queued : queue) static_cast<void>(queued.done(error));
}

void Node::Impl::waitForRetry(Ending ending)
{
    const bool again = ending.state == NodeState::lost;
    std::chrono::milliseconds delay{0};
    if (again) delay = m_backoff.next(std::uniform_real_distribution<double>(0, 1)(m_random));
    const SteadyTime until = steadyNow() + delay;
    {
        const std::lock_guard lock(m_mutex);
        m_retryAt = until;
        m_status.retryInSeconds = std::chrono::duration<double>(delay).count();
        m_retry = false;
    }
    setState(ending.state, std::move(ending.reason), ending.container);
    std::unique_lock lock(m_mutex);
    const auto woken = [this] { return m_stop || m_retry; };
    if (again)
        waitUntil(m_changed, lock, until, woken);
    else
        m_changed.wait(lock, woken);
    if (m_retry) m_backoff.reset();
}

template <class Ask>
Answer Node::Impl::ask(Ask fill)
{
    if (!m_options.interactive) return {};
    {
        const std::lock_guard lock(m_mutex);
        if (m_stop) return {};
        m_answer.reset();
        m_asking = true;
        m_status.hostKey.reset();
        m_status.auth.reset();
        fill(m_status);
    }
    setState(NodeState::needsYou, "The login is waiting for your answer.");
    Answer answer;
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_stop || m_answer.has_value(); });
        m_asking = false;
        if (m_answer && !m_stop) answer = *std::exchange(m_answer, std::nullopt);
    }
    if (!stopping()) setState(NodeState::connecting, {});
    return answer;
}

Questions Node::Impl::questions()
{
    return {
        [this](const HostKeyQuestion &question) { return ask([&](NodeStatus &status) { status.hostKey = question; }); },
        [this](const AuthQuestion &question) { return ask([&](NodeStatus &status) { status.auth = question; }); },
        [this] { return stopping(); }};
}

}  // namespace rankdeck
