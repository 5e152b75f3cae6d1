// SPDX-License-Identifier: GPL-3.0-or-later
// Classification of a node's processes. Separates this job's ranks, its scheduler and its launcher from tails, data
// loaders and other jobs. Pure, except askProcesses, which asks all nodes at once.
#pragma once

#include "core/base/known.h"
#include "core/base/result.h"
#include "core/recover/action_context.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

std::vector<std::string> rankEnvNames();
bool isRunning(const ProcessInfo &process);   // neither a zombie nor dead
bool isLauncher(const ProcessInfo &process);  // msrun, torchrun
// The rank that the process's environment names. RANK_ID is reliable only beside MS_NODE_ID: msrun without --node_rank
// leaves it at 0.
std::optional<int> rankByVariables(const ProcessInfo &process);
// Names of the environment variables that an action reads. They include variables of launchers that set no framework
// variable.
std::vector<std::string> actEnvNames();

// A process belongs to this job if it has the job's mark in its environment and does not write its output elsewhere. It
// also belongs to this job if it writes to the job's log, or is the launcher or a child of such a process. A working
// directory or a rank number proves nothing: two jobs often share a directory.
struct JobProcesses {  // processes of one node
    std::map<int, ProcessInfo> ranks = {};
    // Processes that only their environment identifies as ranks: they are shown, and never signalled. Processes with
    // the mark, output, size or port of another job are left out.
    std::map<int, ProcessInfo> unsure = {};
    // A second process with equally strong evidence for the same rank.
    std::vector<std::pair<int, ProcessInfo>> claims = {};
    // Scheduler, launcher, its tails, and scripts around ranks: such processes hold the port or restart ranks.
    std::vector<ProcessInfo> others = {};
    // Processes that may outlive ranks: their children (data loaders, msrun's tails) that run in the job's directory or
    // use its logs. Also the programs between ranks and their logs.
    std::vector<ProcessInfo> leftovers = {};
    bool complete = true;               // this login can read every process that may be a rank
    std::optional<Error> problem = {};  // if set, nothing is known
};
JobProcesses sortProcesses(const Job &job, const NodeSpec &node, const std::vector<ProcessInfo> &processes);
// Name of the environment variable with which our launches mark all processes that they start.
constexpr const char *jobMarkName = "RANKDECK_JOB";
std::string jobMark(const Job &job);

// Current state of one rank's process: from /proc if it could be read, otherwise from the job state.
struct RankProcess {
    int rank = -1;
    std::string node;
    bool sure = true;   // false: it may be another job's; it is not signalled
    bool gone = false;  // its process is known to have ended
    Known alive = {};
    std::optional<ProcessInfo> process = {};
};
struct ProcessSnapshot {
    std::vector<RankProcess> ranks = {};
    std::map<std::string, JobProcesses> nodes = {};
    [[nodiscard]] std::vector<int> ranksAlive() const;
};
bool isLive(const JobState &view, const std::string &node);
// The error of a query to a node. If the job state still shows the node as live, "unreachable" becomes "no answer in
// time", because it must not be a separate finding.
Error unanswered(const JobState &view, const std::string &node, Error error);
ProcessSnapshot askProcesses(ActionContext &host, const JobState &view, SteadyTime deadline);

}  // namespace rankdeck
