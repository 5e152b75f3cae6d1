// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts a node's processes: the job's ranks, the processes around them, and leftovers.
#include "core/recover/host/rank_processes.h"

#include "core/base/text.h"
#include "core/framework/frameworks.h"
#include "core/recover/host/job_places.h"
#include "core/recover/host/programs.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace rankdeck {

namespace {

std::string envOf(const ProcessInfo &process, const std::string &name)
{
    const auto found = process.env.find(name);
    return found == process.env.end() ? std::string() : found->second;
}

std::optional<int> numberOf(const std::string &text)
{
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return {};
    return number;
}

bool inWorkdir(const Job &job, const NodeSpec &node, const ProcessInfo &process)
{
    return !job.launch.workdir.empty() && process.cwd == workdirOn(job, node);
}

bool isScheduler(const ProcessInfo &process) { return rankdeck::isScheduler(process.env); }

// Sorts the processes of one node into this job's and others'.
class Sorter {
public:
    Sorter(const Job &job, const NodeSpec &node, const std::vector<ProcessInfo> &processes)
        : m_job(job), m_node(node), m_processes(processes), m_mark(jobMark(job))
    {
        for (const int rank : node.ranks)
            if (const auto path = pathOfRank(job, job.logs.path, rank); path && !path->empty()) {
                m_rankOfLog.emplace(*path, rank);
                m_logDirectories.insert(dirName(*path));
            }
        for (const ProcessInfo &process : processes) {
            m_byPid[process.id.pid] = &process;
            if (rankdeck::isLauncher(process)) m_launchers.insert(process.id.pid);
        }
        for (const ProcessInfo &process : processes)
            if (isFilter(process)) m_filters.insert(process.id.pid);
    }

    JobProcesses sort()
    {
        followFilters();
        for (const ProcessInfo &process : m_processes) {
            if (isRunning(process) && (vouchedByMark(process) || rankByLog(process) || besideLogs(process)))
                m_sure.insert(process.id.pid);
        }
        findRanks();
        findLaunchers();
        findUnsure();
        for (const ProcessInfo &process : m_processes) {
            const bool ours = tells(process) || (m_filters.contains(process.id.pid) && m_sure.contains(process.id.pid));
            if (!isRunning(process) || !ours || elsewhere(process) || m_taken.contains(process.id.pid)) continue;
            if (m_sure.contains(process.id.pid) || hangsOn(process, m_sure) || isBelowARank(process))
                m_sorted.leftovers.push_back(process);
        }
        return std::move(m_sorted);
    }

private:
    bool marked(const ProcessInfo &process) const { return envOf(process, jobMarkName) == m_mark; }

    // A script passes its environment on to all its children, for example to an evaluation that writes its own log.
    bool isStrayed(const ProcessInfo &process) const
    {
        return marked(process) && contradicts(process) && !writesBesideLogs(process) && !isLauncher(process) &&
               !isScheduler(process);
    }

    // True if it writes to a renamed log that is still in use, or to the output file of one of our launches.
    bool writesBesideLogs(const ProcessInfo &process) const
    {
        const std::string &path = process.stdoutPath;
        return path.starts_with(ownDirectory(m_job, &m_node) + "/") ||
               std::any_of(m_logDirectories.begin(), m_logDirectories.end(), [&](const std::string &directory) {
                   return path.starts_with(directory + "/") ||
                          path.starts_with(joinPath(dirName(directory), "rankdeck/"));
               });
    }

    bool vouchedByMark(const ProcessInfo &process) const { return marked(process) && !isStrayed(process); }

    const ProcessInfo *feederOf(int pid) const
    {
        const auto found = m_byPid.find(pid);
        return found == m_byPid.end() || !isRunning(*found->second) ? nullptr : found->second;
    }

    // A program between ranks and their log: one made for that purpose, or any program that reads a rank's output.
    bool isFilter(const ProcessInfo &process) const
    {
        if (process.comm == "tee") return true;
        if (process.feeders.empty()) return false;
        return isFilterProgram(process.comm) ||
               std::any_of(process.feeders.begin(), process.feeders.end(), [&](int pid) {
                   const ProcessInfo *feeder = feederOf(pid);
                   return feeder && hasRankVariables(feeder->env) && !isFilterProgram(feeder->comm) &&
                          !isUtility(feeder->comm);
               });
    }

    // Collects the processes that write to the log through this filter and the filters before it.
    void follow(const ProcessInfo &filter, int rank)
    {
        for (const int pid : filter.feeders) {
            const ProcessInfo *feeder = feederOf(pid);
            if (!feeder || !m_throughFilter.emplace(pid, rank).second || !m_filters.contains(pid)) continue;
            follow(*feeder, rank);
        }
    }

    void followFilters()
    {
        for (const ProcessInfo &process : m_processes)
            if (m_filters.contains(process.id.pid) && isRunning(process))
                if (const auto rank = rankByLog(process)) follow(process, *rank);
    }

    // The rank whose log the kernel shows as open in this process; no environment can contradict this.
    std::optional<int> rankByLog(const ProcessInfo &process) const
    {
        if (const auto through = m_throughFilter.find(process.id.pid); through != m_throughFilter.end())
            return through->second;
        const std::set<int> ranks = ranksOfLogs(process);
        return ranks.empty() ? std::nullopt : std::optional(*ranks.begin());
    }

    std::set<int> ranksOfLogs(const ProcessInfo &process) const
    {
        std::set<int> ranks;
        const auto look = [&](const std::string &path) {
            if (const auto log = m_rankOfLog.find(path); log != m_rankOfLog.end()) ranks.insert(log->second);
        };
        look(process.stdoutPath);
        look(process.stderrPath);
        for (const std::string &path : process.openPaths) look(path);
        return ranks;
    }

    bool isLauncher(const ProcessInfo &process) const { return m_launchers.contains(process.id.pid); }

    // True if the scheduler or the launcher writes beside the logs, or if the launcher's arguments name the log
    // directory.
    bool besideLogs(const ProcessInfo &process) const
    {
        if (isScheduler(process) && !process.stdoutPath.empty() &&
            m_logDirectories.contains(dirName(process.stdoutPath)))
            return true;
        return isLauncher(process) &&
               std::any_of(m_logDirectories.begin(), m_logDirectories.end(), [&](const std::string &directory) {
                   return process.stdoutPath.starts_with(joinPath(dirName(directory), "rankdeck/msrun-")) ||
                          std::any_of(process.argv.begin(), process.argv.end(), [&](const std::string &word) {
                              return word.starts_with("--log_dir=") &&
                                     sameDirectory(word.substr(10), directory, process);
                          });
               });
    }

    static bool sameDirectory(std::string named, const std::string &directory, const ProcessInfo &process)
    {
        named = withoutSlash(std::move(named));
        if (!named.starts_with("/")) named = joinPath(process.cwd, named.starts_with("./") ? named.substr(2) : named);
        return named == directory;
    }

    // The first process, from this one upwards, that passes the test; nullptr: none found.
    template <typename Test>
    const ProcessInfo *firstAbove(const ProcessInfo &process, const Test &test) const
    {
        const ProcessInfo *at = &process;
        for (int steps = 0; steps < 32; ++steps) {
            if (test(*at)) return at;
            const auto parent = m_byPid.find(at->parent);
            if (at->parent <= 1 || parent == m_byPid.end()) return nullptr;
            at = parent->second;
        }
        return nullptr;
    }

    // True for a process of another job that was started by a script or program around this job's ranks. Its output is
    // elsewhere, and nothing else shows that it belongs to this job.
    bool isOfAnother(const ProcessInfo &process) const
    {
        return contradicts(process) && !marked(process) && !rankByLog(process) && !isLauncher(process) &&
               !isScheduler(process);
    }

    // Checks the chain of parents. If the chain leads through another job's process, only this job's launcher above
    // that process counts.
    bool hangsOn(const ProcessInfo &process, const std::set<int> &pids) const
    {
        const auto isOne = [&](const ProcessInfo &at) { return &at != &process && pids.contains(at.id.pid); };
        const ProcessInfo *end = firstAbove(process, [&](const auto &at) { return isOne(at) || isOfAnother(at); });
        if (end == nullptr) return false;
        if (isOne(*end)) return true;
        const ProcessInfo *launcher = firstAbove(*end, [&](const auto &at) { return isLauncher(at); });
        return launcher != nullptr && pids.contains(launcher->id.pid);
    }

    bool isBelowARank(const ProcessInfo &process) const
    {
        return firstAbove(process, [&](const auto &at) { return &at != &process && isRankPid(at.id.pid); }) != nullptr;
    }

    // Two nodes of the job may be one machine. True if the process belongs to a rank of another node.
    bool elsewhere(const ProcessInfo &process) const
    {
        std::optional<int> rank = rankByVariables(process);
        if (!rank) rank = numberOf(envOf(process, "RANK_ID"));
        return rank && !here(*rank);
    }
    bool here(int rank) const
    {
        return std::find(m_node.ranks.begin(), m_node.ranks.end(), rank) != m_node.ranks.end();
    }

    bool mayBeRank(const ProcessInfo &process) const
    {
        return isRunning(process) && process.comm != "tail" && !m_filters.contains(process.id.pid) &&
               !isScheduler(process) && !isLauncher(process);
    }

    bool tells(const ProcessInfo &process) const { return hasRankVariables(process.env); }

    // Rank by the open log; otherwise by the environment variables, if a parent belongs to this job. A process with
    // several open logs is a launcher of ranks.
    std::optional<int> mayBeRankOf(const ProcessInfo &process) const
    {
        if (!mayBeRank(process)) return {};
        const bool family = m_sure.contains(process.id.pid) || hangsOn(process, m_sure);
        std::optional<int> rank = ranksOfLogs(process).size() > 1 ? std::nullopt : rankByLog(process);
        if (!rank && family) rank = rankByVariables(process);
        return rank && here(*rank) ? rank : std::nullopt;
    }

    // Calls act for each parent that may be the same rank, from the nearest upwards.
    template <typename Act>
    void eachAbove(const ProcessInfo &process, int rank, const Act &act) const
    {
        int above = process.parent;
        for (int steps = 0; above > 1 && steps < 32; ++steps) {
            const auto parent = m_byPid.find(above);
            if (parent == m_byPid.end()) return;
            const auto may = m_rankOfPid.find(above);
            if (may != m_rankOfPid.end() && may->second == rank) act(*parent->second);
            above = parent->second->parent;
        }
    }

    // Drops the utilities that a script runs beside its rank, if another process may be that rank.
    void leaveOutUtilities()
    {
        const auto isUtilityPid = [&](int pid) { return isUtility(m_byPid.at(pid)->comm); };
        std::set<int> others;
        for (const auto &[pid, rank] : m_rankOfPid)
            if (!isUtilityPid(pid)) others.insert(rank);
        std::erase_if(m_rankOfPid,
                      [&](const auto &one) { return isUtilityPid(one.first) && others.contains(one.second); });
    }

    // Drops a script or program that once started a rank of this job and now runs a rank of another job.
    void leaveOutHostsOfOthers()
    {
        std::set<int> hosts;
        for (const ProcessInfo &process : m_processes) {
            if (!isRunning(process) || !tells(process) || !isOfAnother(process)) continue;
            if (const ProcessInfo *host =
                    firstAbove(process, [&](const auto &at) { return m_rankOfPid.contains(at.id.pid) && !tells(at); }))
                hosts.insert(host->id.pid);
        }
        std::erase_if(m_rankOfPid, [&](const auto &one) { return hosts.contains(one.first); });
    }

    // Finds shells and profilers around a rank, which write into the same log. A script that sets the variables for its
    // child does not have them in its own environment.
    void findWrappers()
    {
        for (const auto &[pid, rank] : m_rankOfPid) {
            const ProcessInfo &own = *m_byPid.at(pid);
            eachAbove(own, rank, [&, &child = own](const ProcessInfo &above) {
                const bool around = isWrapperProgram(above.comm) && !isWrapperProgram(child.comm);
                if (around || (tells(child) && !tells(above))) m_wrappers.insert(above.id.pid);
            });
        }
    }

    bool isBelowItsRank(const ProcessInfo &process, int rank) const
    {
        bool below = false;
        eachAbove(process, rank,
                  [&](const ProcessInfo &above) { below = below || !m_wrappers.contains(above.id.pid); });
        return below;
    }

    void findRanks()
    {
        for (const ProcessInfo &process : m_processes)
            if (const auto rank = mayBeRankOf(process)) m_rankOfPid[process.id.pid] = *rank;
        leaveOutUtilities();
        leaveOutHostsOfOthers();
        findWrappers();
        std::set<int> around;
        for (const ProcessInfo &process : m_processes) {
            const auto found = m_rankOfPid.find(process.id.pid);
            if (found == m_rankOfPid.end() || isBelowItsRank(process, found->second)) continue;  // a data loader
            m_sure.insert(process.id.pid);
            if (m_wrappers.contains(process.id.pid)) {
                around.insert(process.id.pid);
                continue;
            }
            if (m_sorted.ranks.emplace(found->second, process).second)
                m_taken.insert(process.id.pid);
            else if (process.parent > 1)  // without a parent it is a leftover data loader
                m_sorted.claims.emplace_back(found->second, process);
        }
        // Processes that started the ranks are ended together with them: the scripts around them, and parents that keep
        // their logs open.
        std::set<int> above;
        for (const auto &[rank, process] : m_sorted.ranks) takeAbove(process, above);
        for (const ProcessInfo &process : m_processes) {
            const bool keepsLogs = above.contains(process.id.pid) && !ranksOfLogs(process).empty();
            if (isRunning(process) && !isRankPid(process.id.pid) && (around.contains(process.id.pid) || keepsLogs))
                addOther(process);
        }
    }

    void takeAbove(const ProcessInfo &process, std::set<int> &pids) const
    {
        int above = process.parent;
        for (int steps = 0; above > 1 && steps < 32 && pids.insert(above).second; ++steps) {
            const auto parent = m_byPid.find(above);
            if (parent == m_byPid.end()) return;
            above = parent->second->parent;
        }
    }

    // The scheduler, the launcher above a rank, and the tails that msrun starts per worker, which outlive it.
    void findLaunchers()
    {
        std::set<int> above;
        for (const auto &[rank, process] : m_sorted.ranks) above.insert(process.parent);
        for (const ProcessInfo &process : m_processes)
            if (isRunning(process) && isLauncher(process) && above.contains(process.id.pid))
                m_sure.insert(process.id.pid);
        for (const ProcessInfo &process : m_processes) {
            const bool one = isScheduler(process) || isLauncher(process);
            if (isRunning(process) && one && process.comm != "tail" &&
                (m_sure.contains(process.id.pid) || hangsOn(process, m_sure)))
                addOther(process);
        }
        const std::set<int> launchers = m_taken;
        for (const ProcessInfo &process : m_processes)
            if (isRunning(process) && process.comm == "tail" && launchers.contains(process.parent) &&
                !isRankPid(process.parent))
                addOther(process);
    }

    bool isRankPid(int pid) const
    {
        return std::any_of(m_sorted.ranks.begin(), m_sorted.ranks.end(),
                           [pid](const auto &rank) { return rank.second.id.pid == pid; });
    }

    void addOther(const ProcessInfo &process)
    {
        if (m_taken.insert(process.id.pid).second) m_sorted.others.push_back(process);
    }

    // True if the process writes to a file that does not belong to this job, or belongs to a job of another size.
    bool contradicts(const ProcessInfo &process) const
    {
        if (process.stdoutPath.starts_with("/") && !process.stdoutPath.starts_with("/dev/")) return true;
        for (const std::string &name : m_sizeNames)
            if (const std::string size = envOf(process, name); !size.empty()) return numberOf(size) != m_job.ranks();
        return false;
    }

    void findUnsure()
    {
        for (const ProcessInfo &process : m_processes) {
            if (!mayBeRank(process) || !inWorkdir(m_job, m_node, process) || m_taken.contains(process.id.pid)) continue;
            const std::optional<int> rank = rankByVariables(process);
            if (!rank || !here(*rank) || m_sorted.ranks.contains(*rank) || meetsElsewhere(process)) continue;
            if (contradicts(process) && !marked(process)) continue;
            if (firstAbove(process, [&](const auto &at) { return isOfAnother(at); })) continue;
            m_sorted.unsure.emplace(*rank, process);
        }
    }

    std::string masterPort(const ProcessInfo &process) const
    {
        for (const std::string &name : m_portNames)
            if (std::string port = envOf(process, name); !port.empty()) return port;
        return {};
    }

    // True if it uses another port than this job's ranks: then it belongs to another job, which may have the same
    // directory and size.
    bool meetsElsewhere(const ProcessInfo &process) const
    {
        const std::string port = masterPort(process);
        return !port.empty() && std::any_of(m_sorted.ranks.begin(), m_sorted.ranks.end(), [&](const auto &rank) {
            const std::string ours = masterPort(rank.second);
            return !ours.empty() && ours != port;
        });
    }

    const Job &m_job;
    const NodeSpec &m_node;
    const std::vector<ProcessInfo> &m_processes;
    std::string m_mark;
    std::vector<std::string> m_sizeNames = namesOf(&RankVariables::worldSize);
    std::vector<std::string> m_portNames = namesOf(&RankVariables::masterPort);
    std::map<std::string, int> m_rankOfLog;
    std::set<std::string> m_logDirectories;
    std::map<int, const ProcessInfo *> m_byPid;
    std::set<int> m_launchers;
    std::set<int> m_filters;             // between a rank and its log
    std::map<int, int> m_rankOfPid;      // pid → possible rank
    std::set<int> m_wrappers;            // pids in m_rankOfPid that are around the rank itself
    std::map<int, int> m_throughFilter;  // pid → the rank into whose log it writes through a filter
    std::set<int> m_sure;                // pids that are this job's
    std::set<int> m_taken;               // ranks and other processes of this job
    JobProcesses m_sorted;
};

}  // namespace

JobProcesses sortProcesses(const Job &job, const NodeSpec &node, const std::vector<ProcessInfo> &processes)
{
    return Sorter(job, node, processes).sort();
}

}  // namespace rankdeck
