// SPDX-License-Identifier: GPL-3.0-or-later
// One torchrun per node with a static rendezvous, so that the ranks have the numbers of the job file. Each worker
// writes to its own log, because torchrun's console output would mix them.
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {

namespace {

// One-line wrapper of a worker: names its log by the rank that torchrun gave it, then becomes the command.
constexpr const char *logByRank = "import json,os,sys;p=json.loads(sys.argv[1])[os.environ['RANK']];"
                                  "os.makedirs(os.path.dirname(p[0]) or '.',exist_ok=True);"
                                  "f=os.open(p[0],os.O_WRONLY|os.O_CREAT|os.O_APPEND,0o644);os.dup2(f,1);os.dup2(f,2);"
                                  "os.execvp(p[1],p[1:])";

// One argument of a process can have at most 128 KiB (MAX_ARG_STRLEN).
constexpr std::size_t longestArgument = 128u << 10;

Result<std::string> commandsOf(const RecipeInput &input, const NodeSpec &node)
{
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    for (const int rank : node.ranks) {
        const auto argv = argvOfRank(input, rank);
        if (!argv) return argv.error();
        const auto log = pathOfRank(input.view.job, input.view.job.logs.path, rank);
        if (!log) return log;
        auto &words = all[std::to_string(rank)] = nlohmann::ordered_json::array({log.value()});
        for (const std::string &argument : argv.value()) words.push_back(argument);
    }
    std::string text = all.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
    if (text.size() >= longestArgument)
        return fail(
            ErrorKind::invalid,
            message("expected the commands of a node's ranks to fit into 128 KiB, found %1 bytes", text.size()));
    return text;
}

}  // namespace

LaunchPlan planTorchrun(const RecipeInput &input)
{
    const Job &job = input.view.job;
    LaunchPlan plan;
    const auto nodes = nodesByRank(job);
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        const NodeSpec &node = *nodes[index];
        if (node.ranks.size() != nodes.front()->ranks.size() ||
            node.ranks.front() != static_cast<int>(index * node.ranks.size())) {
            plan.findings.push_back(refusal(
                "recipe_ranks",
                message("torchrun numbers ranks node by node, with the same number on each node; found %1 on node %2",
                        ranksText(node.ranks), printable(node.name)),
                message("order the ranks in the job file that way, or use the recipe \"command\"")));
            return plan;
        }
        auto commands = commandsOf(input, node);
        if (!commands) {
            plan.findings.push_back(
                refusal("placeholder", commands.error().message, message("correct launch.command in the job file")));
            return plan;
        }
        const std::string logDirectory = dirName(pathOfRank(job, job.logs.path, node.ranks.front()).value());
        std::vector<std::string> argv{"torchrun",
                                      "--nnodes=" + std::to_string(nodes.size()),
                                      "--nproc_per_node=" + std::to_string(node.ranks.size()),
                                      "--node_rank=" + std::to_string(index),
                                      "--master_addr=" + masterAddress(input.view),
                                      "--master_port=" + std::to_string(job.launch.masterPort),
                                      "--max_restarts=0"};
        const std::vector<std::string> options = optionsOn(job, node);
        argv.insert(argv.end(), options.begin(), options.end());
        argv.insert(argv.end(), {"--no_python", "python3", "-c", logByRank, commands.value()});
        plan.nodes.push_back({.node = node.name,
                              .launches = {{.id = launchId(input.id, node.name),
                                            .runDirectory = runDirectory(job, &node),
                                            .argv = std::move(argv),
                                            .env = launchEnvironment(input, node),
                                            .workdir = workdirOn(job, node),
                                            .output = replaceAll(launcherOutput(logDirectory, input.id, node.name),
                                                                 "/msrun-", "/torchrun-")}}});
        if (index == 0) plan.masterNode = node.name;
    }
    plan.masterPort = job.launch.masterPort;
    return plan;
}

}  // namespace rankdeck
