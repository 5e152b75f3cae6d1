// SPDX-License-Identifier: GPL-3.0-or-later
// Healthy jobs that are silent for good reasons, line by line and second by second on their own clock: none of them
// counts as hanging.
#include "core/alarm/alarm.h"
#include "core/parse/log_parser.h"
#include "core/run/run.h"
#include "tests/core/state/states.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck::honest_silence_test {
namespace {

// One event of a rank's log: some seconds of silence, then a line.
struct Wait {
    double seconds = 0;
    std::string line = {};
};

// MindSpore's LossMonitor: one line for each step.
std::string lossLine(std::int64_t step, std::int64_t perEpoch)
{
    return "epoch: " + std::to_string((step - 1) / perEpoch + 1) +
           " step: " + std::to_string((step - 1) % perEpoch + 1) + ", loss is 2.5";
}

// The waits before the steps. A line of TimeMonitor shows the length of an epoch.
std::vector<Wait> steps(int count, std::int64_t perEpoch, const std::function<double(int)> &seconds)
{
    std::vector<Wait> all;
    for (int step = 1; step <= count; ++step) {
        all.push_back({seconds(step), lossLine(step, perEpoch)});
        if (step % perEpoch == 0)
            all.push_back({0, "Train epoch time: 1000.000 ms, per step time: " +
                                  std::to_string(1000.0 / static_cast<double>(perEpoch)) + " ms"});
    }
    return all;
}

class HonestSilence : public testing::Test {
protected:
    // All alarms that were active at any second, each listed once.
    std::vector<std::string> alarmsOf(int ranks, const std::vector<int> &logging, const std::vector<Wait> &waits)
    {
        rankdeck::Run run;
        WallTime now = WallTime(std::chrono::hours(480'000));
        run.beginAttempt(now);
        std::vector<std::unique_ptr<LogParser>> parsers;
        for (std::size_t i = 0; i < logging.size(); ++i)
            parsers.push_back(std::move(LogParser::make({}, LogRole::worker)).value());
        std::vector<std::string> said;
        std::uint64_t offset = 1000;
        for (const Wait &wait : waits) {
            for (double passed = 0; passed < wait.seconds; passed += 1) {
                look(run, ranks, secondsAfter(now, passed), said);
            }
            now = secondsAfter(now, wait.seconds);
            for (std::size_t i = 0; i < logging.size(); ++i) {
                Parsed parsed;
                parsers[i]->line(wait.line, offset, parsed);
                run.add(logging[i], 0, parsed.samples, now, false);
                for (const LogEvent &event : parsed.events) {
                    Event told;
                    told.kind = event.kind;
                    told.rank = logging[i];
                    told.stepMs = event.stepMs;
                    told.stepsPerEpoch = event.stepsPerEpoch;
                    run.add(std::move(told));
                }
            }
            offset += wait.line.size() + 1;
        }
        look(run, ranks, now, said);
        EXPECT_TRUE(run.lastPosition()) << "the lines were read";
        return said;
    }

private:
    static void look(const rankdeck::Run &run, int ranks, WallTime now, std::vector<std::string> &said)
    {
        JobState view = states::healthy(ranks);
        for (NodeStatus &node : view.nodes) node.lastContact = now;
        view.stepsPerEpoch = run.stepsPerEpoch();
        for (RankState &rank : view.ranks) rank.progress = run.progress(rank.rank);
        Picture picture{.view = view, .now = now, .settled = true};
        picture.fates = fatesOf(view);
        for (const Alarm &alarm : findAlarms(picture))
            if (said.size() < 3) said.push_back(alarm.text());
    }
};

using Texts = std::vector<std::string>;

TEST_F(HonestSilence, SingleRankRaisesNoAlarm)
{
    EXPECT_EQ(alarmsOf(1, {0}, steps(350, 100, [](int step) { return step % 7 == 0 ? 1.4 : 1; })), Texts());
}

TEST_F(HonestSilence, RaisesNoAlarmIfOnlyTheFirstRankLogs)
{
    EXPECT_EQ(alarmsOf(8, {0}, steps(350, 100, [](int) { return 1; })), Texts());
}

TEST_F(HonestSilence, RaisesNoAlarmForStepsOfTwentyMinutes)
{
    EXPECT_EQ(alarmsOf(4, {0, 1, 2, 3}, steps(30, 10, [](int step) { return step % 5 == 0 ? 1500 : 1200; })), Texts());
}

TEST_F(HonestSilence, RaisesNoAlarmWhileTheFirstStepCompiles)
{
    EXPECT_EQ(
        alarmsOf(4, {0, 1, 2, 3}, steps(150, 100, [](int step) { return step == 1   ? 1800
                                                                        : step == 2 ? 300
                                                                                    : 1; })),
        Texts());
}

TEST_F(HonestSilence, RaisesNoAlarmForAnEvaluationAfterEachEpoch)
{
    EXPECT_EQ(
        alarmsOf(4, {0, 1, 2, 3}, steps(650, 100, [](int step) { return step > 1 && step % 100 == 1 ? 400 : 1; })),
        Texts());
}

TEST_F(HonestSilence, RaisesNoAlarmForSavesAndModerateSlowdowns)
{
    EXPECT_EQ(alarmsOf(4, {0, 1, 2, 3},
                       steps(900, 100, [](int step) { return step % 50 == 0 ? 4.0
                                                             : step > 600   ? 3.0
                                                                            : 1.0; })),
              Texts());
}

// Similar jobs that do hang: the tolerance does not hide real hangs.
TEST_F(HonestSilence, StillReportsRealHangs)
{
    const auto hangsAfter = [&](int count, int seconds) {
        std::vector<Wait> waits = steps(count, 100, [](int) { return 1; });
        waits.push_back({double(seconds), "epoch: 9 step: 1, loss is 2.5"});
        return alarmsOf(4, {0, 1, 2, 3}, waits);
    };
    EXPECT_NE(hangsAfter(150, 30), Texts());
    EXPECT_EQ(hangsAfter(100, 500), Texts()) << "the first evaluation may take so long";
    EXPECT_NE(hangsAfter(100, 700), Texts());
    EXPECT_NE(hangsAfter(200, 30), Texts()) << "no evaluation followed the first epoch";
}

}  // namespace
}  // namespace rankdeck::honest_silence_test
