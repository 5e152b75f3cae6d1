// SPDX-License-Identifier: GPL-3.0-or-later
// One process per rank, each told who it is the way MindSpore's dynamic cluster and hand-written launchers tell it; for
// several ranks of MindSpore without a rank table also the scheduler at which they meet, as msrun starts it.
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

namespace rankdeck {
namespace {

// The same program as a rank, in the role of the scheduler; its log lies beside the ranks'.
LaunchRequest schedulerOf(const RecipeInput &input, const NodeSpec &node, const LaunchRequest &rank)
{
    LaunchRequest scheduler = rank;
    scheduler.id = launchId(input.id, "scheduler");
    scheduler.output = joinPath(dirName(rank.output), "scheduler.log");
    for (const char *name : {"DEVICE_ID", "MS_NODE_ID"})
        if (!launchEnvironment(input.view.job, node).contains(name)) scheduler.env.erase(name);
    scheduler.env["MS_ROLE"] = "MS_SCHED";
    scheduler.env["RANK_ID"] = "0";
    return scheduler;
}

}  // namespace

LaunchPlan planCommand(const RecipeInput &input)
{
    const Job &job = input.view.job;
    const bool scheduler = needsScheduler(job);
    LaunchPlan plan;
    for (const NodeSpec *node : nodesByRank(job)) {
        NodePlan nodePlan{.node = node->name};
        for (const int rank : node->ranks) {
            auto argv = argvOfRank(input, rank);
            auto output = pathOfRank(job, job.logs.path, rank);
            if (!argv || !output) {
                const Error &error = !argv ? argv.error() : output.error();
                plan.findings.push_back(
                    refusal("placeholder", error.message, "correct launch.command or logs.path in the job file"));
                return plan;
            }
            nodePlan.launches.push_back({.id = launchId(input.id, "rank" + std::to_string(rank)),
                                         .runDirectory = runDirectory(job, node),
                                         .argv = std::move(argv.value()),
                                         .env = environmentOfRank(input.view, *node, rank),
                                         .workdir = workdirOn(job, *node),
                                         .output = std::move(output.value())});
            if (!scheduler) continue;
            tellScheduler(nodePlan.launches.back().env, input.view);
            if (plan.masterNode.empty()) {
                plan.masterNode = node->name;
                plan.masterPort = job.launch.masterPort;
                const LaunchRequest first = nodePlan.launches.back();
                nodePlan.launches.insert(nodePlan.launches.begin(), schedulerOf(input, *node, first));
            }
        }
        plan.nodes.push_back(std::move(nodePlan));
    }
    return plan;
}

}  // namespace rankdeck
