// SPDX-License-Identifier: GPL-3.0-or-later
// Classification of a node's processes: this job's ranks, its scheduler and its launcher, as distinct from tails, data
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
// By its environment alone: RANK_ID is reliable only beside MS_NODE_ID (msrun without --node_rank leaves it at 0).
std::optional<int> rankByVariables(const ProcessInfo &process);
// For an action: includes variables of launchers that set no framework variable.
std::vector<std::string> actEnvNames();

// A process is this job's if it has the job's mark in its environment and no output elsewhere. It is also this job's if
// it writes to a log of the job, or is the launcher or a child of such a process. A working directory or a rank number
// proves nothing: two jobs often share a directory.
struct JobProcesses {  // processes of one node
    std::map<int, ProcessInfo> ranks = {};
    // Ranks by their environment alone: they are shown, and never signalled. Processes with another job's mark, output,
    // size or port are left out.
    std::map<int, ProcessInfo> unsure = {};
    // A second process with equally strong evidence for the same rank.
    std::vector<std::pair<int, ProcessInfo>> claims = {};
    // Scheduler, launcher, its tails, scripts around ranks: they hold the port and restart ranks.
    std::vector<ProcessInfo> others = {};
    // Processes that may outlive ranks: their children (data loaders, msrun's tails) in the job's directory or on its
    // logs. Also the programs between ranks and their logs.
    std::vector<ProcessInfo> leftovers = {};
    bool complete = true;               // every possible rank can be read by this login
    std::optional<Error> problem = {};  // if set, nothing is known
};
JobProcesses sortProcesses(const Job &job, const NodeSpec &node, const std::vector<ProcessInfo> &processes);
// The mark that our launches set in the environment of all processes they start.
constexpr const char *jobMarkName = "RANKDECK_JOB";
std::string jobMark(const Job &job);

// Current state of one rank's process: from /proc if it could be read, otherwise from the job state.
struct RankProcess {
    int rank = -1;
    std::string node;
    bool sure = true;   // false: it may be another job's; it is not signalled
    bool gone = false;  // its process was seen earlier and is gone now
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
