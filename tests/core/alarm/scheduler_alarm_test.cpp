// SPDX-License-Identifier: GPL-3.0-or-later
// Alarms from facts of the scheduler: facts that are current, facts that have ended, and a scheduler that has not
// answered.
#include "core/alarm/alarm.h"
#include "core/scheduler/scheduler_state.h"
#include "tests/core/state/states.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::scheduler_alarm_test {
namespace {

struct Scene {
    JobState view;
    SchedulerState said;
    std::vector<Alarm> alarms()
    {
        Picture picture = states::picture(view);
        picture.scheduler = &said;
        return findAlarms(picture);
    }
    bool holds(AlarmCode code)
    {
        const std::vector<Alarm> all = alarms();
        return std::any_of(all.begin(), all.end(), [&](const Alarm &alarm) { return alarm.code == code; });
    }
};

Scene saying(SchedulerState state, int ranks = 4)
{
    Scene scene{.view = states::healthy(ranks), .said = std::move(state)};
    scene.view.job.nodes = {{.name = "n0", .host = "k8s:j/p-0", .ranks = {0, 1}},
                            {.name = "n1", .host = "k8s:j/p-1", .ranks = {2, 3}}};
    return scene;
}

SchedulerState with(SchedulerFact fact)
{
    SchedulerState state{.kind = SchedulerKind::kubernetes};
    state.answers.push_back({.question = "pods", .facts = {std::move(fact)}, .asOf = states::now()});
    return state;
}

TEST(SchedulerAlarms, RaisesNoAlarmWithoutAnAnswerOfTheScheduler)
{
    EXPECT_TRUE(findAlarms(states::picture(states::healthy(4))).empty());
    SchedulerState silent{.kind = SchedulerKind::kubernetes};
    silent.answers.push_back({.question = "machines", .problem = "this login may not do that", .mayNot = true});
    EXPECT_TRUE(saying(silent).alarms().empty());
}

TEST(SchedulerAlarms, UnhealthyDeviceNamesItsNodeAndRanks)
{
    const std::vector<Alarm> all = saying(with({.code = SchedulerFactCode::deviceUnhealthy,
                                                .text = "machine m has unhealthy devices: Ascend910-1",
                                                .node = "n1"}))
                                       .alarms();
    ASSERT_EQ(all.size(), 1u);
    const Alarm &alarm = all.front();
    EXPECT_EQ(alarm.code, AlarmCode::deviceUnhealthy);
    EXPECT_STREQ(alarmCodeName(alarm.code), "device_unhealthy");
    EXPECT_EQ(alarm.ranks, (std::vector<int>{2, 3}));
    EXPECT_EQ(alarm.nodes, (std::vector<std::string>{"n1"}));
    EXPECT_NE(alarm.text().find("Ascend910-1"), std::string::npos) << alarm.text();
}

TEST(SchedulerAlarms, ReportsAWaitingJobOnlyAfterALongWaitWithoutRunningRanks)
{
    const auto since = [](int seconds) {
        return with({.code = SchedulerFactCode::jobWaits,
                     .text = "vcjob lenet is Pending",
                     .time = states::now() - std::chrono::seconds(seconds)});
    };
    Scene gone = saying(since(600), 2);
    for (int rank : {0, 1}) states::end(gone.view, rank, {}, 0);
    EXPECT_TRUE(gone.holds(AlarmCode::jobWaits));
    gone.said = since(10);
    EXPECT_FALSE(gone.holds(AlarmCode::jobWaits));
    EXPECT_FALSE(saying(since(600)).holds(AlarmCode::jobWaits));
}

TEST(SchedulerAlarms, ReportsTheTimeLimitHalfAnHourBefore)
{
    SchedulerState state{.kind = SchedulerKind::slurm, .job = "7"};
    state.ends = states::now() + std::chrono::minutes(20);
    const std::vector<Alarm> all = saying(state).alarms();
    ASSERT_EQ(all.size(), 1u);
    const Alarm &alarm = all.front();
    EXPECT_EQ(alarm.code, AlarmCode::timeLimit);
    EXPECT_NE(alarm.text().find("20 min"), std::string::npos) << alarm.text();
    state.ends = states::now() + std::chrono::hours(2);
    EXPECT_TRUE(saying(state).alarms().empty());
}

TEST(SchedulerAlarms, ReportsWhenDeletedPodsWillBeEndedByForce)
{
    SchedulerState state{.kind = SchedulerKind::kubernetes, .job = "lenet"};
    state.ends = states::now() + std::chrono::minutes(9);
    const std::vector<Alarm> all = saying(state).alarms();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].code, AlarmCode::timeLimit);
    EXPECT_NE(all[0].text().find("The pods will be ended by force in 9 min"), std::string::npos) << all[0].text();
    EXPECT_EQ(all[0].text().find("Slurm"), std::string::npos) << all[0].text();
}

// A node that does not answer has not ended its ranks, so they still reach the time limit.
TEST(SchedulerAlarms, ReportsTheTimeLimitForRanksWithUnknownState)
{
    Scene scene = saying({.kind = SchedulerKind::slurm, .job = "7"});
    scene.said.ends = states::now() + std::chrono::minutes(20);
    for (RankState &rank : scene.view.ranks) rank.alive = {};
    EXPECT_TRUE(states::picture(scene.view).fates.running.empty());
    const std::vector<Alarm> all = scene.alarms();
    const auto limit =
        std::find_if(all.begin(), all.end(), [](const Alarm &alarm) { return alarm.code == AlarmCode::timeLimit; });
    ASSERT_NE(limit, all.end());
    EXPECT_EQ(limit->ranks, (std::vector<int>{0, 1, 2, 3}));
}

// Facts from before the scheduler stopped answering are old: the time since then begins no alarm. The text states the
// age of the answer.
TEST(SchedulerAlarms, ReportsTheAgeOfFactsIfTheSchedulerIsSilent)
{
    const WallTime answered = states::now() - std::chrono::minutes(5);
    const auto silent = [&](SchedulerFact fact) {
        SchedulerState state = with(std::move(fact));
        state.answers[0].asOf = answered;
        state.answers[0].problem = "kubectl said: connection refused";
        return state;
    };
    Scene sick = saying(
        silent({.code = SchedulerFactCode::deviceUnhealthy, .text = "machine m has unhealthy devices: Ascend910-1"}));
    ASSERT_EQ(sick.alarms().size(), 1u);
    EXPECT_EQ(sick.alarms()[0].text(),
              "A device of the job was unhealthy at the scheduler's last answer, 5 min ago. The scheduler reports: "
              "machine m has unhealthy devices: Ascend910-1.");

    const auto waiting = [&](int secondsBefore) {
        return silent({.code = SchedulerFactCode::jobWaits,
                       .text = "vcjob lenet is Pending",
                       .time = answered - std::chrono::seconds(secondsBefore)});
    };
    Scene gone = saying(waiting(10), 2);
    for (int rank : {0, 1}) states::end(gone.view, rank, {}, 0);
    EXPECT_FALSE(gone.holds(AlarmCode::jobWaits)) << "it had waited for ten seconds";
    gone.said = waiting(600);
    ASSERT_TRUE(gone.holds(AlarmCode::jobWaits));
    EXPECT_TRUE(
        gone.alarms()[0].text().starts_with("The job was not started at the scheduler's last answer, 5 min ago. "));

    SchedulerState slurm{.kind = SchedulerKind::slurm, .job = "7"};
    slurm.ends = states::now() + std::chrono::minutes(20);
    slurm.answers.push_back({.question = "job", .asOf = answered, .problem = "Unable to contact slurm controller"});
    const std::vector<Alarm> limit = saying(slurm).alarms();
    ASSERT_EQ(limit.size(), 1u);
    EXPECT_TRUE(limit[0].text().ends_with(", as reported 5 min ago.")) << limit[0].text();
}

TEST(SchedulerAlarms, DoesNotReportTheTimeLimitAfterAllRanksEnded)
{
    Scene scene = saying({.kind = SchedulerKind::slurm, .job = "7"});
    scene.said.ends = states::now() + std::chrono::minutes(20);
    for (int rank = 0; rank < 4; ++rank) states::end(scene.view, rank, {}, 0);
    EXPECT_FALSE(scene.holds(AlarmCode::timeLimit));
}

}  // namespace
}  // namespace rankdeck::scheduler_alarm_test
