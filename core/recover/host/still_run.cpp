// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/still_run.h"

#include "core/node/wait_for.h"
#include "core/recover/action_context.h"
#include "core/recover/host/rank_processes.h"

#include <algorithm>
#include <map>

namespace rankdeck {

std::vector<Known> stillRun(ActionContext &host, const std::vector<NodeProcess> &processes, SteadyTime deadline)
{
    std::map<std::string, std::vector<int>> pids;
    for (const NodeProcess &one : processes) pids[one.node].push_back(one.process.pid);
    std::map<std::string, Reply<ProcessList>> replies;
    for (const auto &[name, wanted] : pids)
        if (NodeClient *node = host.node(name)) replies[name] = node->findProcesses({.pids = wanted});
    std::map<std::string, std::vector<ProcessInfo>> answers;
    for (auto &[name, reply] : replies)
        if (auto found = waitFor(reply, deadline, name)) answers[name] = std::move(found->processes);
    std::vector<Known> run;
    for (const NodeProcess &one : processes) {
        const auto answer = answers.find(one.node);
        if (answer == answers.end())
            run.emplace_back();
        else
            run.emplace_back(std::any_of(answer->second.begin(), answer->second.end(), [&](const ProcessInfo &process) {
                return isRunning(process) && process.id.pid == one.process.pid &&
                       process.id.startTicks == one.process.startTicks;
            }));
    }
    return run;
}

}  // namespace rankdeck
