// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/notice.h"

#include "tests/ui/scenes.h"

#include <gtest/gtest.h>

namespace rankdeck::ui {
namespace {

using Kind = Notice::Kind;

Kind kindOf(const Snapshot &s) { return mostUrgent(s, scenes::now()).value().kind; }

TEST(Notice, HealthyIsQuiet) { EXPECT_FALSE(mostUrgent(scenes::healthy(), scenes::now()).has_value()); }

TEST(Notice, DeathNamesTheFirstToFailItsStepAndWhatToDo)
{
    const auto notice = mostUrgent(scenes::died(), scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->kind, Kind::died);
    EXPECT_EQ(notice->level, Notice::Level::bad);
    EXPECT_EQ(notice->fact, QStringLiteral("Rank 5 died at step 41,037"));
    EXPECT_TRUE(notice->rest.contains(QLatin1String("UCE error 507053")));
    ASSERT_EQ(notice->acts.size(), 2u);
    EXPECT_EQ(notice->acts[0].act, NoticeAct::showMoment);
    EXPECT_EQ(notice->acts[1].text, QStringLiteral("Resume from 40,600…"));
}

TEST(Notice, OrderIsDiedOverdueNothingValidLostStaleWarning)
{
    Snapshot s = scenes::healthy();
    s.messages = {"job file: unknown key \"worldsize\""};
    EXPECT_EQ(kindOf(s), Kind::warning);
    s.view.nodes[0].state = NodeState::stale;
    EXPECT_EQ(kindOf(s), Kind::stale);
    s.view.nodes[1].state = NodeState::lost;
    EXPECT_EQ(kindOf(s), Kind::lost);
    for (CheckpointSet &set : s.view.checkpoints.sets) set.verdict = Verdict::incomplete;
    EXPECT_EQ(kindOf(s), Kind::nothingValid);
    Snapshot overdue = scenes::stopping(5, 2);
    overdue.exit->started = scenes::now() - std::chrono::seconds(180);
    s.exit = overdue.exit;
    s.view.flags = overdue.view.flags;
    EXPECT_EQ(kindOf(s), Kind::armedOverdue);
    s.exit.reset();
    s.view.ranks[5].alive = false;
    s.view.ranks[5].exitCode = 1;
    EXPECT_EQ(kindOf(s), Kind::died);
}

TEST(Notice, NothingValidNamesTheNearestSet)
{
    Snapshot s = scenes::healthy();
    s.view.checkpoints.sets = {scenes::died().view.checkpoints.sets.front()};
    const auto notice = mostUrgent(s, scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->rest, QStringLiteral("Nearest: 41,000, rank 5 has only a .tmp, 212 of 494 MB."));
}

TEST(Notice, FailedProofNamesTheRankThatStartedFromZero)
{
    const auto notice = mostUrgent(scenes::notProven(), scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->kind, Kind::notProven);
    EXPECT_EQ(notice->rank, 6);
    EXPECT_EQ(notice->fact, QStringLiteral("Not proven: rank 6 started at step 1"));
}

TEST(Notice, FlagLeftAtOneOffersToClearIt)
{
    Snapshot s = scenes::healthy();
    s.view.flags[0].armed = true;
    const auto notice = mostUrgent(s, scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->kind, Kind::leftArmed);
    EXPECT_EQ(notice->acts.front().act, NoticeAct::cancelStop);
}

TEST(Notice, NodeThatAsksOffersToAnswer)
{
    Snapshot s = scenes::healthy();
    s.view.nodes[1].state = NodeState::needsYou;
    s.view.nodes[1].hostKey = HostKeyQuestion{"ascend-02", "10.0.0.2", "ssh-ed25519", "SHA256:abc", "known_hosts"};
    const auto notice = mostUrgent(s, scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->fact, QStringLiteral("ascend-02 shows an unknown host key"));
    EXPECT_EQ(notice->acts.front().act, NoticeAct::answerNode);
}

TEST(Notice, NeverOffersMoreThanTwoWays)
{
    for (const Snapshot &s : {scenes::died(), scenes::notProven(), scenes::stopping(5, 2), scenes::resumable()}) {
        if (const auto notice = mostUrgent(s, scenes::now())) { EXPECT_LE(notice->acts.size(), 2u); }
    }
}

}  // namespace
}  // namespace rankdeck::ui
