// SPDX-License-Identifier: GPL-3.0-or-later
// Which sets count as saved by the exit, when the config and the checkpoints lie on file servers whose clocks differ.
#include "core/recover/stop/exit_proof.h"

#include <gtest/gtest.h>

namespace rankdeck::exit_proof_test {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t armedNs = 1'700'000'000'000'000'000;

struct Saved {
    JobState view;
    ExitBaseline baseline;

    explicit Saved(std::int64_t position, std::chrono::seconds behindTheConfig)
    {
        view.ranks = {{.rank = 0, .node = "n0", .alive = false, .gracefulExitSeen = true}};
        CheckpointSet set;
        set.id = "0:1-5";
        set.verdict = Verdict::valid;
        set.position = position;
        set.members = {{.rank = 0,
                        .node = "n0",
                        .path = "/ckpt/lenet-1_5.ckpt",
                        .state = MemberState::ok,
                        .time = wallFromNs(armedNs) + behindTheConfig}};
        view.checkpoints.sets = {set};
        baseline.armedNs = {{"n0", armedNs}};
        baseline.armedRanks = {0};
        baseline.positions = {{0, 100}};
    }
    [[nodiscard]] bool proven() const
    {
        return proveExit(view, baseline, std::chrono::system_clock::now()).set.has_value();
    }
};

TEST(ExitProof, ASetThatWasThereBeforeIsNotTheExitsHoweverFarItsClockIsAhead)
{
    Saved old(90, 3600s);
    old.baseline.filesBefore[{"n0", "/ckpt/lenet-1_5.ckpt"}] = *old.view.checkpoints.sets[0].members[0].time;
    EXPECT_FALSE(old.proven());
}

TEST(ExitProof, ASetOfALaterStepIsTheExitsHoweverFarItsClockIsBehind)
{
    EXPECT_TRUE(Saved(105, -3600s).proven());
    EXPECT_FALSE(Saved(90, -3600s).proven());
}

TEST(ExitProof, AFileThatWasWrittenAgainIsNew)
{
    Saved again(105, 5s);
    again.baseline.filesBefore[{"n0", "/ckpt/lenet-1_5.ckpt"}] = wallFromNs(armedNs) - 60s;
    EXPECT_TRUE(again.proven());
}

}  // namespace
}  // namespace rankdeck::exit_proof_test
