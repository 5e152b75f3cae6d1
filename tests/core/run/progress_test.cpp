// SPDX-License-Identifier: GPL-3.0-or-later
// Lines with a step and without a loss are progress; gradients that stay NaN mean a broken run.
#include "core/run/run.h"

#include <gtest/gtest.h>

#include <limits>

namespace rankdeck::progress_test {
namespace {

using namespace std::chrono_literals;
using Story = Run;  // in the body of a test, the name Run means GoogleTest's own

const WallTime start = WallTime{} + 1000000s;
const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

Sample stepAt(std::int64_t step, std::optional<double> gradNorm = {})
{
    Sample sample;
    sample.hasLoss = false;
    sample.globalStep = step;
    sample.gradNorm = gradNorm;
    return sample;
}

Sample lossAt(std::int64_t step, double loss, double gradNorm, std::optional<double> scale = {})
{
    Sample sample = stepAt(step, gradNorm);
    sample.hasLoss = true;
    sample.loss = loss;
    sample.lossScale = scale;
    return sample;
}

TEST(Progress, AdvancesTheRunWithoutALoss)
{
    Story run;
    run.beginAttempt(start);
    run.add(0, 0, {lossAt(1, 2.5, 1)}, start);
    for (int step = 2; step < 30; ++step) run.add(0, 0, {stepAt(step)}, start + step * 1s);
    const RankProgress progress = run.progress(0);
    EXPECT_EQ(progress.position, 29);
    EXPECT_EQ(progress.loss, 2.5);
    EXPECT_EQ(run.lastPosition(), 29);
    EXPECT_EQ(run.series(0, 0)->size(), 1u);
    EXPECT_EQ(progress.stepSeconds, 1);
    EXPECT_EQ(run.firstSteps(0, 0).size(), Story::firstStepsKept);
    EXPECT_EQ(run.firstSteps(0, 0).front(), 2);
}

TEST(Progress, DoesNotGoBackWhenABackfillFindsOlderLosses)
{
    Story run;
    run.beginAttempt(start);
    run.add(0, 0, {stepAt(50), stepAt(51)}, start);
    EXPECT_TRUE(run.progress(0).seen());
    EXPECT_FALSE(run.progress(0).hasLoss);
    run.add(0, 0, {lossAt(1, 2.5, 1)}, start, true);
    EXPECT_EQ(run.progress(0).position, 51);
    EXPECT_EQ(run.progress(0).loss, 2.5);
}

TEST(Gradients, BreakTheRunIfTheyStayNaN)
{
    for (const bool loss : {false, true})
        for (const double bad : {nan, inf}) {
            Story run;
            run.beginAttempt(start);
            const auto at = [&](int step, double norm) { return loss ? lossAt(step, 2.5, norm) : stepAt(step, norm); };
            run.add(0, 0, {at(1, 1), at(2, bad)}, start);
            EXPECT_FALSE(isBroken(run.progress(0))) << "one overflow may be stepped over";
            run.add(0, 0, {at(3, bad)}, start);
            EXPECT_TRUE(isBroken(run.progress(0)));
            ASSERT_TRUE(run.firstNonFinite(0, 0).has_value());
            run.add(0, 0, {at(4, 1), at(5, 1), at(6, 1)}, start);
            EXPECT_FALSE(isBroken(run.progress(0))) << "it recovered";
        }
}

TEST(Gradients, WithALossOfZeroBreakTheRunImmediately)
{
    Story run;
    run.beginAttempt(start);
    run.add(0, 0, {lossAt(1, 2.5, 1), lossAt(2, 0, nan)}, start);
    EXPECT_TRUE(isBroken(run.progress(0)));
}

TEST(Gradients, DoNotBreakTheRunIfALossScalerSkipsThem)
{
    Story run;
    run.beginAttempt(start);
    double scale = 65536;
    for (int step = 1; step < 12; ++step) {
        run.add(0, 0, {lossAt(step, 2.5, step < 6 ? inf : 1, scale)}, start);
        EXPECT_FALSE(isBroken(run.progress(0))) << step;
        if (step < 6) scale /= 2;
    }
}

}  // namespace
}  // namespace rankdeck::progress_test
