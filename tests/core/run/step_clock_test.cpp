// SPDX-License-Identifier: GPL-3.0-or-later
// The usual silence of a rank, and the steps at which pauses are due.
#include "core/run/step_clock.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::step_clock_test {
namespace {

using std::chrono::milliseconds;

// A run that logs a line every few steps and pauses after a given number of steps.
struct Trained {
    StepClock clock = {};
    std::int64_t position = 0;
    WallTime time = WallTime(std::chrono::hours(480'000));

    void steps(int lines, std::int64_t every, std::int64_t pauseEvery, int pauseSeconds)
    {
        for (int line = 0; line < lines; ++line) {
            const std::int64_t before = position;
            position += every;
            time += milliseconds(250 * every);
            const bool pauses = pauseEvery > 0 && before > 0 && (position - 1) / pauseEvery > (before - 1) / pauseEvery;
            if (pauses) time += std::chrono::seconds(pauseSeconds);
            clock.arrived(position, time);
        }
    }
};

// 99 of 100 silences are short: the usual silence does not include an evaluation every 200 steps.
TEST(StepClock, RepeatedEvaluationIsExpectedFromTheThirdOnward)
{
    Trained run;
    run.steps(400, 1, 200, 30);
    ASSERT_EQ(run.position, 400);
    EXPECT_EQ(run.clock.pauseDue(0), 0) << "one was seen";
    run.steps(200, 1, 200, 30);
    ASSERT_LT(run.clock.usualSilence().value_or(99), 1);
    EXPECT_NEAR(run.clock.pauseDue(0), 30.25, 0.5);
    run.steps(100, 1, 200, 30);
    EXPECT_EQ(run.clock.pauseDue(0), 0) << "half way to the next";
    run.steps(100, 1, 200, 30);
    EXPECT_NEAR(run.clock.pauseDue(0), 30.25, 0.5);
}

TEST(StepClock, PauseAfterAnEpochIsExpectedAfterTheNext)
{
    Trained run;
    run.steps(150, 1, 100, 20);
    EXPECT_EQ(run.clock.pauseDue(100), 0);
    run.steps(50, 1, 100, 20);
    EXPECT_NEAR(run.clock.pauseDue(100), 20.25, 0.5);
    EXPECT_EQ(run.clock.pauseDue(0), 0) << "without epochs, one pause is no rule";
}

// Lines every 10 steps and an evaluation every 75 steps, which therefore comes after different lines.
TEST(StepClock, ExpectsPausesAlsoIfLinesAreRare)
{
    Trained run;
    int late = 0, known = 0;
    for (int line = 0; line < 120; ++line) {
        const double expected = std::max(run.clock.pauseDue(0), run.clock.usualSilence().value_or(0));
        const WallTime before = run.time;
        run.steps(1, 10, 75, 40);
        if (secondsBetween(before, run.time) < 30 || run.position < 400) continue;
        ++late;
        known += expected > 30 ? 1 : 0;
    }
    EXPECT_GT(late, 5);
    EXPECT_EQ(known, late);
}

TEST(StepClock, SinglePauseIsNotExpectedAgain)
{
    Trained run;
    run.steps(60, 1, 0, 0);
    run.time += std::chrono::minutes(10);
    run.steps(60, 1, 0, 0);
    EXPECT_EQ(run.clock.pauseDue(0), 0);
    EXPECT_LT(run.clock.usualSilence().value_or(99), 1);
}

}  // namespace
}  // namespace rankdeck::step_clock_test
