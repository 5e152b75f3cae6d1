// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes that start a job's processes: one per way, each in its own file, all pure. A recipe turns the job file's
// launch into argv, environment and output per node. A new one needs a function and a line in recipe.cpp.
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
    std::string id;                                           // id of the action
    std::map<int, std::string> checkpoints = {};              // rank → absolute path of the checkpoint that it loads
    std::map<std::string, std::string> viewDirectories = {};  // node → {checkpoint_dir}
    std::map<int, std::string> configs = {};                  // rank → its own copy of launch.config
    // launch.volcano.file as it was read; empty: no such file, or not read yet.
    std::optional<Result<std::string>> vcjobYaml = {};
};

struct LaunchPlan {
    std::vector<NodePlan> nodes = {};  // launches, and the files that they need: directories first, then new files
    std::vector<Finding> findings = {};
    // launch id → a file that exists as soon as an engine (sbatch, kubectl) has accepted the job. Until the file exists
    // or the launch ends, nothing runs.
    std::map<std::string, std::string> accepted = {};
    // node → programs that must exist in addition to argv[0]
    std::map<std::string, std::vector<std::string>> programs = {};
    std::vector<std::map<std::string, std::string>> environments = {};  // of containers without a launch
    int masterPort = 0;                                                 // port that must be free on masterNode
    std::string masterNode = {};
};

struct Recipe {
    std::string name;
    bool ownsLogDirectory = false;  // truncates existing logs: the whole directory is renamed as a backup
    StopOfLaunch stop = {};         // how the launched process is ended with all its children
    bool submits = false;           // one node launches for all
    std::function<LaunchPlan(const RecipeInput &)> plan;
};

const Recipe *findRecipe(const std::string &name);  // nullptr: no such recipe
std::vector<std::string> recipeNames();

// Values of a launch's placeholders for one rank.
Placeholders launchPlaceholders(const RecipeInput &input, int rank);
// argv of one rank with all placeholders filled in, and with the rank's own copy of launch.config if there is one.
// Error invalid, naming the placeholder.
Result<std::vector<std::string>> argvOfRank(const RecipeInput &input, int rank);
// launch.env of the job, overridden by that of the node.
std::map<std::string, std::string> launchEnvironment(const Job &job, const NodeSpec &node);
// The same for a launcher that passes one environment to all ranks of the node. Adds those values of the chosen set
// that are equal for all ranks ({checkpoint_dir} {epoch} {step} {global_step}).
std::map<std::string, std::string> launchEnvironment(const RecipeInput &input, const NodeSpec &node);
// Directory of all launches of this job; the node uses it to keep attempts apart.
std::string runDirectory(const Job &job, const NodeSpec *node = nullptr);
// launch.options on that node.
std::vector<std::string> optionsOn(const Job &job, const NodeSpec &node);
// Id of one launch of the action. It contains only characters that are allowed in file names; different parts have
// different ids.
std::string launchId(const std::string &action, const std::string &part);
// The claim that a launch of this job makes on the node (nullptr: a node without ranks). Its key is the same for every
// console, user and recipe. Its places are the log files and the checkpoint directories of the node's ranks.
JobClaim jobClaim(const JobState &view, const NodeSpec *node, const std::string &action);
// The claim before anything is launched.
JobClaim jobReservation(const JobState &view, const NodeSpec *node, const std::string &action);
// Common prefix of the names that the job's attempts have in a cluster engine, whichever console started them. It
// allows a query for these attempts.
std::string engineName(const Job &job);
// Nodes that have ranks, in the order of their first rank.
std::vector<const NodeSpec *> nodesByRank(const Job &job);
// The node that has the master address, and that address: launch.master_addr, 127.0.0.1 on one node, otherwise the
// first node's host name.
std::string masterAddress(const JobState &view);

// Master address as an IP address, which MindSpore needs for its scheduler; empty if only a name is known.
std::string schedulerAddress(const JobState &view);

// An edit that makes a file; its directory must exist by then.
FileEdit newFile(const std::string &path, const std::string &text);
// Environment that gives a separately started rank its place, as MindSpore's dynamic cluster, hand-written launchers
// and PyTorch's env:// expect it. Values of the job file have precedence.
std::map<std::string, std::string> environmentOfRank(const RecipeInput &input, const NodeSpec &node, int rank);
// True if the command starts all ranks of its node itself (launch.per_node, launch.volcano.per_pod), so it gets no rank
// number.
bool startsItsRanks(const Job &job);
// True if hccl.json lists the places of the ranks (launch.rank_table, RANK_TABLE_FILE): no roles and no scheduler are
// needed.
bool hasRankTable(const Job &job, const NodeSpec &node);
// True for several MindSpore ranks that no other program coordinates: they need a process with the role MS_SCHED.
bool needsScheduler(const Job &job);
// Sets the scheduler's address in the environment of the scheduler or of a rank: MS_SCHED_HOST only if host is not
// empty.
void tellScheduler(std::map<std::string, std::string> &env, const JobState &view, const std::string &host);
// The scheduler's environment, made from that of rank 0.
std::map<std::string, std::string> schedulerEnvironment(const RecipeInput &input, const NodeSpec &node);
// The node that submits to a cluster engine: launch.submit_on, otherwise the first with ranks.
const NodeSpec *submitNode(const Job &job);

LaunchPlan planCommand(const RecipeInput &input);
LaunchPlan planMsrun(const RecipeInput &input);
LaunchPlan planTorchrun(const RecipeInput &input);
LaunchPlan planMpirun(const RecipeInput &input);
LaunchPlan planSlurm(const RecipeInput &input);
LaunchPlan planVolcano(const RecipeInput &input);

}  // namespace rankdeck
