// SPDX-License-Identifier: GPL-3.0-or-later
// One process per rank. Each process gets its rank in the way that MindSpore's dynamic cluster and hand-written
// launchers use. If several MindSpore ranks have no rank table, they also get the address of their common scheduler, as
// msrun starts it. A command that starts the ranks of its node itself (launch.per_node) runs once on each node and gets
// no rank number.
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

namespace rankdeck {
namespace {

// Log of the command itself, beside those of the ranks.
std::string outputOfNode(const RecipeInput &input, const NodeSpec &node)
{
    const Job &job = input.view.job;
    if (!job.logs.launcher.empty()) return textOnNode(job.logs.launcher, job, node);
    return joinPath(runDirectory(job, &node), launchId(input.id, node.name) + ".out");
}

Result<LaunchRequest> launchOf(const RecipeInput &input, const NodeSpec &node, int rank)
{
    const Job &job = input.view.job;
    const bool wrapper = startsItsRanks(job);
    auto argv = argvOfRank(input, rank);
    if (!argv) return argv.error();
    auto output = wrapper ? Result<std::string>(outputOfNode(input, node)) : pathOfRank(job, job.logs.path, rank);
    if (!output) return output.error();
    return LaunchRequest{.id = launchId(input.id, wrapper ? node.name : "rank" + std::to_string(rank)),
                         .runDirectory = runDirectory(job, &node),
                         .argv = std::move(argv.value()),
                         .env = environmentOfRank(input, node, rank),
                         .workdir = workdirOn(job, node),
                         .output = std::move(output.value())};
}

// The same program as a rank, in the role of the scheduler; its log is beside those of the ranks.
LaunchRequest schedulerOf(const RecipeInput &input, const NodeSpec &node, const LaunchRequest &rank)
{
    LaunchRequest scheduler = rank;
    scheduler.id = launchId(input.id, "scheduler");
    scheduler.output = joinPath(dirName(rank.output), "scheduler.log");
    scheduler.env = schedulerEnvironment(input, node);
    tellScheduler(scheduler.env, input.view, schedulerAddress(input.view));
    return scheduler;
}

}  // namespace

LaunchPlan planCommand(const RecipeInput &input)
{
    const Job &job = input.view.job;
    const bool scheduler = needsScheduler(job);
    LaunchPlan plan;
    if (scheduler && schedulerAddress(input.view).empty())
        plan.findings.push_back(refusal("scheduler_address",
                                        message("MindSpore needs the IP address of its scheduler, found the name %1",
                                                printable(masterAddress(input.view))),
                                        message("set launch.master_addr to the IP address of the first node")));
    for (const NodeSpec *node : nodesByRank(job)) {
        NodePlan nodePlan{.node = node->name};
        for (const int rank : node->ranks) {
            if (startsItsRanks(job) && rank != node->ranks.front()) break;
            auto launch = launchOf(input, *node, rank);
            if (!launch) {
                plan.findings.push_back(refusal("placeholder", launch.error().message,
                                                message("correct launch.command or logs.path in the job file")));
                return plan;
            }
            if (scheduler) tellScheduler(launch->env, input.view, schedulerAddress(input.view));
            if (scheduler && plan.masterNode.empty()) {
                plan.masterNode = node->name;
                plan.masterPort = job.launch.masterPort;
                nodePlan.launches.push_back(schedulerOf(input, *node, *launch));
            }
            nodePlan.launches.push_back(std::move(launch.value()));
        }
        plan.nodes.push_back(std::move(nodePlan));
    }
    return plan;
}

}  // namespace rankdeck
