// SPDX-License-Identifier: GPL-3.0-or-later
// Lines as Slurm 22.05 prints them.
#include "core/scheduler/slurm_answers.h"

#include <gtest/gtest.h>

namespace rankdeck::slurm_answers_test {
namespace {

std::string job(const std::string &state, const std::string &more)
{
    return "JobId=3 JobName=rd lenet UserId=user(1001) JobState=" + state + " Requeue=1 " + more +
           " SubmitTime=2026-11-21T09:42:56 StartTime=2026-11-21T09:42:57 EndTime=2026-11-21T10:12:57 Partition=debug "
           "ReqNodeList=(null) NodeList=n[0-3] BatchHost=n0 Power= \n";
}

TEST(SlurmJob, ReportsTheTimeLimitOfARunningJob)
{
    const auto said = readSlurmJob(job("RUNNING", "Reason=None Restarts=0 ExitCode=0:0 TimeLimit=00:30:00"));
    ASSERT_TRUE(said);
    EXPECT_EQ(said->state, "RUNNING");
    EXPECT_EQ(said->partition, "debug");
    EXPECT_EQ(said->nodes, "n[0-3]");
    EXPECT_EQ(said->ends, parseIsoTime("2026-11-21T10:12:57Z"));
    EXPECT_TRUE(said->facts.empty());
    EXPECT_FALSE(readSlurmJob(job("RUNNING", "Restarts=0 TimeLimit=UNLIMITED"))->ends);
}

TEST(SlurmJob, ReportsWhyAJobWaits)
{
    const auto said = readSlurmJob(job("PENDING", "Reason=Resources Restarts=1 ExitCode=0:0 TimeLimit=00:30:00"));
    ASSERT_TRUE(said);
    ASSERT_EQ(said->facts.size(), 2u);
    EXPECT_EQ(said->facts[0].text, "job 3 was requeued 1 time");
    EXPECT_EQ(said->facts[1].text, "job 3 is PENDING: Resources");
    EXPECT_EQ(said->facts[1].code, SchedulerFactCode::jobWaits);
    EXPECT_FALSE(said->ends);
}

TEST(SlurmJob, ReportsHowAJobEnded)
{
    const auto said = readSlurmJob(job("NODE_FAIL", "Reason=NodeDown Restarts=0 ExitCode=0:9 TimeLimit=00:30:00"));
    ASSERT_TRUE(said);
    ASSERT_EQ(said->facts.size(), 1u);
    EXPECT_EQ(said->facts[0].text, "job 3 is NODE_FAIL: NodeDown, exit code 0, signal 9");
    EXPECT_EQ(said->facts[0].time, parseIsoTime("2026-11-21T10:12:57Z"));
    EXPECT_EQ(readSlurmJob(job("CANCELLED", "Reason=BeginTime Restarts=0 ExitCode=0:15"))->facts.at(0).text,
              "job 3 is CANCELLED, exit code 0, signal 15");
    EXPECT_FALSE(readSlurmJob("slurm_load_jobs error\n"));
}

TEST(SlurmNodes, ReportDrainedAndDownNodes)
{
    Job of;
    of.nodes.push_back({.name = "first", .host = "me@n0.cluster"});
    const auto said = readSlurmNodes("NodeName=n0 Arch=x86_64 State=MIXED+DRAIN ThreadsPerCore=1 Reason=ECC errors on "
                                     "device 3 [root@2026-11-21T09:43:28]\n"
                                     "NodeName=n1 Arch=x86_64 State=ALLOCATED ThreadsPerCore=1\nNodeName=n2 "
                                     "State=DOWN* Reason=Not responding [slurm@2026-11-21T09:43:28]\n",
                                     of);
    ASSERT_TRUE(said);
    ASSERT_EQ(said->size(), 2u);
    EXPECT_EQ(said->at(0).text, "machine n0 is MIXED+DRAIN: ECC errors on device 3 [root@2026-11-21T09:43:28]");
    EXPECT_EQ(said->at(0).node, "first");
    EXPECT_EQ(said->at(1).text, "machine n2 is DOWN*: Not responding [slurm@2026-11-21T09:43:28]");
    EXPECT_FALSE(readSlurmNodes("Node n0 not found\n", of));
}

TEST(SlurmAccounting, ReportsTheEndOfEachStart)
{
    const auto said = readSlurmAccounting(
        "5|REQUEUED|0:0|2026-11-21T09:42:57|2026-11-21T09:43:00\n"
        "5|CANCELLED by 1001|0:15|2026-11-21T09:45:57|2026-11-21T09:46:00\n5|RUNNING|0:0|x|Unknown\n");
    ASSERT_EQ(said.size(), 2u);
    EXPECT_EQ(said[0].code, SchedulerFactCode::rescheduled);
    EXPECT_EQ(said[1].text, "job 5 is CANCELLED by 1001, exit code 0, signal 15");
    EXPECT_EQ(said[1].time, parseIsoTime("2026-11-21T09:46:00Z"));
}

TEST(SlurmQueue, FindsOurNewestLaunch)
{
    EXPECT_EQ(newestSlurmJob("9 rd-lenet-1-a\n10 rd-lenet-1-b\n11 rd-lenet-2-a\n", "rd-lenet-1-"), "10");
    EXPECT_EQ(newestSlurmJob("9 other\n", "rd-lenet-1-"), "");
}

}  // namespace
}  // namespace rankdeck::slurm_answers_test
