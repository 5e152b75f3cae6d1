// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that another user may run, on nodes that hide that user's processes from this login: an invisible rank may
// still run.
#include "core/recover/resume/checks/resume_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::closed_ranks_test {
namespace {

using ::testing::HasSubstr;

class ClosedRanks : public testing::Test {
protected:
    ClosedRanks()
    {
        m_view.job.name = "j";
        m_view.job.worldSize = 1;
        m_view.job.nodes = {{.name = "n0", .host = "n0", .ranks = {0}}};
        m_view.job.logs.path = "/job/worker_{rank}.log";
        NodeStatus status{.name = "n0", .state = NodeState::live};
        status.facts.uid = 1002;
        m_view.nodes.push_back(status);
        m_processes.nodes["n0"].complete = false;
        m_processes.ranks.push_back({.rank = 0, .node = "n0"});
        owner(1001);
    }
    void owner(std::uint32_t uid)
    {
        Listing listing;
        listing.root = "/job";
        listing.entries.push_back({.path = "/job/worker_0.log", .stat = {.uid = uid, .inode = 7}});
        m_book.want("n0", "/job/worker_0.log");
        m_book.answer("n0", "/job", listing);
    }
    [[nodiscard]] std::vector<Finding> found(const ResumeOptions &options = {}) const
    {
        RunningFacts facts;
        facts.now = WallTime{} + std::chrono::hours(1000);  // log idle for many hours
        return runningFindings(m_view, m_book, m_processes, facts, options);
    }
    JobState m_view;
    PathStats m_book;
    ProcessSnapshot m_processes;
};

TEST_F(ClosedRanks, HiddenRanksOfAnotherUserMayStillRun)
{
    ASSERT_EQ(found().size(), 1u);
    EXPECT_EQ(found()[0].code, FindingCode("ranks_unknown"));
    EXPECT_EQ(found()[0].result, Finding::Result::refuse);
    EXPECT_THAT(found()[0].text, HasSubstr("1001"));
    EXPECT_EQ(found({.fixes = {"ranks_unknown"}})[0].result, Finding::Result::warn);
}

TEST_F(ClosedRanks, AreNotReportedForCompleteListsOwnLogsAndSeenEnds)
{
    m_processes.nodes["n0"].complete = true;
    EXPECT_TRUE(found().empty());
    m_processes.nodes["n0"].complete = false;
    owner(1002);
    EXPECT_TRUE(found().empty());
    owner(1001);
    m_processes.ranks[0].gone = true;
    EXPECT_TRUE(found().empty());
}

}  // namespace
}  // namespace rankdeck::closed_ranks_test
