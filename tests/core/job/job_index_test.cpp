// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/job.h"

#include <gtest/gtest.h>

namespace rankdeck::job_index_test {
namespace {

Job twoNodes()
{
    Job job;
    job.nodes.push_back({.name = "a", .host = "local", .ranks = {0, 2}});
    job.nodes.push_back({.name = "b", .host = "local", .ranks = {1, 5}});
    return job;
}

TEST(JobIndex, FindsTheSameNodesAsALinearSearch)
{
    const Job plain = twoNodes();
    Job fast = twoNodes();
    fast.index();
    const Job copy = fast;
    for (const Job *job : {&plain, &std::as_const(fast), &copy}) {
        EXPECT_EQ(job->ranks(), 6);
        for (int rank = -1; rank < 8; ++rank) {
            const NodeSpec *expected = plain.nodeOf(rank);
            const NodeSpec *found = job->nodeOf(rank);
            ASSERT_EQ(found == nullptr, expected == nullptr) << rank;
            if (found) { EXPECT_EQ(found->name, expected->name) << rank; }
        }
        EXPECT_EQ(job->nodeIndex("b"), 1);
        EXPECT_EQ(job->nodeIndex("c"), -1);
    }
    EXPECT_EQ(copy.nodeOf(5), &copy.nodes[1]) << "a node of the copy itself";
}

TEST(JobIndex, FallsBackToASearchWhenTheJobHasGrown)
{
    Job job = twoNodes();
    job.index();
    job.nodes.push_back({.name = "c", .host = "local", .ranks = {9}});
    EXPECT_EQ(job.ranks(), 10);
    ASSERT_NE(job.nodeOf(9), nullptr);
    EXPECT_EQ(job.nodeIndex("c"), 2);
}

}  // namespace
}  // namespace rankdeck::job_index_test
