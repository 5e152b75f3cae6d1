// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that ended because they gave up waiting, and the rank for which they had waited.
#include "tests/core/alarm/only_alarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::gave_up_test {
namespace {

using states::end;
using states::healthy;
using testing::HasSubstr;

// The alarm names the rank for which all others waited, whichever rank it is and whichever library gave up.
TEST(Alarms, TimedOutRanksBlameASilentRankThatMayStillRun)
{
    const char *const errors[] = {
        "[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE, Timeout(ms)=1200000) ran "
        "for 1200027 milliseconds before timing out.",
        "RuntimeError: [gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 1200000ms for recv operation to "
        "complete",
        "torch.distributed.DistStoreError: Timed out after 1200 seconds waiting for clients. 1/2 clients joined.",
    };
    for (const char *error : errors)
        for (int culprit = 0; culprit < 4; ++culprit) {
            JobState view = healthy(4);
            for (int rank = 0; rank < 4; ++rank)
                if (rank != culprit) end(view, rank, error);
            view.ranks[static_cast<std::size_t>(culprit)].alive = Known::unknown;
            const Alarm alarm = findAlarms(states::picture(view)).front();
            EXPECT_EQ(alarm.waitedFor, std::vector<int>{culprit});
            EXPECT_EQ(std::count(alarm.ranks.begin(), alarm.ranks.end(), culprit), 0) << "it is not said to have died";
            EXPECT_EQ(causeRole(alarm.cause), CauseRole::victim);
            EXPECT_THAT(alarm.text(),
                        HasSubstr("gave up waiting for rank " + std::to_string(culprit) + " after 20 min"))
                << error;
            EXPECT_THAT(alarm.text(), HasSubstr("Rank " + std::to_string(culprit) + " is silent")) << error;
        }
}

// A rank that ended without an error is suspected only if it may have kept the others waiting.
TEST(Alarms, BlamesNoRankThatEndedNormally)
{
    const char *const error = "RuntimeError: Timed out waiting 1200000ms for recv operation to complete";
    const struct {
        const char *what;
        std::int64_t step, total;
        bool leaving, blamed;
    } rows[] = {
        {"gone at the same step", 599, 0, false, true},
        {"gone earlier", 580, 1000, false, true},
        {"gone at the end of its training", 600, 600, false, false},
        {"gone further than they", 601, 0, false, false},
        {"about to be gone", 599, 0, true, false},
    };
    for (const auto &row : rows) {
        JobState view = healthy(4, 600);
        for (int rank = 1; rank < 4; ++rank) end(view, rank, error);
        RankState &gone = view.ranks[0];
        gone.alive = Known::no;
        gone.seenAlive = false;
        gone.leaving = row.leaving;
        gone.progress.position = row.step;
        if (row.total > 0) gone.progress.total = row.total;
        EXPECT_EQ(findAlarms(states::picture(view)).front().waitedFor,
                  row.blamed ? std::vector<int>{0} : std::vector<int>{})
            << row.what;
    }
}

// An unknown step does not count as step 0: the rank that ended has not made more steps than the others.
TEST(Alarms, TimedOutRanksWithoutAKnownStepBlameAVanishedRank)
{
    JobState view = healthy(4, 600);
    for (int rank = 1; rank < 4; ++rank) {
        end(view, rank, "RuntimeError: Timed out waiting 1200000ms for recv operation to complete");
        view.ranks[static_cast<std::size_t>(rank)].progress.position.reset();
    }
    view.ranks[0].alive = Known::no;
    view.ranks[0].seenAlive = false;
    EXPECT_EQ(findAlarms(states::picture(view)).front().waitedFor, std::vector<int>{0});
}

TEST(Alarms, BlamesNoSilentRankIfAnotherRankFailedByItsOwnError)
{
    JobState view = healthy(4);
    end(view, 1, "RuntimeError: Timed out waiting 1200000ms for recv operation to complete");
    end(view, 2, "ValueError: bad sample");
    view.ranks[3].alive = Known::unknown;
    const Alarm alarm = findAlarms(states::picture(view)).front();
    EXPECT_TRUE(alarm.waitedFor.empty());
    EXPECT_EQ(alarm.ranks.front(), 2);
}

}  // namespace
}  // namespace rankdeck::gave_up_test
