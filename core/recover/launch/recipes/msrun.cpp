// SPDX-License-Identifier: GPL-3.0-or-later
// One msrun per node, as its documentation describes for several machines. Its stdout is kept in a file: with
// --join=True, this file is the only evidence of which rank died first.
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {

namespace {

// Each worker is replaced by the command of its rank, with the same pid. All ranks of a node get the same arguments
// from msrun, so the arguments contain the commands of all ranks. The scheduler also runs this, as rank 0.
constexpr const char *chooseByRank =
    "import json,os,sys;a=json.loads(sys.argv[1]);v=a[os.environ.get('RANK_ID','')];os.execvp(v[0],v)";
constexpr int clusterSeconds = 600;  // msrun's own default, set so that the plan shows it

bool startsWithInterpreter(const std::vector<std::string> &argv)
{
    return argv.front() == "python" || argv.front() == "python3" || argv.front() == "pytest";
}

std::string logDirectoryOf(const Job &job, int rank)
{
    const auto path = pathOfRank(job, job.logs.path, rank);
    return path ? dirName(path.value()) : std::string();
}

void checkRanks(const Job &job, const std::vector<const NodeSpec *> &nodes, LaunchPlan &plan)
{
    const std::size_t perNode = nodes.front()->ranks.size();
    int next = 0;
    for (const NodeSpec *node : nodes) {
        const bool consecutive =
            std::all_of(node->ranks.begin(), node->ranks.end(), [&](int rank) { return rank == next++; });
        if (consecutive && node->ranks.size() == perNode) continue;
        plan.findings.push_back(
            refusal("recipe_ranks",
                    message("msrun numbers ranks node by node, with the same number on each node: expected %1 "
                            "consecutive ranks on node %2, found %3",
                            perNode, printable(node->name), ranksText(node->ranks)),
                    message("order the ranks in the job file that way, or use the recipe \"command\"")));
        return;
    }
    if (next != job.ranks())
        plan.findings.push_back(refusal("recipe_ranks",
                                        message("expected all %1 ranks (world_size) to be assigned to nodes, found %2",
                                                std::to_string(job.ranks()), next),
                                        message("assign every rank to a node in the job file")));
}

void checkLogNames(const Job &job, const NodeSpec &node, LaunchPlan &plan)
{
    for (const int rank : node.ranks) {
        const auto path = pathOfRank(job, job.logs.path, rank);
        if (!path) {
            plan.findings.push_back(
                refusal("placeholder", path.error().message, message("correct logs.path in the job file")));
            return;
        }
        const std::string expected =
            joinPath(logDirectoryOf(job, node.ranks.front()), "worker_" + std::to_string(rank) + ".log");
        if (path.value() == expected) continue;
        plan.findings.push_back(
            refusal("recipe_paths",
                    message("msrun writes rank %1's log to %2, found logs.path %3", rank, printable(expected),
                            printable(path.value())),
                    message("make logs.path end in worker_{rank}.log, with one directory per node")));
        return;
    }
}

Result<std::vector<std::string>> workerCommand(const RecipeInput &input, const NodeSpec &node)
{
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    std::vector<std::string> first;
    bool same = true;
    for (const int rank : node.ranks) {
        auto argv = argvOfRank(input, rank);
        if (!argv) return argv;
        if (argv->empty()) return fail(ErrorKind::invalid, message("expected a program in launch.command, found none"));
        if (first.empty()) first = argv.value();
        same = same && argv.value() == first;
        if (!startsWithInterpreter(argv.value())) argv->insert(argv->begin(), "python");  // as msrun itself does
        all[std::to_string(rank)] = argv.value();
    }
    if (same) return first;
    if (!all.contains("0")) all["0"] = all.front();  // the scheduler calls itself rank 0, wherever it runs
    return std::vector<std::string>{"python", "-c", chooseByRank,
                                    all.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)};
}

}  // namespace

LaunchPlan planMsrun(const RecipeInput &input)
{
    const Job &job = input.view.job;
    LaunchPlan plan;
    const auto nodes = nodesByRank(job);
    if (nodes.empty()) {
        plan.findings.push_back(refusal("job_file", message("expected ranks on the job's nodes, found none"),
                                        message("add \"ranks\" to the nodes in the job file")));
        return plan;
    }
    checkRanks(job, nodes, plan);
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        const NodeSpec &node = *nodes[index];
        checkLogNames(job, node, plan);
        auto command = workerCommand(input, node);
        if (!command) {
            plan.findings.push_back(
                refusal("placeholder", command.error().message, message("correct launch.command in the job file")));
            return plan;
        }
        const std::string logDirectory = logDirectoryOf(job, node.ranks.front());
        std::vector<std::string> argv{textOnNode(job.launch.msrun, job, node),
                                      "--worker_num=" + std::to_string(job.ranks()),
                                      "--local_worker_num=" + std::to_string(node.ranks.size())};
        if (nodes.size() > 1) argv.push_back("--node_rank=" + std::to_string(index));
        argv.insert(argv.end(), {"--master_addr=" + masterAddress(input.view),
                                 "--master_port=" + std::to_string(job.launch.masterPort), "--log_dir=" + logDirectory,
                                 "--join=True", "--cluster_time_out=" + std::to_string(clusterSeconds)});
        const std::vector<std::string> options = optionsOn(job, node);
        argv.insert(argv.end(), options.begin(), options.end());
        argv.insert(argv.end(), command->begin(), command->end());
        plan.nodes.push_back({.node = node.name,
                              .launches = {{.id = launchId(input.id, node.name),
                                            .runDirectory = runDirectory(job, &node),
                                            .argv = std::move(argv),
                                            .env = launchEnvironment(input, node),
                                            .workdir = workdirOn(job, node),
                                            .output = launcherOutput(logDirectory, input.id, node.name)}}});
    }
    plan.masterNode = nodes.front()->name;
    plan.masterPort = job.launch.masterPort;
    return plan;
}

}  // namespace rankdeck
