// SPDX-License-Identifier: GPL-3.0-or-later
// Handling of a pod without python3: only the output of its one rank can be read. The node's state stays unsupported.
#include "core/node/node_impl.h"

#include "core/base/clock.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::chrono::milliseconds look(250);
// The stream has no heartbeat, so a lost connection looks like silence. After this time it is opened again, which
// repeats no line.
constexpr std::chrono::minutes openAnew(5);

}  // namespace

Node::Impl::Ending Node::Impl::followOutput(Ending ending)
{
    if (!m_spec.host.starts_with("k8s:") || m_spec.ranks.empty()) return ending;
    if (m_spec.ranks.size() > 1) {
        ending.reason = joined({ending.reason, message("Its \"kubectl logs\" are not shown either: they mix the lines "
                                                       "of its %1 ranks and do not name the rank.",
                                                       m_spec.ranks.size())});
        return ending;
    }
    // The log of a rank is watched under the rank's number.
    const auto &tails = m_watchState.spec().tails;
    const auto own = std::find_if(tails.begin(), tails.end(),
                                  [this](const TailSpec &tail) { return tail.id == m_spec.ranks.front(); });
    if (own == tails.end()) return ending;
    if (!m_output) m_output.emplace(*own);
    while (!stopping()) {
        auto transport = m_sessions->openOutput(m_spec, m_options, questions());
        if (!transport) {
            const Error &error = transport.error();
            if (error.kind == ErrorKind::unreachable || error.kind == ErrorKind::timeout)
                return {NodeState::lost, error.message, fateIn(error)};
            ending.reason = joined({ending.reason, message("Its output cannot be followed either: %1", error.message)});
            return ending;
        }
        {
            const std::lock_guard lock(m_mutex);
            if (m_stop) return {};
            m_transport = transport->get();
        }
        m_output->begin();
        const Ending over = turnOutput(**transport, *m_output, ending);
        {
            const std::lock_guard lock(m_mutex);
            m_transport = nullptr;
        }
        if (!over.reason.empty()) return over;
    }
    return {};
}

// An ending without a reason means that the stream was silent for long and must be opened again.
Node::Impl::Ending Node::Impl::turnOutput(Transport &transport, OutputLog &log, const Ending &state)
{
    SteadyTime last = steadyNow();
    std::string bytes;
    bool said = false;  // reported after the old lines, so that these exist when the state is first read
    while (!stopping()) {
        {
            const std::lock_guard lock(m_mutex);
            if (std::exchange(m_retry, false)) return {NodeState::lost, message("Connecting again.")};
        }
        transport.wait(false, look);
        bytes.clear();
        const auto got = transport.read(bytes);
        const SteadyTime now = steadyNow();
        if (!bytes.empty()) {
            last = now;
            heard(bytes.size());
        }
        tellOutput(bytes.empty() ? log.tick(now) : log.feed(bytes, now));
        if (log.settled() && !std::exchange(said, true))
            setState(state.state,
                     joined({state.reason, message("Rankdeck follows only its output, with \"kubectl logs\": its "
                                                   "processes, files and checkpoints are unknown.")}));
        if (!got) {
            tellOutput(log.end());
            return {NodeState::lost, got.error().message, fateIn(got.error())};
        }
        if (now - last > openAnew) return {};
    }
    return {};
}

void Node::Impl::tellOutput(OutputLog::News news)
{
    if (news.event) tailEvent(std::move(*news.event));
    for (TailChunk &chunk : news.chunks) tailChunk(std::move(chunk));
}

}  // namespace rankdeck
