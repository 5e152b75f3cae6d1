// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that write into their logs through other programs: (trainer) 2>&1 | ts >> worker_0.log. The rank is who trains, and
// what stands between is ended by nobody.
#include "core/recover/host/rank_processes.h"

#include <gtest/gtest.h>

namespace rankdeck {
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
    if (!rank.empty()) info.env = {{"RANK_ID", rank}, {"MS_ROLE", "MS_WORKER"}};
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

TEST(Pipelines, WhoTrainsIsTheRankAndNotWhatStandsBetween)
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

TEST(Pipelines, SeveralFiltersAndAShellAroundTheRank)
{
    ProcessInfo shell = process(9, "bash", "", ""), trainer = process(10, "python", "0", "");
    trainer.parent = 9;
    EXPECT_EQ(ranksOf({shell, trainer, process(11, "sed", "", "", {9, 10}), process(12, "ts", "", logOf0, {11}),
                       process(20, "python", "1", ""), process(21, "sed", "", logOf1, {20})}),
              trainers);
}

TEST(Pipelines, ARankWithoutVariablesIsFoundThroughItsLog)
{
    EXPECT_EQ(ranksOf({process(10, "python", "", ""), process(11, "sed", "", logOf0, {10}),
                       process(20, "python", "", ""), process(21, "cat", "", logOf1, {20})}),
              trainers);
}

// yes | python train.py: what feeds a rank is no rank.
TEST(Pipelines, WhatARankReadsIsNotTheRank)
{
    EXPECT_EQ(ranksOf({process(9, "yes", "", ""), process(10, "python", "0", logOf0, {9}), process(19, "cat", "1", ""),
                       process(20, "python", "1", logOf1, {19})}),
              trainers);
}

// The one who trained is gone: what is left of the pipeline is about to end, and until then it holds the log.
TEST(Pipelines, AFilterWithoutAnybodyBeforeItStillHoldsTheLog)
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

// nohup bash run.sh > worker_0.log: whether the script exports the variables, or was started with them.
TEST(Wrappers, TheScriptAroundARankIsNotTheRankAndEndsWithIt)
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

TEST(Wrappers, ALauncherThatKeepsTheLogsOpenIsNotRankZero)
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

// Nothing else is known of it, so the script itself is all that can be seen of the rank.
TEST(Wrappers, AScriptWithoutAChildMayBeTheRank)
{
    EXPECT_EQ(ranksOf({process(10, "bash", "", logOf0), process(20, "bash", "1", logOf1)}), trainers);
}

}  // namespace
}  // namespace rankdeck
