// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/incidents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::incidents_test {
namespace {

WallTime at(int seconds) { return WallTime(std::chrono::seconds(1'700'000'000 + seconds)); }

AttemptInfo attempt(int index, int began, std::int64_t first, std::int64_t last)
{
    AttemptInfo info{.index = index, .started = at(began)};
    info.firstStep = first;
    info.lastStep = last;
    return info;
}

Event death(int rank, int attempt, int time, const std::string &text)
{
    Event event;
    event.kind = EventKind::rankDied;
    event.rank = rank;
    event.attempt = attempt;
    event.time = at(time);
    event.text = text;
    return event;
}

JournalEntry entry(const std::string &action, const std::string &kind, const std::string &state, int time)
{
    JournalEntry one{.action = action, .job = "j", .file = {}, .kind = kind, .state = state, .text = state};
    one.user = "ann";
    one.host = "desk";
    one.time = at(time);
    return one;
}

TEST(Incidents, DeathIsReportedWithFirstRankDecisionAndLostWork)
{
    AttemptInfo second = attempt(1, 160, 101, 150);
    second.resumedFrom = 100;
    const auto all = incidentsOf(
        {attempt(0, 0, 1, 130), second},
        {death(3, 0, 102, "rank 0 is gone"), death(1, 0, 100, "the disk is full"), death(1, 0, 104, "told again")},
        {entry("r1", "resume", "planned", 150), entry("r1", "resume", "launching", 155),
         entry("r1", "resume", "proven", 170)},
        {{1, at(165)}});
    ASSERT_EQ(all.size(), 1u);
    const Incident &one = all.front();
    EXPECT_EQ(one.failed, at(100));
    EXPECT_THAT(one.died, testing::ElementsAre(1, 3));
    EXPECT_EQ(one.how, "the disk is full");
    EXPECT_EQ(one.decidedBy, "ann@desk");
    EXPECT_EQ(one.outcome, "proven");
    EXPECT_EQ(one.lostSteps(), 30);
    EXPECT_EQ(one.toDecision(), 50);
    EXPECT_EQ(one.toFirstStep(), 15);
}

TEST(Incidents, ActionsOfAnotherAttemptAreExcluded)
{
    AttemptInfo second = attempt(1, 100, 61, 90), third = attempt(2, 300, 81, 95);
    second.resumedFrom = 60;
    third.resumedFrom = 80;
    const auto all = incidentsOf({attempt(0, 0, 1, 60), second, third}, {death(0, 1, 250, "gone")},
                                 {entry("e1", "exit", "stopped", 80), entry("r1", "resume", "planned", 90),
                                  entry("r1", "resume", "proven", 110), entry("r2", "resume", "planned", 290),
                                  entry("r2", "resume", "failed", 320)},
                                 {});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].stopped, at(80));
    EXPECT_FALSE(all[0].failed);
    EXPECT_EQ(all[0].toDecision(), 10);
    EXPECT_EQ(all[0].lostSteps(), 0);
    EXPECT_EQ(all[0].outcome, "proven");
    EXPECT_EQ(all[0].toFirstStep(), 20) << "the proof came then";
    EXPECT_EQ(all[1].failed, at(250));
    EXPECT_FALSE(all[1].stopped);
    EXPECT_EQ(all[1].outcome, "failed");
    EXPECT_EQ(all[1].lostSteps(), 10);
    EXPECT_FALSE(all[1].toFirstStep()) << "no first step was heard";
}

// A console that started late saw no event about it, but an active alarm reports it.
TEST(Incidents, CurrentProblemIsReportedWithoutAnEvent)
{
    Alarm nan{.code = AlarmCode::nanLoss, .severity = Severity::alarm, .since = at(50), .ranks = {3, 4}};
    nan.confirmed = 1;
    Alarm hang{.code = AlarmCode::stalled,
               .severity = Severity::alarm,
               .since = at(60),
               .ranks = {6},
               .fact = "No step for 12 s"};
    const std::vector<AttemptInfo> attempts = {attempt(0, 0, 1, 100), attempt(1, 10, 1, 130)};
    const auto all = incidentsOf(attempts, {}, {}, {}, {nan, hang});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_FALSE(all[0].notFinite) << "it is the last attempt's";
    EXPECT_EQ(all[1].notFinite, at(50));
    EXPECT_EQ(all[1].notFiniteRank, 3);
    EXPECT_EQ(all[1].wrong, "No step for 12 s.");
    const Alarm died{
        .code = AlarmCode::rankDied, .severity = Severity::alarm, .since = at(70), .ranks = {2}, .detail = "OSError"};
    const auto dead = incidentsOf(attempts, {}, {}, {}, {died});
    EXPECT_EQ(dead[1].failed, at(70));
    EXPECT_EQ(dead[1].how, "OSError");
    const auto told = incidentsOf(attempts, {death(5, 1, 65, "told")}, {}, {}, {died});
    EXPECT_EQ(told[1].how, "told") << "an event knows more";
}

TEST(Incidents, NothingIsReportedForUnseenEvents)
{
    EXPECT_TRUE(incidentsOf({attempt(0, 0, 1, 60)}, {}, {}, {}).empty()) << "it runs";
    const auto all = incidentsOf({attempt(0, 0, 1, 60), attempt(1, 100, 1, 5)}, {}, {}, {});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_FALSE(all[0].failed || all[0].stopped || all[0].decided);
    EXPECT_EQ(all[0].lostSteps(), 60) << "it began anew";
    AttemptInfo silent{.index = 1, .started = at(100)};
    EXPECT_FALSE(incidentsOf({attempt(0, 0, 1, 60), silent}, {}, {}, {})[0].lostSteps()) << "it has not stepped";
}

}  // namespace
}  // namespace rankdeck::incidents_test
