// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/rank_processes.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/ended_pods.h"
#include "core/recover/host/job_places.h"

#include <algorithm>

namespace rankdeck {

namespace {

RankProcess truthOf(const RankState &rank, const JobProcesses &node, const std::vector<ProcessInfo> &all)
{
    RankProcess truth{.rank = rank.rank, .node = rank.node, .alive = rank.alive, .process = rank.process};
    if (node.problem) return truth;
    if (const auto found = node.ranks.find(rank.rank); found != node.ranks.end()) {
        truth.alive = true;
        truth.process = found->second;
        return truth;
    }
    if (const auto found = node.unsure.find(rank.rank); found != node.unsure.end()) {
        truth.alive = true;
        truth.sure = false;
        truth.process = found->second;
        return truth;
    }
    truth.gone = rank.alive.isNo() || rank.seenAlive || rank.exitCode.has_value();
    if (!rank.process) return truth;
    // The job state knows this process from another source: checks that the same process still runs.
    const auto same = std::find_if(all.begin(), all.end(), [&](const ProcessInfo &other) {
        return other.id.pid == rank.process->id.pid && other.id.startTicks == rank.process->id.startTicks &&
               isRunning(other);
    });
    truth.alive = same != all.end();
    truth.gone = same == all.end();
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

std::vector<std::string> rankEnvNames()
{
    std::vector<std::string> names = namesOf(&RankVariables::telling);
    std::vector<std::string> more = namesOf(&RankVariables::worldSize);
    for (std::string &name : namesOf(&RankVariables::masterPort)) more.push_back(std::move(name));
    more.emplace_back(jobMarkName);
    for (std::string &name : more)
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    return names;
}

std::vector<std::string> actEnvNames()
{
    std::vector<std::string> names = rankEnvNames();
    names.emplace_back("SLURM_JOB_ID");
    names.emplace_back("PATH");  // set in every environment: launchers are always found
    return names;
}

std::string jobMark(const Job &job) { return job.name + "@" + withoutSlash(job.launch.workdir); }

std::vector<int> ProcessSnapshot::ranksAlive() const
{
    std::vector<int> alive;
    for (const RankProcess &truth : ranks)
        if (truth.alive.isYes()) alive.push_back(truth.rank);
    return alive;
}

bool isLive(const JobState &view, const std::string &node)
{
    return std::any_of(view.nodes.begin(), view.nodes.end(), [&](const NodeStatus &status) {
        return status.name == node && status.state == NodeState::live;
    });
}

Error unanswered(const JobState &view, const std::string &node, Error error)
{
    if (isLive(view, node) && error.kind == ErrorKind::unreachable) error.kind = ErrorKind::timeout;
    return error;
}

ProcessSnapshot askProcesses(ActionContext &host, const JobState &view, SteadyTime deadline)
{
    std::map<std::string, Reply<ProcessList>> replies;
    for (const NodeSpec &node : view.job.nodes)
        if (NodeClient *client =
                podHasEnded(view, node.name) || podIsGone(view, node.name) ? nullptr : host.node(node.name)) {
            ProcessQuery query{
                .envNames = actEnvNames(), .paths = logsOfRanks(view.job, node), .everyDescriptor = true};
            for (const RankState &rank : view.ranks)  // the process may have overwritten its environment since
                if (rank.node == node.name && rank.process) query.pids.push_back(rank.process->id.pid);
            replies[node.name] = client->findProcesses(std::move(query));
        }

    ProcessSnapshot picture;
    std::map<std::string, std::vector<ProcessInfo>> all;
    for (const NodeSpec &node : view.job.nodes) {
        if (podHasEnded(view, node.name)) {  // the cluster reports that no process is left
            picture.nodes[node.name] = {};
            continue;
        }
        if (podIsGone(view, node.name)) {  // its stand-in sees its files, but not its processes
            picture.nodes[node.name].problem = fail(ErrorKind::unreachable, message("the pod no longer exists"));
            continue;
        }
        auto reply = waitFor(replies[node.name], deadline, node.name);
        if (reply) {
            all[node.name] = std::move(reply->processes);
            JobProcesses &sorted = picture.nodes[node.name] = sortProcesses(view.job, node, all[node.name]);
            sorted.complete = reply->complete;
        } else {
            picture.nodes[node.name].problem = unanswered(view, node.name, reply.error());
        }
    }
    for (const RankState &rank : view.ranks)
        picture.ranks.push_back(podHasEnded(view, rank.node)
                                    ? RankProcess{.rank = rank.rank, .node = rank.node, .gone = true, .alive = false}
                                    : truthOf(rank, picture.nodes[rank.node], all[rank.node]));
    return picture;
}

}  // namespace rankdeck
