// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rank_monitor.h"

#include "core/recover/host/rank_processes.h"

#include <algorithm>
#include <tuple>

namespace rankdeck {
namespace {

// The last lines of a process that is gone reach us within the next poll of its log.
constexpr std::chrono::milliseconds lastLines{1200};

// What of a process is news: whether it lives, which one it is, whether it is stopped. That it runs one moment and
// sleeps the next is none.
std::tuple<std::optional<bool>, int, std::uint64_t, char> looksOf(const std::optional<bool> &alive,
                                                                  const std::optional<ProcessInfo> &process)
{
    if (!process) return {alive, 0, 0, '?'};
    const char state = process->state == 'R' ? 'S' : process->state;
    return {alive, process->id.pid, process->id.startTicks, state};
}

}  // namespace

RankMonitor::RankMonitor(const Job &job) : m_job(job)
{
    for (const NodeSpec &node : job.nodes)
        for (int rank : node.ranks) m_ranks[rank];
}

std::vector<int> RankMonitor::processes(const NodeSpec &node, const std::vector<ProcessInfo> &processes)
{
    std::vector<int> changed;
    const JobProcesses sorted = sortProcesses(m_job, node, processes);
    const SteadyTime now = std::chrono::steady_clock::now();
    for (int number : node.ranks) {
        Rank &rank = m_ranks[number];
        const auto before = looksOf(rank.alive, rank.process);
        const auto found = sorted.ranks.find(number);
        if (found != sorted.ranks.end()) {
            const bool another = !rank.process || rank.process->id != found->second.id;
            if (another) {
                rank.exitCode.reset();
                rank.error.reset();
            }
            if (another && rank.process) {  // the exit was the other one's
                rank.graceful = false;
                rank.gracefulAt.reset();
            }
            rank.process = found->second;
            rank.alive = true;
            rank.seenAlive = true;
            rank.gone.reset();
            rank.goneSince.reset();
            m_pids[{node.name, found->second.id.pid}] = number;
        } else if (rank.process) {
            if (rank.alive != false) {
                rank.gone = now;
                rank.goneSince = std::chrono::system_clock::now();
            }
            rank.alive = false;
        } else if (rank.graceful || now - rank.sampled > std::chrono::seconds(30)) {
            // Never seen, and silent or by its own log on its way out: not running. A rank that goes on logging but
            // cannot be told in /proc stays unknown.
            rank.alive = false;
        } else {
            rank.alive.reset();
        }
        if (looksOf(rank.alive, rank.process) != before) changed.push_back(number);
    }
    return changed;
}

void RankMonitor::silent(const NodeSpec &node)
{
    for (int number : node.ranks)
        if (Rank &rank = m_ranks[number]; rank.alive == true) rank.alive.reset();
}

void RankMonitor::logEvent(int number, const LogEvent &event, const std::string &path)
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
    } else if (event.kind == EventKind::error || event.kind == EventKind::uce || event.kind == EventKind::hcce) {
        const bool last = event.offset >= at->second.sampleOffset;
        if (last && !at->second.error)
            at->second.error = RankError{std::chrono::system_clock::now(), event.text, path, event.offset};
    }
}

void RankMonitor::attemptBegan(int attempt)
{
    if (attempt > 0) m_relaunched = std::chrono::steady_clock::now();
    for (auto &[number, rank] : m_ranks) {
        rank.graceful = false;
        rank.gracefulAt.reset();
        rank.resumed.reset();
        rank.exitCode.reset();
        rank.error.reset();
        rank.sampleOffset = 0;
        rank.gone.reset();
        rank.goneSince.reset();
        rank.seenAlive = rank.alive == true;
        if (rank.alive == true) continue;
        rank.process.reset();  // of the attempt before; the new one is not seen yet
        rank.alive.reset();
    }
}

bool RankMonitor::running() const
{
    const auto mayRun = [](const auto &entry) { return !entry.second.alive && entry.second.seenAlive; };
    return anyAlive() || std::any_of(m_ranks.begin(), m_ranks.end(), mayRun) ||
           (m_relaunched && std::chrono::steady_clock::now() - *m_relaunched < std::chrono::seconds(15));
}

void RankMonitor::samplesCame(int number, std::uint64_t lastOffset)
{
    const auto at = m_ranks.find(number);
    if (at == m_ranks.end()) return;
    Rank &rank = at->second;
    rank.sampled = std::chrono::steady_clock::now();
    rank.sampleOffset = std::max(rank.sampleOffset, lastOffset);
    if (rank.error && rank.error->logOffset < rank.sampleOffset) rank.error.reset();  // it went on
}

bool RankMonitor::tick()
{
    const SteadyTime now = std::chrono::steady_clock::now();
    bool certain = false;
    for (auto &[number, rank] : m_ranks) {
        if (!rank.gone || now - *rank.gone < lastLines) continue;
        rank.gone.reset();
        certain = true;
    }
    return certain;
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
    state.error = rank.error;
    state.seenAlive = rank.seenAlive;
    state.leaving = rank.gone.has_value();
    state.goneSince = rank.goneSince;
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
