// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the window if no node answers, if there is only one rank, and if one log has the lines of all ranks.
#include "ui/state/act_state.h"
#include "ui/state/notice.h"
#include "ui/state/run_state.h"
#include "ui/state/stop_progress.h"

#include "tests/ui/scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace rankdeck::ui::unknown_words_test {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

std::string banner(const Snapshot &s)
{
    const auto worst = mostUrgent(s, scenes::now());
    return worst ? worst->fact.toStdString() + " | " + worst->rest.toStdString() : std::string();
}

Snapshot unheard()
{
    Snapshot s = scenes::healthy();
    for (NodeStatus &node : s.view.nodes) {
        node.state = NodeState::lost;
        node.reason = "the connection timed out";
        node.lastContact = scenes::now() - seconds(90);
    }
    for (RankState &rank : s.view.ranks) rank.alive = Known::unknown;
    s.view.lostWork.atMost = true;
    return s;
}

// One rank that hangs while a stop waits for it.
Snapshot alone()
{
    Snapshot s = scenes::stopping(0, 0);
    s.view.ranks = {s.view.ranks[0]};
    s.exit->ranks.resize(1);
    RankState &rank = s.view.ranks[0];
    rank.progress.usualSilence = 0.4;
    rank.progress.heard = scenes::now() - seconds(41);
    return s;
}

TEST(UnknownWords, RanksWithoutContactAreNotShownAsEnded)
{
    const Snapshot s = unheard();
    EXPECT_FALSE(resumeState(s).primary) << "they may train on";
    EXPECT_THAT(lostWords(s, scenes::now()).caption.toStdString(), HasSubstr("Lost if it has died"));
    EXPECT_THAT(lostWords(s, scenes::now()).value.toStdString(), HasSubstr("at most"));
    EXPECT_THAT(jobLine(s, scenes::now()).toStdString(), Not(HasSubstr("ended")));
    EXPECT_FALSE(stopState(s, scenes::now()).enabled) << "whatever was checked a moment ago";
    EXPECT_EQ(stopState(s, scenes::now()).note.toStdString(), "no node answers");
    Snapshot armed = scenes::stopping(0, 0);
    armed.view.nodes = s.view.nodes;
    EXPECT_EQ(stopMessage(armed, scenes::now()).bold.toStdString(), "No node answers.");
    EXPECT_EQ(stopState(armed, scenes::now()).note.toStdString(), "no node answers");
    Snapshot ended = unheard();
    for (RankState &rank : ended.view.ranks) {
        rank.alive = false;
        rank.exitCode = 0;
    }
    EXPECT_TRUE(resumeState(ended).primary);
    EXPECT_THAT(lostWords(ended, scenes::now()).caption.toStdString(), HasSubstr("Lost since step"));
}

TEST(UnknownWords, ReconnectingNodeIsShownAsLostAndNotRefused)
{
    Snapshot s = scenes::healthy();
    s.view.nodes[1].state = NodeState::connecting;
    EXPECT_EQ(banner(s), "") << "the first try";
    s.view.nodes[1].reason = "the connection timed out";
    EXPECT_THAT(banner(s), HasSubstr("is lost, trying again"));
    EXPECT_THAT(banner(s), Not(HasSubstr("refused")));
}

TEST(UnknownWords, SingleRankIsNamedInTheSingular)
{
    const Snapshot s = alone();
    EXPECT_THAT(banner(s), HasSubstr("The stop cannot finish: rank 0 hangs | 0 of 1 confirmed."));
    EXPECT_EQ(resumeState(s).note.toStdString(), "when the rank is gone");
}

TEST(UnknownWords, StepsOfAnUnknownRunMayAlreadyBeLost)
{
    Snapshot s = scenes::healthy();
    EXPECT_THAT(lostWords(s, scenes::now()).caption.toStdString(), HasSubstr("Lost if it dies now, since step"));
    for (RankState &rank : s.view.ranks) rank.alive.reset();
    EXPECT_THAT(lostWords(s, scenes::now()).caption.toStdString(), HasSubstr("Lost if it has died, since step"));
}

TEST(UnknownWords, ResumeWaitsForRanksThatMayRun)
{
    Snapshot s = scenes::stopping(0, 0);
    for (RankState &rank : s.view.ranks) {
        if (rank.rank == 3) continue;
        rank.alive = false;
        rank.exitCode = 1;
    }
    EXPECT_EQ(resumeState(s).note.toStdString(), "when rank 3 is gone");
}

TEST(UnknownWords, NaNRanksAreCountedAmongRanksThatLogALoss)
{
    Snapshot s = scenes::healthy();
    for (RankState &rank : s.view.ranks)
        if (rank.rank != 0) rank.progress = {.rank = rank.rank};
    s.view.ranks[0].progress.loss = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(banner(s), HasSubstr("Loss has been NaN on rank 0, the only rank that logs it, since step"));
}

TEST(UnknownWords, SignalIsReportedOnce)
{
    Snapshot s = scenes::healthy();
    RankState &rank = s.view.ranks[5];
    rank.alive = false;
    rank.seenAlive = true;
    rank.exitCode = -9;
    EXPECT_THAT(banner(s),
                HasSubstr("Reason: signal 9 (SIGKILL), sent by a person, by a scheduler, or for lack of memory."));
    EXPECT_THAT(banner(s), Not(HasSubstr("killed")));
}

TEST(UnknownWords, UnknownStepTimeIsNotZero)
{
    Snapshot s = scenes::healthy();
    s.view.lostWork = {.steps = 131, .known = true, .atMost = true};
    EXPECT_EQ(lostValue(s.view.lostWork).toStdString(), "at most 131 steps");
    EXPECT_EQ(lostWords(s, scenes::now()).note.toStdString(), "no set is known to be VALID");
    s.view.lostWork.atMost = false;
    EXPECT_EQ(lostWords(s, scenes::now()).note.toStdString(), "no set is VALID") << "one may have been";
    s.view.checkpoints.sets = {};
    EXPECT_EQ(lostWords(s, scenes::now()).note.toStdString(), "no set is VALID yet");
}

}  // namespace
}  // namespace rankdeck::ui::unknown_words_test
