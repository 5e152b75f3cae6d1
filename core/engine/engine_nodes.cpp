// SPDX-License-Identifier: GPL-3.0-or-later
// Messages from the nodes, and the watch requests to them.
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/engine/engine_impl.h"
#include "core/job/cluster_node.h"
#include "core/recover/host/job_places.h"
#include "core/recover/host/rank_processes.h"

#include <algorithm>

namespace rankdeck {
namespace {

std::vector<std::string> processNames(const Job &job)
{
    std::vector<std::string> names = rankEnvNames();
    names.emplace_back("RANKDECK_LAUNCH_ID");
    for (std::string &more : namesOf(&RankVariables::watched))
        if (std::find(names.begin(), names.end(), more) == names.end()) names.push_back(std::move(more));
    if (schedulerOf(job) == SchedulerKind::slurm) names.emplace_back("SLURM_JOB_ID");
    return names;
}

// A few logs can be polled as often as those on the screen, which makes the measured silence exact.
constexpr int fewRanks = 64;

std::vector<int> allRanks(const Job &job)
{
    std::vector<int> all;
    for (const NodeSpec &node : job.nodes) all.insert(all.end(), node.ranks.begin(), node.ranks.end());
    return all;
}

bool bad(NodeState state)
{
    return state == NodeState::lost || state == NodeState::refused || state == NodeState::unsupported;
}

Message stateText(const NodeStatus &status)
{
    switch (status.state) {
    case NodeState::live: return message("%1 is live", status.name);
    case NodeState::stale: return message("%1 is stale", status.name);
    case NodeState::lost: return message("%1 is lost", status.name);
    case NodeState::refused: return message("%1 is refused", status.name);
    case NodeState::unsupported: return message("%1 is unsupported", status.name);
    default: return status.name + " is " + replaceAll(nodeStateName(status.state), "_", " ");
    }
}

Message nodeEventText(const NodeStatus &status)
{
    const Message state = stateText(status);
    return status.reason.empty() ? state : message("%1: %2", state, status.reason);
}

}  // namespace

NodeClient *Engine::Impl::node(const std::string &name)
{
    const auto at = m_nodes.find(name);  // safe on any thread: the map does not change after prepare()
    return at == m_nodes.end() ? nullptr : at->second.get();
}

void Engine::Impl::sendWatches()
{
    for (const NodeSpec &spec : m_job.nodes) sendWatch(spec);
}

void Engine::Impl::sendWatch(const NodeSpec &spec)
{
    const auto at = m_nodes.find(spec.name);
    if (at == m_nodes.end()) return;
    WatchSpec watch;
    std::set<std::string> read;
    if (!m_logReaders.contains(spec.name)) read.insert(spec.name);
    for (const auto &[node, reader] : m_logReaders)
        if (reader == spec.name) read.insert(node);
    watch.tails = m_logs.tails(read, m_job.ranks() <= fewRanks ? allRanks(m_job) : m_onScreen, m_watched);
    int id = 0;
    for (const ListRequest &root : checkpointRoots(m_job, spec))
        watch.directories.push_back({id++, root.root, root.depth});
    id = firstKeptDirectory;
    for (const ListRequest &root : keptRoots(m_job, spec)) watch.directories.push_back({id++, root.root, root.depth});
    watch.processes = true;
    watch.processEnv = processNames(m_job);
    watch.processPaths = logsOfRanks(m_job, spec);
    watch.processPids = m_ranks.pidsOn(spec);
    if (const auto handed = m_handed.find(spec.name); handed != m_handed.end())
        return handed->second->watch(*this, std::move(watch));
    at->second->watch(std::move(watch));
}

// The node through which the logs of this node are read, normally itself. If its container has ended or its pod is
// gone, this is a node without ranks that sees the same files. A pod may end before its last lines are fetched from it.
std::string Engine::Impl::logReader(const NodeSpec &spec) const
{
    const auto own = m_status.find(spec.name);
    if (own == m_status.end() || own->second.container == ContainerFate::notKnown || !m_job.pathsShared)
        return spec.name;
    for (const NodeSpec &other : m_job.nodes) {
        const auto status = m_status.find(other.name);
        if (other.ranks.empty() && status != m_status.end() && status->second.state == NodeState::live)
            return other.name;
    }
    return spec.name;
}

void Engine::Impl::passLogsOn()
{
    if (m_containersEnded == 0 && m_logReaders.empty()) return;  // every node reads its own logs
    std::set<std::string> changed;
    for (const NodeSpec &spec : m_job.nodes) {
        const auto before = m_logReaders.find(spec.name);
        const std::string was = before == m_logReaders.end() ? spec.name : before->second;
        const std::string is = logReader(spec);
        if (was == is) continue;
        changed.insert({was, is});
        if (is == spec.name)
            m_logReaders.erase(spec.name);
        else
            m_logReaders[spec.name] = is;
    }
    for (const NodeSpec &spec : m_job.nodes)
        if (changed.contains(spec.name)) sendWatch(spec);
}

void Engine::Impl::nodeStatus(const std::string &name, const NodeStatus &status)
{
    post([this, name, status] {
        NodeStatus &known = m_status[name];
        const bool newState = known.state != status.state || known.reason != status.reason;
        const bool wasLive = known.state == NodeState::live || known.state == NodeState::stale;
        m_bytesRead += status.bytesRead - known.bytesRead;
        const auto over = [](const NodeStatus &one) { return one.container != ContainerFate::notKnown ? 1 : 0; };
        m_containersEnded += over(status) - over(known);
        known = status;
        (newState ? m_dirty : m_numbersMoved) = true;
        if (const int index = m_job.nodeIndex(name); index >= 0) {
            m_nodeStates.set(static_cast<std::size_t>(index), status);
            const NodeSpec &spec = m_job.nodes[static_cast<std::size_t>(index)];
            if (bad(status.state) && newState) {
                if (status.container == ContainerFate::ended)
                    m_ranks.containerEnded(spec);
                else
                    m_ranks.silent(spec);
                for (const int rank : spec.ranks) m_parts.rankChanged(rank);
            }
        }
        if (!newState) return;
        passLogsOn();
        if (m_schedulerWatch) m_schedulerWatch->askSoon();
        m_update.nodes.push_back(status);
        if (bad(status.state)) m_gaveUp.insert(name);
        if (status.state == NodeState::live) m_flags.refresh();
        const bool worthTelling =
            bad(status.state) || status.state == NodeState::stale || (status.state == NodeState::live && !wasLive);
        NodeState &told = m_nodeTold[name];
        const bool again = told == status.state;  // another failed try is not news
        if (worthTelling || status.state == NodeState::live) told = status.state;
        if (!worthTelling || again) return;
        Event event;
        event.time = wallNow();
        event.kind = EventKind::nodeChanged;
        event.node = name;
        if (const int index = m_job.nodeIndex(name); index >= 0)
            event.ranks = m_job.nodes[static_cast<std::size_t>(index)].ranks;
        event.text = nodeEventText(status);
        addEvent(std::move(event));
    });
}

void Engine::Impl::tailChunk(const std::string &, TailChunk chunk)
{
    // Blocks the node's thread and so its link, but for much less time than would look like silence.
    const std::size_t bytes = chunk.bytes.size();
    m_tailBudget.take(bytes, std::chrono::seconds(5));
    post([this, chunk = std::move(chunk), bytes] {
        m_logs.chunk(chunk);
        m_tailBudget.give(bytes);
    });
}

void Engine::Impl::tailEvent(const std::string &name, TailEvent event)
{
    post([this, name, event = std::move(event)] {
        m_logs.event(event, m_status.at(name).facts.clockSkewSeconds);
        m_dirty = true;
    });
}

void Engine::Impl::directory(const std::string &name, int id, Listing listing)
{
    if (id >= firstKeptDirectory)
        post([this, name, listing = std::make_shared<const Listing>(std::move(listing))] {
            for (KeptDirectory &one : m_keptDirectories)
                if (one.node == name && one.request.root == listing->root) one.listing = listing;
            m_keptChanged = m_dirty = true;
        });
    else if (m_checkpoints)
        m_checkpoints->listing(name, id, std::move(listing));
}

void Engine::Impl::directoryUnchanged(const std::string &name, int id, std::int64_t asOfNs)
{
    if (m_checkpoints && id < firstKeptDirectory) m_checkpoints->unchanged(name, id, asOfNs);
}

// A console that started late learns from the processes of its ranks when the attempt began.
void Engine::Impl::dateAttempt(const std::vector<int> &ranks)
{
    bool moved = false;
    for (const int number : ranks) {
        RankState rank;
        rank.rank = number;
        m_ranks.fill(rank);
        if (!rank.alive.isYes() || !rank.process) continue;
        const NodeSpec *node = m_job.nodeOf(number);
        const double skew = node ? m_status[node->name].facts.clockSkewSeconds : 0;
        const std::unique_lock lock(m_runMutex);
        moved = m_run.ranSince(secondsAfter(rank.process->started, -skew)) || moved;
    }
    if (moved) m_dirty = true;
}

void Engine::Impl::processes(const std::string &name, ProcessList list)
{
    post([this, name, list = std::move(list), heard = wallNow()] {
        const int index = m_job.nodeIndex(name);
        if (index < 0) return;
        NodeStatus &status = m_status[name];  // its own state comes only with a link measurement, much more rarely
        if (status.state == NodeState::live && status.lastContact < heard) {
            status.lastContact = heard;
            m_nodeStates.set(static_cast<std::size_t>(index), status);
        }
        const NodeSpec &spec = m_job.nodes[static_cast<std::size_t>(index)];
        const JobProcesses sorted = sortProcesses(m_job, spec, list.processes);
        const std::vector<int> changed = m_ranks.processes(spec, sorted, list);
        for (const int rank : changed) {
            m_parts.rankChanged(rank);
            RankState state;
            state.rank = rank;
            m_ranks.fill(state);
            if (state.alive.isNo()) m_logs.ended(rank);
        }
        m_logs.processesListed();
        dateAttempt(std::exchange(m_attemptBegan, false) ? m_ranks.alive() : changed);
        m_slurmJobKnown = m_slurmJobKnown && changed.empty();
        const bool first = m_processesSeen.insert(name).second;
        bool newLauncher = false;
        for (const ProcessInfo &other : sorted.others)
            if (launcherNamed(other.comm) && !other.stdoutPath.empty())
                newLauncher = m_logs.addLauncher(name, other.stdoutPath) || newLauncher;
        if (newLauncher || !changed.empty()) sendWatch(spec);  // includes the ranks' pids, for use after a reconnect
        (first || !changed.empty() ? m_dirty : m_numbersMoved) = true;
    });
}

}  // namespace rankdeck
