// SPDX-License-Identifier: GPL-3.0-or-later
// How a job's processes are started: one recipe per way, each in its own file, all pure. A recipe turns the job file's
// launch into argv, environment and output per node. A new one is a function and a line in recipe.cpp.
#pragma once

#include "core/base/result.h"
#include "core/job/path_template.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"
#include "core/state/job_state.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct RecipeInput {
    const JobState &view;
    const CheckpointSet &set;
    std::string id;                                           // of the action
    std::map<int, std::string> checkpoints = {};              // rank → absolute path of what it loads
    std::map<std::string, std::string> viewDirectories = {};  // node → {checkpoint_dir}
    std::map<int, std::string> configs = {};                  // rank → its own copy of launch.config
    // launch.volcano.file as it was read; empty: there is none, or nobody asked.
    std::optional<Result<std::string>> vcjobYaml = {};
};

struct LaunchPlan {
    std::vector<NodePlan> nodes = {};  // launches, and the files that they need: directories first, then new files
    std::vector<Finding> findings = {};
    // launch id → a file that is there once an engine has taken the job over (sbatch, kubectl): until then, or until the
    // launch ends, nothing runs yet.
    std::map<std::string, std::string> accepted = {};
    std::map<std::string, std::vector<std::string>> programs = {};      // node → what must be there besides argv[0]
    std::vector<std::map<std::string, std::string>> environments = {};  // of containers, which no launch has
    int masterPort = 0;                                                 // that must be free on masterNode
    std::string masterNode = {};
};

struct Recipe {
    std::string name;
    bool ownsLogDirectory = false;  // truncates what it finds there: the whole directory is moved aside
    StopOfLaunch stop = {};         // what ends the launched process with all its children
    bool submits = false;           // one node launches for all
    std::function<LaunchPlan(const RecipeInput &)> plan;
};

const Recipe *findRecipe(const std::string &name);  // nullptr: none of that name
std::vector<std::string> recipeNames();

// -- parts that recipes share
// What the placeholders of a launch are for one rank.
Placeholders launchPlaceholders(const RecipeInput &input, int rank);
// argv of one rank with all placeholders filled in, and with its own copy of launch.config where it has one. Error invalid naming the placeholder.
Result<std::vector<std::string>> argvOfRank(const RecipeInput &input, int rank);
// launch.env with the node's own on top.
std::map<std::string, std::string> launchEnvironment(const Job &job, const NodeSpec &node);
// The same for a launcher that hands one environment to all ranks of the node: with what the chosen set is to all of them
// ({checkpoint_dir} {epoch} {step} {global_step}).
std::map<std::string, std::string> launchEnvironment(const RecipeInput &input, const NodeSpec &node);
// Of all launches of this job: there the node keeps one attempt from another.
std::string runDirectory(const Job &job, const NodeSpec *node = nullptr);
// launch.options as they are on that node.
std::vector<std::string> optionsOn(const Job &job, const NodeSpec &node);
// id of one launch of the action: letters that a file name can hold; two parts never give one id.
std::string launchId(const std::string &action, const std::string &part);
// What a launch of this job says to the node (nullptr: one without ranks): the key is the same on every console, for every
// user and recipe; the places are the log files and the directories of checkpoints of the node's ranks.
JobClaim jobClaim(const JobState &view, const NodeSpec *node, const std::string &action);
// The same before anything is launched.
JobClaim jobReservation(const JobState &view, const NodeSpec *node, const std::string &action);
// How a job's attempts are named in a cluster engine: all begin so, whoever starts them, so that the engine can be asked.
std::string engineName(const Job &job);
// Nodes that have ranks, in the order of their first rank.
std::vector<const NodeSpec *> nodesByRank(const Job &job);
// The node whose address the others are told, and that address: launch.master_addr, 127.0.0.1 on one node, else the
// first node's host name.
std::string masterAddress(const JobState &view);

// As an address, which MindSpore wants of its scheduler: empty where only a name is known.
std::string schedulerAddress(const JobState &view);

// An edit that makes a file; its directory must be there by then.
FileEdit newFile(const std::string &path, const std::string &text);
// What a rank started by itself is told of its place, the way MindSpore's dynamic cluster, hand-written launchers and
// PyTorch's env:// are told. The job file has the last word.
std::map<std::string, std::string> environmentOfRank(const RecipeInput &input, const NodeSpec &node, int rank);
// The command starts the ranks of its node itself (launch.per_node, launch.volcano.per_pod): it is told of no rank.
bool startsItsRanks(const Job &job);
// hccl.json says where the ranks are (launch.rank_table, RANK_TABLE_FILE): no roles, no scheduler.
bool hasRankTable(const Job &job, const NodeSpec &node);
// Several ranks of MindSpore that nothing else leads together: a process of the role MS_SCHED must run for them.
bool needsScheduler(const Job &job);
// Where the scheduler is, for it and for every rank: MS_SCHED_HOST only when host is not empty.
void tellScheduler(std::map<std::string, std::string> &env, const JobState &view, const std::string &host);
// What rank 0 is told, made into what the scheduler is told.
std::map<std::string, std::string> schedulerEnvironment(const RecipeInput &input, const NodeSpec &node);
// The node that submits to a cluster engine: launch.submit_on, else the first with ranks.
const NodeSpec *submitNode(const Job &job);

LaunchPlan planCommand(const RecipeInput &input);
LaunchPlan planMsrun(const RecipeInput &input);
LaunchPlan planTorchrun(const RecipeInput &input);
LaunchPlan planMpirun(const RecipeInput &input);
LaunchPlan planSlurm(const RecipeInput &input);
LaunchPlan planVolcano(const RecipeInput &input);

}  // namespace rankdeck
