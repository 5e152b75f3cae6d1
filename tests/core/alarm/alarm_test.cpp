// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of alarms with their numbers: the smaller rules, and the order of all alarms.
#include "tests/core/alarm/only_alarm.h"

#include <gtest/gtest.h>

namespace rankdeck::alarm_test {
namespace {

using states::end;
using states::healthy;
using std::chrono::seconds;

TEST(Alarms, HealthyJobRaisesNoAlarm) { EXPECT_TRUE(codes(states::picture(healthy(8))).empty()); }

TEST(Alarms, ReportsAStopThatCannotFinish)
{
    JobState view = healthy(8);
    end(view, 1, "RuntimeError: boom");
    Picture picture = states::picture(view);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(10), .ranks = 8};
    const std::vector<Alarm> all = findAlarms(picture);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].code, AlarmCode::rankDied);
    EXPECT_EQ(all[1].code, AlarmCode::stopStuck);
    EXPECT_EQ(all[1].text(), "The stop cannot finish: rank 1 died. 0 of 8 confirmed.");
    EXPECT_EQ(all[1].fix, "End ranks 0, 2–7, then resume.");
}

TEST(Alarms, ReportsRanksOfALostNodeAsUnknown)
{
    JobState view = healthy(4);
    view.nodes[1].state = NodeState::lost;
    view.nodes[1].reason = "Connection refused";
    view.nodes[1].since = states::now() - seconds(20);
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::nodeLost);
    EXPECT_EQ(alarm.ranks, (std::vector<int>{2, 3}));
    EXPECT_EQ(alarm.nodes, std::vector<std::string>{"n1"});
    EXPECT_EQ(alarm.since, view.nodes[1].since);
}

// Regression: the alarm about a refused node did not say what to do.
TEST(Alarms, EachNodeAlarmSaysWhatToDo)
{
    for (const NodeState state : {NodeState::lost, NodeState::refused, NodeState::unsupported, NodeState::needsYou,
                                  NodeState::stale, NodeState::queued, NodeState::connecting}) {
        JobState view = healthy(4);
        view.nodes[1].state = state;
        view.nodes[1].reason = "Permission denied";
        const Alarm alarm = only(states::picture(view));
        EXPECT_FALSE(alarm.fix.empty()) << alarm.text();
        EXPECT_NE(alarm.text().find("Permission denied"), std::string::npos) << alarm.text();
    }
}

TEST(Alarms, ReportsALeftoverFlagAndAStopThatTakesTooLong)
{
    JobState view = healthy(4);
    view.flags = {{.node = "n0", .path = "/f", .value = 1, .armed = true, .since = states::now() - seconds(60)}};
    EXPECT_EQ(only(states::picture(view)).code, AlarmCode::leftArmed);
    Picture picture = states::picture(view);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(119), .ranks = 4};
    EXPECT_TRUE(codes(picture).empty());
    picture.stop->started = states::now() - seconds(140);
    EXPECT_EQ(only(picture).text(),
              "Armed for 2 min 20 s, 0 of 4 ranks have confirmed. All were expected within a few steps.");
}

// No line confirms the stop of a script that a signal or a file stops, and no file contains GracefulExit.
TEST(Alarms, CountsExitedRanksIfTheStopLeavesNoLogLines)
{
    JobState view = healthy(4);
    Picture picture = states::picture(view);
    picture.stop = StopPicture{
        .running = true, .leavesLines = false, .started = states::now() - seconds(140), .ranks = 4, .exited = 1};
    EXPECT_EQ(only(picture).text(),
              "Armed for 2 min 20 s, 1 of 4 ranks have ended. All were expected within a few steps.");
    EXPECT_EQ(only(picture).confirmed, 1);
    view.job.gracefulExit = {.stopFile = "/job/STOP"};
    view.flags = {{.node = "n0", .path = "/job/STOP", .armed = true}};
    EXPECT_EQ(only(states::picture(view)).text(),
              "The stop file is still there on n0. The run stops at its next check.");
}

TEST(Alarms, ReportsAFailedSaveWhileTheRankStillRuns)
{
    JobState view = healthy(4);
    Event event;
    event.kind = EventKind::error;
    event.attempt = 0;
    event.rank = 2;
    event.node = "n1";
    event.position = 600;
    event.text = "OSError: [Errno 28] No space left on device\n  File save.py";
    view.recentEvents = {event};
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::diskFull);
    EXPECT_EQ(alarm.text(),
              "The disk is full, rank 2 on n1 at step 600. Reason: OSError: [Errno 28] No space left on device.");
    view.checkpoints.sets = {states::validSet(620, 4)};
    view.checkpoints.recommended = "0:620";
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "a whole set came after it";
}

// The result does not depend on which log was read first, and the first line names no cause.
TEST(Alarms, FailedSaveNamesItsCauseAndAllFailedRanks)
{
    JobState view = healthy(4);
    std::vector<Event> events;
    for (const int rank : {3, 0, 1}) {
        Event event{.rank = rank, .kind = EventKind::error, .text = "Failed to save the checkpoint file /c/r.ckpt"};
        event.position = 600;
        events.push_back(event);
    }
    view.recentEvents = SharedVector<Event>(events);
    EXPECT_EQ(only(states::picture(view)).code, AlarmCode::saveFailed);
    events.push_back(events.front());
    events.back().text = "OSError: [Errno 27] File too large";
    view.recentEvents = SharedVector<Event>(events);
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::diskFull);
    EXPECT_EQ(alarm.text(), "The disk is full, ranks 0, 1, 3 at step 600. Reason: OSError: [Errno 27] File too large.");
    EXPECT_EQ(alarm.nodes, (std::vector<std::string>{"n0", "n1"}));
    Alarm before = alarm;
    before.nodes = {"n1"};
    EXPECT_TRUE(sameAlarm(before, alarm)) << "it is the same save";
}

TEST(Alarms, ReportsSavesThatNoLongerArriveOnTime)
{
    JobState view = healthy(2, 149);
    for (std::int64_t step : {100, 80, 60, 40}) view.checkpoints.sets.push_back(states::validSet(step, 2));
    view.checkpoints.settled = true;
    view.checkpoints.recommended = "0:100";
    EXPECT_TRUE(codes(states::picture(view)).empty());
    for (RankState &rank : view.ranks) rank.progress.position = 151;
    EXPECT_EQ(only(states::picture(view)).text(),
              "No save since step 100, 51 steps ago. Usually there is one every 20 steps.");
    view.nodes[0].state = NodeState::stale;
    EXPECT_EQ(codes(states::picture(view)), std::vector<AlarmCode>{AlarmCode::nodeStale})
        << "not listed is not missing";
}

// A console with an empty state directory that starts after a resume counts the attempts from 0, but the files show two
// attempts.
TEST(Alarms, DoesNotReportSavesBeforeAResumeAsOverdue)
{
    JobState view = healthy(2, 770);
    for (std::int64_t step : {760, 740, 280, 260, 240, 220}) {
        view.checkpoints.sets.push_back(states::validSet(step, 2));
        view.checkpoints.sets.back().attempt = step > 280 ? 1 : 0;
    }
    view.checkpoints.settled = true;
    view.checkpoints.recommended = "0:760";
    EXPECT_TRUE(codes(states::picture(view)).empty());
    Event full;
    full.kind = EventKind::error;
    full.attempt = 0;
    full.rank = 1;
    full.position = 700;
    full.text = "OSError: [Errno 28] No space left on device";
    view.recentEvents.push_back(full);
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "a whole set came after it, whatever attempt it is counted to";
}

TEST(Alarms, ReportsNoValidSetOnlyWhenAllSetsAreJudged)
{
    JobState view = healthy(2);
    view.checkpoints.settled = true;
    view.checkpoints.sets = {states::validSet(600, 2, Verdict::incomplete), states::validSet(580, 2, Verdict::unknown)};
    view.checkpoints.sets[0].reasons = {{"rank_missing", 1, "rank 1 has no file"}};
    EXPECT_TRUE(codes(states::picture(view)).empty());
    view.checkpoints.sets.pop_back();
    EXPECT_EQ(only(states::picture(view)).text(),
              "No checkpoint set can be resumed by all ranks. Nearest: 600, rank 1 has no file.");
}

TEST(Alarms, SortsAlarmsBySeverityFromDeathToNote)
{
    JobState view = healthy(6);
    end(view, 0, "RuntimeError: boom");
    view.ranks[1].progress.loss = nan;
    for (RankState &rank : view.ranks) rank.progress.heard = states::now() - seconds(30);
    NodeStatus lost;
    lost.name = "n2";
    lost.state = NodeState::lost;
    view.nodes.push_back(lost);
    Picture picture = states::picture(view);
    picture.stop = StopPicture{.running = true, .started = states::now() - seconds(300), .ranks = 6};
    picture.notes = {"unknown key"};
    using enum AlarmCode;
    EXPECT_EQ(codes(picture),
              (std::vector<AlarmCode>{rankDied, stopStuck, nanLoss, stalled, nodeLost, armedLong, note}));
}

}  // namespace
}  // namespace rankdeck::alarm_test
