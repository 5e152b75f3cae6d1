// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rank_monitor.h"

#include "core/recover/host/rank_processes.h"

#include <algorithm>

namespace rankdeck {

RankMonitor::RankMonitor(const Job &job, EventSink sink) : m_job(job), m_sink(std::move(sink))
{
    for (const NodeSpec &node : job.nodes)
        for (int rank : node.ranks) m_ranks[rank];
}

void RankMonitor::processes(const NodeSpec &node, const std::vector<ProcessInfo> &processes)
{
    const JobProcesses sorted = sortProcesses(m_job, node, processes);
    const SteadyTime now = std::chrono::steady_clock::now();
    for (int number : node.ranks) {
        Rank &rank = m_ranks[number];
        const auto found = sorted.ranks.find(number);
        if (found != sorted.ranks.end()) {
            const bool another = !rank.process || rank.process->id != found->second.id;
            if (another) {
                rank.died = false;
                rank.exitCode.reset();
            }
            rank.process = found->second;
            rank.alive = true;
            rank.gone.reset();
            m_pids[{node.name, found->second.id.pid}] = number;
        } else if (rank.process) {
            if (rank.alive == true) rank.gone = now;
            rank.alive = false;
        } else if (rank.graceful || now - rank.sampled > std::chrono::seconds(30)) {
            // Never seen, and silent or by its own log on its way out: not running. A rank that goes on logging but
            // cannot be told in /proc stays unknown.
            rank.alive = false;
        } else {
            rank.alive.reset();
        }
    }
}

void RankMonitor::logEvent(int number, const LogEvent &event)
{
    const auto at = m_ranks.find(number);
    if (at == m_ranks.end()) return;
    if (event.kind == EventKind::gracefulExit) {
        at->second.graceful = true;
        at->second.gracefulAt = std::chrono::system_clock::now();
    } else if (event.kind == EventKind::resumed || event.nothingLoaded) {
        // a script may say it in several lines; the first that names a step or a path is the one
        if (!at->second.resumed || (!at->second.resumed->globalStep && event.globalStep)) at->second.resumed = event;
    } else if (event.kind == EventKind::rankDied) {
        at->second.exitCode = event.exitCode;
        at->second.died = true;
    }
}

void RankMonitor::attemptBegan(int attempt)
{
    m_attempt = attempt;
    if (attempt > 0) m_relaunched = std::chrono::steady_clock::now();
    for (auto &[number, rank] : m_ranks) {
        rank.graceful = false;
        rank.gracefulAt.reset();
        rank.resumed.reset();
        rank.exitCode.reset();
        rank.died = false;
        rank.gone.reset();
        if (rank.alive == true) continue;
        rank.process.reset();  // of the attempt before; the new one is not seen yet
        rank.alive.reset();
    }
}

bool RankMonitor::running() const
{
    return anyAlive() || (m_relaunched && std::chrono::steady_clock::now() - *m_relaunched < std::chrono::seconds(15));
}

void RankMonitor::samplesCame(int number)
{
    if (const auto at = m_ranks.find(number); at != m_ranks.end())
        at->second.sampled = std::chrono::steady_clock::now();
}

void RankMonitor::tick()
{
    const SteadyTime now = std::chrono::steady_clock::now();
    for (auto &[number, rank] : m_ranks) {
        if (!rank.gone || rank.died || rank.graceful || now - *rank.gone < std::chrono::seconds(3)) continue;
        const SteadyTime went = *rank.gone;
        rank.gone.reset();
        // When all go within the same moments, who was first only the launcher knows; that is no death of one rank.
        const bool othersLive = std::any_of(m_ranks.begin(), m_ranks.end(), [&](const auto &other) {
            return other.second.alive == true ||
                   (other.second.gone && *other.second.gone - went > std::chrono::seconds(3));
        });
        if (!othersLive) continue;
        rank.died = true;
        Event event;
        event.time = std::chrono::system_clock::now();
        event.rank = number;
        event.attempt = m_attempt;
        event.kind = EventKind::rankDied;
        event.text = "Process " + std::to_string(rank.process->id.pid) + " of rank " + std::to_string(number) +
                     " is gone; other ranks still run";
        if (const NodeSpec *node = m_job.nodeOf(number)) event.node = node->name;
        m_sink(std::move(event));
    }
}

std::optional<int> RankMonitor::rankOfPid(const std::string &node, int pid) const
{
    const auto at = m_pids.find({node, pid});
    return at == m_pids.end() ? std::nullopt : std::optional(at->second);
}

void RankMonitor::fill(RankState &state) const
{
    const auto at = m_ranks.find(state.rank);
    if (at == m_ranks.end()) return;
    const Rank &rank = at->second;
    state.alive = rank.alive;
    if (rank.alive == true) state.process = rank.process;
    state.gracefulExitSeen = rank.graceful;
    state.gracefulExitTime = rank.gracefulAt;
    state.resumed = rank.resumed;
    state.exitCode = rank.exitCode;
    state.seenAlive = rank.process.has_value();
}

bool RankMonitor::anyAlive() const
{
    return std::any_of(m_ranks.begin(), m_ranks.end(), [](const auto &entry) { return entry.second.alive == true; });
}

std::optional<WallTime> RankMonitor::oldestStart() const
{
    std::optional<WallTime> oldest;
    for (const auto &[number, rank] : m_ranks)
        if (rank.alive == true && rank.process && (!oldest || rank.process->started < *oldest))
            oldest = rank.process->started;
    return oldest;
}

}  // namespace rankdeck
