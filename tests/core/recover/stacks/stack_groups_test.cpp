// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks that differ from the waiting ranks are the suspects; if all ranks look alike, there is no suspect.
#include "core/recover/actions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::stack_groups_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RankStack waiting(int rank)
{
    return {.rank = rank,
            .node = "n0",
            .pid = 100 + rank,
            .state = 'S',
            .wchan = "futex_wait_queue",
            .syscall = 202,
            .cpu = 0.0,
            .step = 607,
            .lastLine = "epoch: 7 step: 7"};
}

std::vector<RankStack> eight()
{
    std::vector<RankStack> ranks;
    for (int rank = 0; rank < 8; ++rank) ranks.push_back(waiting(rank));
    return ranks;
}

TEST(Stacks, NamesNoSuspectIfAllRanksHaveTheSameState)
{
    const StackReport report = groupStacks(eight());
    ASSERT_EQ(report.groups.size(), 1u);
    EXPECT_EQ(report.groups[0].state, "sleeps");
    EXPECT_EQ(report.groups[0].where, "futex_wait_queue, syscall 202");
    EXPECT_THAT(report.suspects, IsEmpty());
}

TEST(Stacks, StoppedProcessIsSuspectedBeforeASlowerRank)
{
    auto ranks = eight();
    ranks[3].step = 606;
    EXPECT_THAT(groupStacks(ranks).suspects, ElementsAre(3));
    ranks[6].state = 'T';
    ranks[6].wchan = "do_signal_stop";
    const StackReport report = groupStacks(ranks);
    EXPECT_THAT(report.suspects, ElementsAre(6));
    EXPECT_THAT(report.groups.front().ranks, ElementsAre(6)) << "the smallest group first";
    EXPECT_THAT(report.groups.front().evidence.front(),
                HasSubstr("rank 6 on n0, pid 106: state T, 0 % of a CPU, step 607"));
}

TEST(Stacks, RankThatComputesWhileTheOthersWaitIsASuspect)
{
    auto ranks = eight();
    ranks[5].cpu = 0.99;
    ranks[5].state = 'R';
    const StackReport report = groupStacks(ranks);
    EXPECT_EQ(report.groups.front().state, "computes");
    EXPECT_THAT(report.suspects, ElementsAre(5));
}

TEST(Stacks, UnknownRankIsNotASuspect)
{
    auto ranks = eight();
    ranks[1] = {.rank = 1, .node = "n1", .problem = "node n1 did not answer"};
    const StackReport report = groupStacks(ranks);
    EXPECT_EQ(report.groups.front().state, "is unknown");
    EXPECT_THAT(report.suspects, IsEmpty());
}

}  // namespace
}  // namespace rankdeck::stack_groups_test
