// SPDX-License-Identifier: GPL-3.0-or-later
// Which sets count as saved by the exit, if the config and the checkpoints are on file servers with different clocks.
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

TEST(ExitProof, ExcludesAnEarlierSetEvenIfItsClockIsAhead)
{
    Saved old(90, 3600s);
    old.baseline.filesBefore[{"n0", "/ckpt/lenet-1_5.ckpt"}] = *old.view.checkpoints.sets[0].members[0].time;
    EXPECT_FALSE(old.proven());
}

TEST(ExitProof, AcceptsASetOfALaterStepEvenIfItsClockIsBehind)
{
    EXPECT_TRUE(Saved(105, -3600s).proven());
    EXPECT_FALSE(Saved(90, -3600s).proven());
}

TEST(ExitProof, RewrittenFileCountsAsNew)
{
    Saved again(105, 5s);
    again.baseline.filesBefore[{"n0", "/ckpt/lenet-1_5.ckpt"}] = wallFromNs(armedNs) - 60s;
    EXPECT_TRUE(again.proven());
}

// A periodic save at step 105 came between the request and the exit, which itself saved another step.
bool waitsFor(CheckpointKind proven, Verdict verdict, CheckpointKind kind, std::optional<std::int64_t> position)
{
    Saved saved(105, 5s);
    saved.view.checkpoints.sets[0].kind = proven;
    CheckpointSet other = saved.view.checkpoints.sets[0];
    other.id = "other";
    other.verdict = verdict;
    other.kind = kind;
    other.position = position;
    saved.view.checkpoints.sets.insert(saved.view.checkpoints.sets.begin(), other);
    return proveExit(saved.view, saved.baseline, std::chrono::system_clock::now()).mayBeMore;
}

TEST(ExitProof, WaitsForALaterSetThatIsNotJudgedYet)
{
    constexpr auto graceful = CheckpointKind::graceful, periodic = CheckpointKind::periodic;
    for (const CheckpointKind proven : {graceful, periodic}) {
        for (const CheckpointKind kind : {graceful, periodic}) {
            for (const Verdict open : {Verdict::inProgress, Verdict::unknown}) {
                EXPECT_TRUE(waitsFor(proven, open, kind, 107));
                EXPECT_FALSE(waitsFor(proven, open, kind, 90));
                EXPECT_EQ(waitsFor(proven, open, kind, 105), proven == graceful && kind == periodic);
                EXPECT_TRUE(waitsFor(proven, open, kind, std::nullopt));
            }
            EXPECT_FALSE(waitsFor(proven, Verdict::corrupt, kind, 107));
        }
    }
}

TEST(ExitProof, WaitsForADirectoryListingAfterTheRankHasGone)
{
    for (const CheckpointKind kind : {CheckpointKind::graceful, CheckpointKind::periodic}) {
        Saved saved(105, 5s);
        saved.view.checkpoints.sets[0].kind = kind;
        const WallTime now = wallFromNs(armedNs) + 60s;
        Inventory inventory;
        inventory.listed[0].asOf = now - 1s;
        saved.view.inventory = std::make_shared<const Inventory>(inventory);
        EXPECT_TRUE(proveExit(saved.view, saved.baseline, now).mayBeMore);
        inventory.listed[0].asOf = now + 1s;
        saved.view.inventory = std::make_shared<const Inventory>(inventory);
        EXPECT_FALSE(proveExit(saved.view, saved.baseline, now).mayBeMore);
    }
}

}  // namespace
}  // namespace rankdeck::exit_proof_test
