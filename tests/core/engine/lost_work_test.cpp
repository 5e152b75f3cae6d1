// SPDX-License-Identifier: GPL-3.0-or-later
// Work that would be lost if the job died now, for a console that saw no step. The step time comes from file times, and
// pauses do not count.
#include "core/engine/lost_work.h"

#include <gtest/gtest.h>

namespace rankdeck::lost_work_test {
namespace {

WallTime at(double seconds) { return secondsAfter(WallTime(std::chrono::seconds(1'700'000'000)), seconds); }

CheckpointSet valid(int attempt, std::int64_t position, double time)
{
    CheckpointSet set;
    set.id = std::to_string(attempt) + ":" + std::to_string(position);
    set.attempt = attempt;
    set.position = position;
    set.time = at(time);
    set.verdict = Verdict::valid;
    return set;
}

class LostWorkTest : public testing::Test {
protected:
    // One rank at this step, whose last line came at the time `heard`.
    LostWork lost(std::vector<CheckpointSet> sets, int attempts, std::int64_t step, double heard)
    {
        rankdeck::Run run(1000);
        for (int i = 0; i < attempts; ++i) run.beginAttempt(at(0));
        Sample sample;
        sample.epoch = 1;
        sample.step = step;
        run.add(0, attempts - 1, {sample}, at(heard));
        m_view.attempts = run.attempts();
        m_view.attempt = attempts - 1;
        m_view.job.nodes.push_back({.name = "n", .host = "local", .ranks = {0}});
        for (const CheckpointSet &set : sets) m_view.checkpoints.sets.push_back(set);
        m_view.checkpoints.recommended = sets.empty() ? std::optional<std::string>() : sets.front().id;
        m_view.checkpoints.settled = true;
        m_view.stepSeconds = run.stepSeconds();
        return lostWorkOf(m_view, run);
    }
    JobState m_view;
};

TEST_F(LostWorkTest, IgnoresAPauseBetweenTheSetAndTheLastLine)
{
    const LostWork work = lost({valid(0, 60, 15), valid(0, 40, 10), valid(0, 20, 5)}, 1, 71, 71);
    EXPECT_TRUE(work.known);
    EXPECT_EQ(work.steps, 11);
    EXPECT_DOUBLE_EQ(work.seconds, 11 * 0.25) << "file times alone say 56 s";
    EXPECT_DOUBLE_EQ(work.deviceHours, 11 * 0.25 / 3600);
}

// Regression: all work since the start counted as lost, although a set had been kept.
TEST_F(LostWorkTest, CountsFromAKeptSet)
{
    const auto keep = [this](int attempt, std::int64_t position, Known whole) {
        m_view.kept = std::make_shared<const KeptSets>(
            KeptSets{.sets = {{.id = "kept", .attempt = attempt, .position = position, .whole = whole}},
                     .listing = KeptListing::listed});
    };
    keep(0, 60, Known::unknown);
    EXPECT_FALSE(lost({}, 1, 71, 71).since) << "nobody knows whether it is whole";
    keep(0, 60, Known::yes);
    const LostWork work = lost({}, 1, 71, 71);
    EXPECT_EQ(work.since, 60);
    EXPECT_EQ(work.steps, 11);
    EXPECT_TRUE(work.fromKept);
    EXPECT_FALSE(lost({valid(0, 65, 15)}, 1, 71, 71).fromKept) << "a newer one is there";
}

TEST_F(LostWorkTest, OnePauseBetweenTwoSetsDoesNotChangeTheStepTime)
{
    EXPECT_DOUBLE_EQ(lost({valid(0, 80, 620), valid(0, 60, 15), valid(0, 40, 10), valid(0, 20, 5)}, 1, 84, 621).seconds,
                     1);
}

TEST_F(LostWorkTest, TimeBetweenAttemptsIsNotAStepTime)
{
    EXPECT_DOUBLE_EQ(lost({valid(0, 40, 10), valid(0, 20, 5)}, 2, 50, 5000).seconds, 2.5);
}

TEST_F(LostWorkTest, DerivesTheStepTimeFromOneSetAndTheStartOfTheAttempt)
{
    EXPECT_DOUBLE_EQ(lost({valid(0, 20, 10)}, 1, 31, 500).seconds, 5.5);
}

TEST_F(LostWorkTest, ReportsNoSecondsIfTheTimeIsUnknown)
{
    CheckpointSet one = valid(0, 20, 10);
    one.time.reset();
    const LostWork work = lost({one}, 1, 31, 500);
    EXPECT_EQ(work.steps, 11);
    EXPECT_EQ(work.seconds, 0);
}

// Regression: "at most 11 steps", although the job continued to train behind the cut links.
TEST_F(LostWorkTest, HasATimeStampIfNoRankIsInContact)
{
    RankState rank{.rank = 0, .node = "n", .seenAlive = true};
    rank.progress.attempt = 0;
    rank.progress.heard = at(71);
    rank.alive = true;
    m_view.ranks = {rank};
    EXPECT_FALSE(lost({valid(0, 60, 15)}, 1, 71, 71).asOf);
    m_view.ranks.at(0).alive.reset();
    m_view.nodes.push_back({.name = "n", .state = NodeState::lost});
    EXPECT_EQ(lost({valid(0, 60, 15)}, 1, 71, 71).asOf, at(71));
    m_view.checkpoints.sets.clear();
    EXPECT_FALSE(lost({}, 1, 71, 71).asOf) << "a set there may be VALID: it is at most";
    m_view.ranks.at(0).alive = false;
    EXPECT_FALSE(lost({valid(0, 60, 15)}, 1, 71, 71).asOf) << "who is gone trains no more";
}

}  // namespace
}  // namespace rankdeck::lost_work_test
