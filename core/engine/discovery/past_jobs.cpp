// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of jobs without a running process by a DiscoverySession: reads their logs and checkpoints on the hosts of the
// session.
#include "core/base/deadline.h"
#include "core/engine/discovery/session_impl.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double pastLookSeconds = 15;
constexpr int looksAtOnce = 2;  // a busy disk is slow, and running jobs have precedence

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
        (*known)->look.looked = false;  // the job has run since
        return;
    }
    if (m_past.size() >= mostPast || (job.logs.path.empty() && job.checkpoints.path.empty())) return;
    m_past.push_back(std::make_unique<Past>());
    m_past.back()->look.job = job;
}

// A job is not shown as ended if it may still run somewhere, or if some of its disks cannot be read now.
Running DiscoverySession::Impl::running() const
{
    Running now;
    for (const auto &host : m_hosts)
        if (host->look.node.state == NodeState::live) now.hosts.push_back(&host->look);
    for (const auto &entry : m_jobs) now.jobs.push_back(&entry->look.found.job);
    return now;
}

void DiscoverySession::Impl::startPastLooks()
{
    const Running now = running();
    auto looks = std::count_if(m_past.begin(), m_past.end(), [](const auto &one) {
        return one->looking.valid() && one->looking.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    });
    for (const auto &past : m_past) {
        const Job &job = past->look.job;
        if (looks >= looksAtOnce) return;
        const bool looking =
            past->looking.valid() && past->looking.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
        if (past->look.looked || looking || !hasEnded(job, now).isYes()) continue;
        std::map<std::string, std::shared_ptr<ConnectedNode>> nodes;
        for (const NodeSpec &node : job.nodes)
            if (auto there = connected(node.host)) nodes[node.name] = std::move(there);
        if (nodes.empty()) continue;
        ++looks;
        past->looking = std::async(std::launch::async, [this, job, nodes] { scanPastJobs(job, nodes); });
    }
}

// On a separate thread.
void DiscoverySession::Impl::scanPastJobs(const Job &job,
                                          const std::map<std::string, std::shared_ptr<ConnectedNode>> &nodes)
{
    const SteadyTime deadline = inSeconds(pastLookSeconds);
    const NodeByName byName = [&nodes](const std::string &name) -> NodeClient * {
        const auto found = nodes.find(name);
        return found == nodes.end() ? nullptr : &found->second->node();
    };
    Survey survey(byName);
    const LogScan logs = scanLogs(job, byName, deadline);
    if (m_ends) return;
    const CheckpointScan checkpoints = scanCheckpoints(job, byName, survey, deadline, [this] { return m_ends.load(); });
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

std::vector<EndedJobScan> DiscoverySession::Impl::endedJobScans() const
{
    std::vector<EndedJobScan> ended;
    const Running now = running();
    for (const auto &past : m_past)
        if (hasEnded(past->look.job, now).isYes()) ended.push_back(past->look);
    return ended;
}

}  // namespace rankdeck
