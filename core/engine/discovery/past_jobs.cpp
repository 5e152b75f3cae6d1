// SPDX-License-Identifier: GPL-3.0-or-later
// The looks of a DiscoverySession at jobs of which no process runs: their logs and checkpoints, on the hosts that are there.
#include "core/base/deadline.h"
#include "core/engine/discovery/session_impl.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double lookSeconds = 15;
constexpr int looksAtOnce = 2;  // a look at a busy disk takes its time, and jobs that run come first

bool haveOneHost(const Job &one, const Job &other)
{
    return std::any_of(one.nodes.begin(), one.nodes.end(), [&](const NodeSpec &node) {
        return std::any_of(other.nodes.begin(), other.nodes.end(),
                           [&](const NodeSpec &there) { return there.host == node.host; });
    });
}

bool isSame(const Job &one, const Job &other)
{
    return one.logs.path == other.logs.path && one.checkpoints.path == other.checkpoints.path &&
           haveOneHost(one, other);
}

}  // namespace

void DiscoverySession::Impl::addPast(const Job &job)
{
    const auto known =
        std::find_if(m_past.begin(), m_past.end(), [&](const auto &one) { return isSame(one->look.job, job); });
    if (known != m_past.end()) {
        (*known)->look.looked = false;  // it ran since
        return;
    }
    if (m_past.size() >= mostPast || (job.logs.path.empty() && job.checkpoints.path.empty())) return;
    m_past.push_back(std::make_unique<Past>());
    m_past.back()->look.job = job;
}

bool DiscoverySession::Impl::runs(const Job &job) const
{
    return std::any_of(m_jobs.begin(), m_jobs.end(), [&](const auto &entry) {
        const Job &running = entry->look.found.job;
        return running.logs.path == job.logs.path && haveOneHost(running, job);
    });
}

bool DiscoverySession::Impl::isLookedAt(const NodeSpec &node) const
{
    return std::any_of(m_hosts.begin(), m_hosts.end(), [&](const auto &host) {
        return host->look.host == node.host && host->look.scanned && host->look.node.state == NodeState::live;
    });
}

void DiscoverySession::Impl::startPastLooks()
{
    auto running = std::count_if(m_past.begin(), m_past.end(), [](const auto &one) {
        return one->looking.valid() && one->looking.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    });
    for (const auto &past : m_past) {
        const Job &job = past->look.job;
        if (running >= looksAtOnce) return;
        const bool looking =
            past->looking.valid() && past->looking.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
        if (past->look.looked || looking || runs(job)) continue;
        std::map<std::string, std::shared_ptr<ConnectedNode>> nodes;
        for (const NodeSpec &node : job.nodes)
            if (auto there = isLookedAt(node) ? connected(node.host) : nullptr) nodes[node.name] = std::move(there);
        if (nodes.empty()) continue;
        ++running;
        past->looking = std::async(std::launch::async, [this, job, nodes] { lookAtPast(job, nodes); });
    }
}

// On a thread of its own.
void DiscoverySession::Impl::lookAtPast(const Job &job,
                                        const std::map<std::string, std::shared_ptr<ConnectedNode>> &nodes)
{
    const SteadyTime deadline = inSeconds(lookSeconds);
    const NodeByName byName = [&nodes](const std::string &name) -> NodeClient * {
        const auto found = nodes.find(name);
        return found == nodes.end() ? nullptr : &found->second->node();
    };
    Survey survey(byName);
    const LogLook logs = lookAtLogs(job, byName, deadline);
    if (m_ends) return;
    const CheckpointLook checkpoints =
        lookAtCheckpoints(job, byName, survey, deadline, [this] { return m_ends.load(); });
    if (m_ends) return;
    post([this, job, logs, checkpoints] {
        for (const auto &past : m_past) {
            if (!isSame(past->look.job, job)) continue;
            past->look.looked = true;
            past->look.logs = logs;
            past->look.checkpoints = checkpoints;
        }
    });
}

std::vector<EndedLook> DiscoverySession::Impl::endedLooks() const
{
    std::vector<EndedLook> ended;
    for (const auto &past : m_past) {
        const bool there = std::any_of(past->look.job.nodes.begin(), past->look.job.nodes.end(),
                                       [this](const NodeSpec &node) { return isLookedAt(node); });
        if (there && !runs(past->look.job)) ended.push_back(past->look);
    }
    return ended;
}

}  // namespace rankdeck
