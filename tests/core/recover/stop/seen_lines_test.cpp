// SPDX-License-Identifier: GPL-3.0-or-later
// Loss lines since the request as evidence that a rank has read it.
#include "core/recover/stop/exit_proof.h"
#include "tests/core/recover/stop/checks/healthy_exit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::seen_lines_test {
namespace {

using test::at;
using test::HealthyExit;
using ::testing::HasSubstr;

TEST(SeenByLines, RankMayHoldTheRequestAfterOneLineAndHoldsItAfterTwo)
{
    HealthyExit job;
    ExitBaseline baseline{.armedAt = at(0), .armedRanks = {0, 1}, .positions = {{0, 50}, {1, 50}}};
    EXPECT_TRUE(ranksThatMayHold(job.view, baseline).empty());
    job.view.ranks[0].progress.position = 51;
    EXPECT_EQ(ranksThatMayHold(job.view, baseline), std::vector<int>{0});
    EXPECT_FALSE(proveExit(job.view, baseline, at(1)).ranks[0].seen);
    job.view.ranks[0].progress.position = 52;
    const ExitProof proof = proveExit(job.view, baseline, at(1));
    EXPECT_TRUE(proof.ranks[0].seen);
    EXPECT_EQ(proof.ranks[0].seenAt, at(1));
    EXPECT_EQ(proveExit(job.view, baseline, at(9), proof.ranks).ranks[0].seenAt, at(1)) << "the first time is kept";
    job.view.ranks[1].alive = false;
    EXPECT_EQ(ranksThatMayHold(job.view, baseline), std::vector<int>{0}) << "who is gone holds nothing";
}

// A script handles a signal without a new step. So a rank that has written no line since the signal may stop as well.
TEST(SeenByLines, ASignalMayStopARankThatWroteNoLineSince)
{
    HealthyExit job;
    for (const StopMethod way : {StopMethod::signal, StopMethod::scancel, StopMethod::config, StopMethod::stopFile}) {
        const ExitBaseline baseline{
            .way = way, .armedAt = at(0), .armedRanks = {0, 1}, .positions = {{0, 50}, {1, 50}}};
        EXPECT_EQ(ranksThatMayHold(job.view, baseline).size(), leavesAFile(way) ? 0u : 2u);
    }
}

TEST(SeenByLines, LinesAlreadyInTransitProveNothing)
{
    HealthyExit job;
    ExitBaseline baseline{.armedAt = at(0), .armedRanks = {0, 1}, .positions = {{0, 50}}, .delivered = {{0, 60}}};
    job.view.ranks[0].progress.position = 61;
    EXPECT_FALSE(proveExit(job.view, baseline, at(3)).ranks[0].seen);
    EXPECT_EQ(ranksThatMayHold(job.view, baseline).front(), 0) << "it may have, all the same";
    job.view.ranks[0].progress.position = 62;
    EXPECT_TRUE(proveExit(job.view, baseline, at(3)).ranks[0].seen);
}

TEST(SeenByLines, RankIsLateIfItIsBehindTheOthersOrTheStepTime)
{
    HealthyExit job;
    ExitBaseline baseline{.armedAt = at(0), .answer = 4, .armedRanks = {0, 1}, .positions = {{0, 50}, {1, 50}}};
    EXPECT_EQ(proveExit(job.view, baseline, at(6)).ranks[1].note, "");
    EXPECT_THAT(proveExit(job.view, baseline, at(20)).ranks[1].note, HasSubstr("13 s late"));
    job.view.ranks[0].gracefulExitSeen = true;
    job.view.ranks[0].gracefulExitTime = at(5);
    const ExitProof proof = proveExit(job.view, baseline, at(19));
    EXPECT_EQ(proof.ranks[0].note, "");
    EXPECT_THAT(proof.ranks[1].note, HasSubstr("12 s late"));
    EXPECT_EQ(proof.ranks[1].lateSeconds, 12);
}

}  // namespace
}  // namespace rankdeck::seen_lines_test
