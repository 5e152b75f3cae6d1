// SPDX-License-Identifier: GPL-3.0-or-later
// One process per rank, each told who it is the way MindSpore's dynamic cluster and hand-written launchers tell it.
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

namespace rankdeck {

LaunchPlan planCommand(const RecipeInput &input)
{
    const Job &job = input.view.job;
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
                                         .runDirectory = runDirectory(job),
                                         .argv = std::move(argv.value()),
                                         .env = environmentOfRank(input.view, *node, rank),
                                         .workdir = job.launch.workdir,
                                         .output = std::move(output.value())});
        }
        plan.nodes.push_back(std::move(nodePlan));
    }
    return plan;
}

}  // namespace rankdeck
