// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that write to their logs through other programs: (trainer) 2>&1 | ts >> worker_0.log. The training process is
// the rank. Rankdeck never ends the programs between the rank and its log.
#include "core/recover/host/rank_processes.h"

#include <gtest/gtest.h>

#include <set>

namespace rankdeck::pipelines_test {
namespace {

constexpr const char *logOf0 = "/job/logs/worker_0.log", *logOf1 = "/job/logs/worker_1.log";

Job oneNode()
{
    Job job;
    job.name = "piped";
    job.nodes = {{.name = "n0", .host = "localhost", .ranks = {0, 1}}};
    job.logs.path = "/job/logs/worker_{rank}.log";
    job.launch.workdir = "/job";
    return job;
}

ProcessInfo process(int pid, const std::string &comm, const std::string &rank, const std::string &log,
                    std::vector<int> feeders = {})
{
    ProcessInfo info;
    info.id = {pid, 1000u + unsigned(pid), "boot"};
    info.parent = 1;
    info.group = pid;
    info.state = 'S';
    info.comm = comm;
    info.argv = {comm};
    info.envReadable = true;
    info.cwd = "/job";
    info.stdoutPath = log;
    info.feeders = std::move(feeders);
    if (!rank.empty()) info.env = {{"RANK_ID", rank}, {"MS_NODE_ID", rank}, {"MS_ROLE", "MS_WORKER"}};
    return info;
}

std::map<int, int> ranksOf(const std::vector<ProcessInfo> &processes)
{
    const Job job = oneNode();
    const JobProcesses sorted = sortProcesses(job, job.nodes.front(), processes);
    EXPECT_TRUE(sorted.claims.empty());
    std::map<int, int> pids;
    for (const auto &[rank, found] : sorted.ranks) pids[rank] = found.id.pid;
    return pids;
}

const std::map<int, int> trainers{{0, 10}, {1, 20}};

TEST(Pipelines, AssignsTheTrainingProcessAndNotItsFilterToTheRank)
{
    for (const std::string filter : {"sed", "ts", "awk", "tee", "rotatelogs", "my_filter"})
        for (const std::string rankOfFilter : {"", "own"}) {  // the variables were exported to both
            if (filter == "my_filter" && !rankOfFilter.empty()) continue;
            const auto own = [&](const char *rank) { return rankOfFilter.empty() ? std::string() : std::string(rank); };
            EXPECT_EQ(ranksOf({process(10, "python", "0", ""), process(11, filter, own("0"), logOf0, {10}),
                               process(20, "python", "1", ""), process(21, filter, own("1"), logOf1, {20})}),
                      trainers)
                << filter << " " << rankOfFilter;
        }
}

TEST(Pipelines, FindsTheRankBehindSeveralFiltersAndAShell)
{
    ProcessInfo shell = process(9, "bash", "", ""), trainer = process(10, "python", "0", "");
    trainer.parent = 9;
    EXPECT_EQ(ranksOf({shell, trainer, process(11, "sed", "", "", {9, 10}), process(12, "ts", "", logOf0, {11}),
                       process(20, "python", "1", ""), process(21, "sed", "", logOf1, {20})}),
              trainers);
}

TEST(Pipelines, FindsARankWithoutVariablesThroughItsLog)
{
    EXPECT_EQ(ranksOf({process(10, "python", "", ""), process(11, "sed", "", logOf0, {10}),
                       process(20, "python", "", ""), process(21, "cat", "", logOf1, {20})}),
              trainers);
}

// yes | python train.py: the program that feeds a rank is not itself a rank.
TEST(Pipelines, ProgramThatFeedsARankIsNotTheRank)
{
    EXPECT_EQ(ranksOf({process(9, "yes", "", ""), process(10, "python", "0", logOf0, {9}), process(19, "cat", "1", ""),
                       process(20, "python", "1", logOf1, {19})}),
              trainers);
}

// The training process is gone. The rest of the pipeline is about to end, and holds the log until then.
TEST(Pipelines, FilterWithoutAFeederStillHoldsTheLog)
{
    EXPECT_EQ(ranksOf({process(11, "sed", "", logOf0), process(20, "python", "1", logOf1)}),
              (std::map<int, int>{{0, 11}, {1, 20}}));
}

ProcessInfo below(int parent, ProcessInfo child)
{
    child.parent = parent;
    return child;
}

std::vector<int> othersOf(const std::vector<ProcessInfo> &processes)
{
    const Job job = oneNode();
    std::vector<int> pids;
    for (const ProcessInfo &other : sortProcesses(job, job.nodes.front(), processes).others)
        pids.push_back(other.id.pid);
    return pids;
}

// nohup bash run.sh > worker_0.log, whether the script exports the variables or was started with them.
TEST(Wrappers, ScriptAroundARankIsNotTheRankAndEndsWithIt)
{
    for (const std::string wrapper : {"bash", "sh", "timeout", "nsys"})
        for (const std::string rankOfWrapper : {"", "own"}) {
            const auto own = [&](const char *rank) {
                return rankOfWrapper.empty() ? std::string() : std::string(rank);
            };
            const std::vector<ProcessInfo> all{
                process(9, wrapper, own("0"), logOf0),       below(9, process(10, "python", "0", logOf0)),
                below(9, process(12, "sleep", "0", logOf0)), below(10, process(13, "python", "0", logOf0)),
                below(10, process(14, "sh", "0", logOf0)),   below(14, process(15, "ninja", "0", logOf0)),
                process(19, wrapper, own("1"), logOf1),      below(19, process(20, "python", "1", logOf1))};
            EXPECT_EQ(ranksOf(all), trainers) << wrapper << " " << rankOfWrapper;
            EXPECT_EQ(othersOf(all), (std::vector{9, 19})) << wrapper << " " << rankOfWrapper;
        }
}

TEST(Wrappers, LauncherThatKeepsTheLogsOpenIsNotRankZero)
{
    ProcessInfo launcher = process(9, "python", "", "/job/launcher.out");
    for (const std::vector<std::string> &kept :
         {std::vector<std::string>{logOf0, logOf1}, std::vector<std::string>{logOf0}}) {
        launcher.openPaths = kept;
        const std::vector<ProcessInfo> all{launcher, below(9, process(10, "python", "0", logOf0)),
                                           below(9, process(20, "python", "1", logOf1))};
        EXPECT_EQ(ranksOf(all), trainers);
        EXPECT_EQ(othersOf(all), std::vector{9}) << "it ends with the ranks that it has started";
    }
}

// There is no other evidence, so the script is the only visible sign of the rank.
TEST(Wrappers, ScriptWithoutAChildMayBeTheRank)
{
    EXPECT_EQ(ranksOf({process(10, "bash", "", logOf0), process(20, "bash", "1", logOf1)}), trainers);
}

ProcessInfo ofB(int rank, int pid)
{
    return process(pid, "python", std::to_string(rank), "/b/logs/worker_" + std::to_string(rank) + ".log");
}

// All processes that count as this job's, in any of the lists.
std::set<int> claimed(const std::vector<ProcessInfo> &processes)
{
    const Job job = oneNode();
    const JobProcesses sorted = sortProcesses(job, job.nodes.front(), processes);
    std::set<int> pids;
    for (const auto &[rank, found] : sorted.ranks) pids.insert(found.id.pid);
    for (const auto &[rank, found] : sorted.unsure) pids.insert(found.id.pid);
    for (const auto &[rank, found] : sorted.claims) pids.insert(found.id.pid);
    for (const std::vector<ProcessInfo> *list : {&sorted.others, &sorted.leftovers})
        for (const ProcessInfo &found : *list) pids.insert(found.id.pid);
    return pids;
}

// One script pipes the ranks of both jobs through tee, so all of them are in one process group.
TEST(AnotherJob, InTheSameProcessGroupAsATeeIsNotThisJob)
{
    std::vector<ProcessInfo> all{process(10, "python", "0", ""), process(11, "tee", "", "/dev/null", {10}),
                                 process(30, "python", "0", ""), process(31, "tee", "", "/dev/null", {30}),
                                 process(40, "python", "1", ""), process(41, "tee", "", "/dev/null", {40})};
    all[1].openPaths = {logOf0};
    for (ProcessInfo &one : all) one.group = 9;
    for (std::size_t i = 2; i < all.size(); ++i) all[i].cwd = "/b";
    EXPECT_EQ(ranksOf(all), (std::map<int, int>{{0, 10}}));
    EXPECT_EQ(claimed(all), (std::set{10, 11}));
}

// The process with a log of this job has ended. The script or program around it now runs another job, which has its own
// logs.
TEST(AnotherJob, BelowAFormerProcessOfThisJobIsNotThisJob)
{
    for (const std::string host : {"bash", "python"})
        for (const bool both : {false, true}) {
            ProcessInfo above = process(9, host, "", logOf0);
            if (both) above.openPaths = {logOf0, logOf1};
            const std::vector<ProcessInfo> all{above,
                                               below(9, ofB(0, 30)),
                                               below(9, ofB(1, 40)),
                                               below(30, process(31, "python", "0", "")),
                                               below(9, process(50, "sh", "", "/b/run.out")),
                                               below(50, process(51, "python", "1", ""))};
            EXPECT_EQ(claimed(all), std::set<int>()) << host << " " << both;
        }
}

TEST(AnotherJob, DoesNotAffectARankNextToIt)
{
    const std::vector<ProcessInfo> all{
        process(9, "bash", "", "/job/run.out"), below(9, process(10, "python", "0", logOf0)),
        below(9, process(20, "python", "1", logOf1)), below(9, ofB(0, 30)), below(9, ofB(1, 40))};
    EXPECT_EQ(ranksOf(all), trainers);
    EXPECT_EQ(claimed(all), (std::set{10, 20}));
}

// If the output of a rank goes elsewhere, its launcher confirms that it is a rank. The children of a rank belong to the
// rank.
TEST(AnotherJob, DoesNotIncludeChildrenOfThisJobsLauncherOrRanks)
{
    ProcessInfo launcher = process(9, "msrun", "", "/job/msrun.out");
    launcher.argv = {"msrun", "--log_dir=/job/logs"};
    const std::vector<ProcessInfo> all{launcher, below(9, process(10, "python", "0", logOf0)),
                                       below(9, process(20, "python", "1", "/tmp/elsewhere.log")),
                                       below(10, process(12, "python", "0", "/tmp/board.log"))};
    EXPECT_EQ(ranksOf(all), trainers);
    EXPECT_EQ(claimed(all), (std::set{9, 10, 12, 20}));
}

}  // namespace
}  // namespace rankdeck::pipelines_test
