// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/rank_processes.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/job_places.h"

#include <algorithm>
#include <charconv>

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

// By its log: the kernel's word for fd 1 of the process, which no environment can contradict.
std::optional<int> rankByLog(const Job &job, const NodeSpec &node, const ProcessInfo &process)
{
    if (job.logs.path.empty() || process.stdoutPath.empty()) return {};
    for (const int rank : node.ranks) {
        const auto path = pathOfRank(job, job.logs.path, rank);
        if (path && path.value() == process.stdoutPath) return rank;
    }
    return {};
}

bool inWorkdir(const Job &job, const NodeSpec &node, const ProcessInfo &process)
{
    return !job.launch.workdir.empty() && process.cwd == workdirOn(job, node);
}

std::optional<int> rankByEnvironment(const Job &job, const NodeSpec &node, const ProcessInfo &process)
{
    if (!inWorkdir(job, node, process)) return {};
    const std::optional<int> rank = rankByVariables(process);
    if (!rank || std::find(node.ranks.begin(), node.ranks.end(), *rank) == node.ranks.end()) return {};
    return rank;
}

bool isOther(const Job &job, const NodeSpec &node, const ProcessInfo &process)
{
    return isRunning(process) && process.comm != "tail" && inWorkdir(job, node, process) &&
           (isScheduler(process.env) || isLauncher(process));
}

bool isRank(const JobProcesses &sorted, const ProcessInfo &process)
{
    return std::any_of(sorted.ranks.begin(), sorted.ranks.end(),
                       [&](const auto &rank) { return rank.second.id.pid == process.id.pid; });
}

bool isOther(const JobProcesses &sorted, int pid)
{
    return std::any_of(sorted.others.begin(), sorted.others.end(),
                       [pid](const ProcessInfo &other) { return other.id.pid == pid; });
}

// What hangs on the ranks wherever it was started: the launcher that is a rank's parent, and the tails that msrun keeps
// per worker, which outlive it for ever.
void addRelatives(JobProcesses &sorted, const std::vector<ProcessInfo> &processes)
{
    for (const ProcessInfo &process : processes) {
        const bool parent = std::any_of(sorted.ranks.begin(), sorted.ranks.end(),
                                        [&](const auto &rank) { return rank.second.parent == process.id.pid; });
        if (isRunning(process) && parent && isLauncher(process) && !isOther(sorted, process.id.pid))
            sorted.others.push_back(process);
    }
    for (const ProcessInfo &process : processes)
        if (isRunning(process) && process.comm == "tail" && isOther(sorted, process.parent))
            sorted.others.push_back(process);
}

RankProcess truthOf(const RankState &rank, const JobProcesses &node, const std::vector<ProcessInfo> &all)
{
    RankProcess truth{.rank = rank.rank, .node = rank.node, .alive = rank.alive, .process = rank.process};
    if (node.problem) return truth;
    if (const auto found = node.ranks.find(rank.rank); found != node.ranks.end()) {
        truth.alive = true;
        truth.process = found->second;
        return truth;
    }
    if (!rank.process) return truth;
    // The view told the process by other means: is that very one still there?
    const auto same = std::find_if(all.begin(), all.end(), [&](const ProcessInfo &other) {
        return other.id.pid == rank.process->id.pid && other.id.startTicks == rank.process->id.startTicks &&
               isRunning(other);
    });
    truth.alive = same != all.end();
    if (same != all.end()) truth.process = *same;
    return truth;
}

}  // namespace

bool isRunning(const ProcessInfo &process) { return process.state != 'Z' && process.state != 'X'; }

bool isLauncher(const ProcessInfo &process)
{
    return launcherNamed(process.comm) ||
           std::any_of(process.argv.begin(), process.argv.end(),
                       [](const std::string &argument) { return launcherNamed(baseName(argument)); });
}

std::optional<int> rankByVariables(const ProcessInfo &process) { return rankByLauncher(process.env); }

std::vector<std::string> rankEnvNames() { return namesOf(&RankVariables::telling); }

std::vector<std::string> actEnvNames()
{
    std::vector<std::string> names = rankEnvNames();
    names.emplace_back("SLURM_JOB_ID");
    names.emplace_back("PATH");  // everything has one: launchers are found whatever their environment
    return names;
}

JobProcesses sortProcesses(const Job &job, const NodeSpec &node, const std::vector<ProcessInfo> &processes)
{
    JobProcesses sorted;
    std::map<int, int> rankOfPid;
    for (const ProcessInfo &process : processes) {
        if (!isRunning(process) || process.comm == "tail" || isScheduler(process.env) || isLauncher(process)) continue;
        std::optional<int> rank = rankByLog(job, node, process);
        if (!rank) rank = rankByEnvironment(job, node, process);
        if (rank) rankOfPid[process.id.pid] = *rank;
    }
    for (const ProcessInfo &process : processes) {
        if (isOther(job, node, process)) sorted.others.push_back(process);
        const auto found = rankOfPid.find(process.id.pid);
        if (found == rankOfPid.end()) continue;
        const auto parent = rankOfPid.find(process.parent);
        if (parent != rankOfPid.end() && parent->second == found->second) continue;  // a data loader of that rank
        sorted.ranks.emplace(found->second, process);
    }
    addRelatives(sorted, processes);
    for (const ProcessInfo &process : processes) {
        const bool tells = hasRankVariables(process.env);
        // Two nodes may be one machine: what is of the other one's rank is not this one's.
        std::optional<int> rank = rankByVariables(process);
        if (!rank) rank = numberOf(envOf(process, "RANK_ID"));
        const bool elsewhere = rank && std::find(node.ranks.begin(), node.ranks.end(), *rank) == node.ranks.end();
        const bool ours = !elsewhere && (rankOfPid.contains(process.id.pid) || inWorkdir(job, node, process));
        if (isRunning(process) && tells && ours && !isOther(sorted, process.id.pid) && !isRank(sorted, process))
            sorted.leftovers.push_back(process);
    }
    return sorted;
}

std::vector<int> ProcessSnapshot::ranksAlive() const
{
    std::vector<int> alive;
    for (const RankProcess &truth : ranks)
        if (truth.alive == true) alive.push_back(truth.rank);
    return alive;
}

ProcessSnapshot askProcesses(ActionContext &host, const JobState &view, SteadyTime deadline)
{
    std::map<std::string, Reply<std::vector<ProcessInfo>>> replies;
    for (const NodeSpec &node : view.job.nodes)
        if (NodeClient *client = host.node(node.name)) replies[node.name] = client->processes(actEnvNames());

    ProcessSnapshot picture;
    std::map<std::string, std::vector<ProcessInfo>> all;
    for (const NodeSpec &node : view.job.nodes) {
        auto reply = waitFor(replies[node.name], deadline, node.name);
        if (reply) {
            all[node.name] = std::move(reply.value());
            picture.nodes[node.name] = sortProcesses(view.job, node, all[node.name]);
        } else {
            picture.nodes[node.name].problem = reply.error();
        }
    }
    for (const RankState &rank : view.ranks)
        picture.ranks.push_back(truthOf(rank, picture.nodes[rank.node], all[rank.node]));
    return picture;
}

}  // namespace rankdeck
