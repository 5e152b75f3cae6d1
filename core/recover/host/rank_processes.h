// SPDX-License-Identifier: GPL-3.0-or-later
// Which processes of a node are this job's ranks, its scheduler or its launcher, told apart from tails, data loaders
// and other jobs as facts of real runs demand. Pure but for askProcesses, which asks all nodes at once.
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
// By its environment alone: RANK_ID is true only beside MS_NODE_ID (msrun without --node_rank leaves it at 0).
std::optional<int> rankByVariables(const ProcessInfo &process);
// For an act: also what a launcher has, which none of the frameworks' variables is set for.
std::vector<std::string> actEnvNames();

// What is this job's cannot be another's: it has the job's own mark in its environment and no output elsewhere, it writes to
// a log of the job, or it hangs on such a process, as its launcher or its child. A working directory and a rank number are no such evidence: two
// jobs often share a directory.
struct JobProcesses {  // of one node
    std::map<int, ProcessInfo> ranks = {};
    // Ranks by their environment alone: they are shown, and never signalled. Whose job's mark is not this one's and whose
    // output, size or port is another's are none.
    std::map<int, ProcessInfo> unsure = {};
    // A second process that is as surely that rank as the first.
    std::vector<std::pair<int, ProcessInfo>> claims = {};
    // Scheduler, launcher, its tails, scripts around ranks: they hold the port and restart ranks.
    std::vector<ProcessInfo> others = {};
    // What may outlive ranks: their children (data loaders, msrun's tails), in the job's directory or on its logs, and what
    // stands between them and their logs.
    std::vector<ProcessInfo> leftovers = {};
    bool complete = true;               // nobody who may be a rank is closed to this login
    std::optional<Error> problem = {};  // then nothing is known
};
JobProcesses sortProcesses(const Job &job, const NodeSpec &node, const std::vector<ProcessInfo> &processes);
// The mark that a launch of ours leaves in the environment of all that it starts.
constexpr const char *jobMarkName = "RANKDECK_JOB";
std::string jobMark(const Job &job);

// What is known of one rank's process right now: /proc where it could be asked, else what the view says.
struct RankProcess {
    int rank = -1;
    std::string node;
    bool sure = true;   // false: it may be another job's; it is not signalled
    bool gone = false;  // its process was seen, and is seen no more
    Known alive = {};
    std::optional<ProcessInfo> process = {};
};
struct ProcessSnapshot {
    std::vector<RankProcess> ranks = {};
    std::map<std::string, JobProcesses> nodes = {};
    [[nodiscard]] std::vector<int> ranksAlive() const;
};
bool isLive(const JobState &view, const std::string &node);
// The error of a question to a node: where the view has the node as live, its being unreachable by now is no finding of its
// own, and becomes an answer that did not come in time.
Error unanswered(const JobState &view, const std::string &node, Error error);
ProcessSnapshot askProcesses(ActionContext &host, const JobState &view, SteadyTime deadline);

}  // namespace rankdeck
