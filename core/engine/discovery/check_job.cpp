// SPDX-License-Identifier: GPL-3.0-or-later
// Check of the job file that is being edited, by a DiscoverySession on those of its hosts that are in the session.
#include "core/base/deadline.h"
#include "core/engine/discovery/session_impl.h"

namespace rankdeck {

namespace {

constexpr auto betweenChecks = std::chrono::seconds(10);
constexpr double checkSeconds = 10;

}  // namespace

void DiscoverySession::Impl::check(std::size_t id, std::optional<Job> job)
{
    m_checked = std::move(job);
    m_checkId = id;
    m_checkAt = {};  // now
    if (!m_checked) m_check.reset();
}

// Results for an earlier text stay until new ones arrive. The caller distinguishes them by their ids.
bool DiscoverySession::Impl::takeCheck()
{
    if (!m_checking.valid() || m_checking.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    CheckScan look{.id = m_checkingId, .checks = m_checking.get()};
    if (!m_checked) return false;
    const bool changed = !m_check || m_check->id != look.id || m_check->checks != look.checks;
    m_check = std::move(look);
    return changed;
}

void DiscoverySession::Impl::startCheck(SteadyTime now)
{
    if (!m_checked || m_checking.valid()) return;
    std::map<std::string, std::shared_ptr<ConnectedNode>> nodes;
    std::string states;
    for (const NodeSpec &spec : m_checked->nodes) {
        auto node = connected(spec.host);
        const Host *host = hostOf(spec.host);
        if (!node || host == nullptr) continue;
        states += spec.name + " " + nodeStateName(host->look.node.state) + "\n";
        nodes[spec.name] = std::move(node);
    }
    if (now < m_checkAt && states == m_checkedOn) return;
    m_checkAt = now + betweenChecks;
    m_checkedOn = states;
    m_checkingId = m_checkId;
    m_checking = std::async(std::launch::async, [job = *m_checked, nodes = std::move(nodes)] {
        const NodeByName byName = [&nodes](const std::string &name) -> NodeClient * {
            const auto found = nodes.find(name);
            return found == nodes.end() ? nullptr : &found->second->node();
        };
        return checkJob(job, byName, inSeconds(checkSeconds));
    });
}

}  // namespace rankdeck
