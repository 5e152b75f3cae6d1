// SPDX-License-Identifier: GPL-3.0-or-later
// One mpirun of Open MPI (4.1) on the first node, which starts its own daemons on the other nodes over ssh. It numbers
// the ranks along --host. mpirun passes on no environment and would mix all output into its own. Therefore each rank
// takes its log, environment and command from a table, by its number.
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/cluster/rank_table.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

// True if the ranks are numbered 0, 1, 2 … along the nodes, in the order of the nodes.
bool numberedAlongNodes(const std::vector<const NodeSpec *> &nodes, int ranks)
{
    int next = 0;
    for (const NodeSpec *node : nodes)
        for (const int rank : node->ranks)
            if (rank != next++) return false;
    return next == ranks && next > 0;
}

// The name by which the first node reaches that node. It is the node's own host name, because the console's ssh names
// may be unknown there.
std::string hostOf(const JobState &view, const NodeSpec &node)
{
    for (const NodeStatus &status : view.nodes)
        if (status.name == node.name && !status.facts.hostName.empty()) return status.facts.hostName;
    const std::size_t at = node.host.rfind('@');
    return at == std::string::npos ? node.host : node.host.substr(at + 1);
}

std::optional<Finding> wrongOrder(const Job &job, const std::vector<const NodeSpec *> &nodes)
{
    if (!numberedAlongNodes(nodes, job.ranks()))
        return refusal("recipe_ranks",
                       message("mpirun numbers ranks node by node: expected 0 to %1 in the order of the nodes, found a "
                               "different order",
                               std::to_string(job.ranks() - 1)),
                       message("order the ranks in the job file that way, or use the recipe \"command\""));
    for (const NodeSpec *node : nodes)
        if (workdirOn(job, *node) != workdirOn(job, *nodes.front()))
            return refusal("recipe_paths",
                           message("mpirun starts all ranks in one directory: expected %1 on node %2 too, found %3",
                                   printable(workdirOn(job, *nodes.front())), printable(node->name),
                                   printable(workdirOn(job, *node))),
                           message("use the same launch.workdir on all nodes, or use the recipe \"command\""));
    return {};
}

std::string hostList(const JobState &view, const std::vector<const NodeSpec *> &nodes)
{
    std::string list;
    for (const NodeSpec *node : nodes)
        list += (list.empty() ? "" : ",") + (nodes.size() == 1 ? "localhost" : hostOf(view, *node)) + ":" +
                std::to_string(node->ranks.size());
    return list;
}

// The options --host, --map-by and -np determine the numbers of the ranks. --bind-to none, because data loaders need
// more than one core.
std::vector<std::string> argvOf(const RecipeInput &input, const std::vector<const NodeSpec *> &nodes,
                                const std::string &program)
{
    const Job &job = input.view.job;
    // clang-format off
    std::vector<std::string> argv{
        "mpirun", "--allow-run-as-root", "-np", std::to_string(job.ranks()), "--host", hostList(input.view, nodes), "--map-by", "slot",
        "-x", jobMarkName, "-x", "RANKDECK_LAUNCH_ID"};  // these identify its ranks on other nodes as this job's
    // clang-format on
    const std::vector<std::string> options = optionsOn(job, *nodes.front());
    if (std::find(options.begin(), options.end(), "--bind-to") == options.end())
        argv.insert(argv.end(), {"--bind-to", "none"});
    argv.insert(argv.end(), options.begin(), options.end());
    argv.insert(argv.end(), {"python3", program});
    return argv;
}

}  // namespace

LaunchPlan planMpirun(const RecipeInput &input)
{
    const Job &job = input.view.job;
    LaunchPlan plan;
    const auto nodes = nodesByRank(job);
    if (auto wrong = wrongOrder(job, nodes)) {
        plan.findings.push_back(std::move(*wrong));
        return plan;
    }
    const auto ranks = rankProgram(input, "mpirun", "OMPI_COMM_WORLD_RANK", false);
    if (!ranks) {
        plan.findings.push_back(refusal("placeholder", ranks.error().message,
                                        message("correct launch.command or logs.path in the job file")));
        return plan;
    }
    for (const NodeSpec *node : nodes) {
        // With shared paths, the first node writes the files for all nodes.
        const bool first = plan.nodes.empty();
        const std::string directory = joinPath(joinPath(ownDirectory(job, node), "batch"), input.id);
        NodePlan own{.node = node->name};
        if (first || !job.pathsShared) {
            own.files = {{.action = FileAction::makeDirectory, .path = directory}};
            own.edits = {newFile(joinPath(directory, "rank.py"), ranks.value())};
        }
        plan.programs[node->name] = {"python3"};
        if (first)
            own.launches = {{.id = launchId(input.id, node->name),
                             .runDirectory = runDirectory(job, node),
                             .argv = argvOf(input, nodes, joinPath(directory, "rank.py")),
                             .env = launchEnvironment(input, *node),
                             .workdir = workdirOn(job, *node),
                             .output = joinPath(runDirectory(job, node), input.id + ".mpirun.out")}};
        plan.nodes.push_back(std::move(own));
    }
    return plan;
}

}  // namespace rankdeck
