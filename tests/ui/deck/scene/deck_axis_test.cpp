// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/scene/step_axis.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace rankdeck::ui::deck_axis_test {
namespace {

class Axis : public testing::Test {
protected:
    void SetUp() override
    {
        axis.place(268, 1000);
        axis.setJob(0, 40'000);
        axis.show(10'000, 12'000);
    }
    StepAxis axis;
};

TEST_F(Axis, ConvertsBetweenStepsAndPixels)
{
    EXPECT_EQ(axis.column(10'000), 268);
    EXPECT_EQ(axis.column(12'000), 1268);
    EXPECT_EQ(axis.column(11'000), 768);
    for (const double pixel : {268.0, 300.25, 900.5, 1268.0})
        EXPECT_NEAR(axis.pixelOf(axis.stepAt(pixel)), pixel, 1e-9);
    EXPECT_DOUBLE_EQ(axis.stepsPerPixel(), 2);
}

TEST_F(Axis, ExtremeStepsHavePaintablePixels)
{
    EXPECT_LT(axis.column(-1e18), 0);
    EXPECT_GT(axis.column(1e18), axis.right());
}

TEST_F(Axis, ZoomKeepsTheStepUnderTheCursor)
{
    const double step = axis.stepAt(600);
    axis.zoomAt(step, 2);
    EXPECT_NEAR(axis.span(), 1000, 1e-6);
    EXPECT_NEAR(axis.pixelOf(step), 600, 1e-6);
    axis.zoomAt(step, 0.5);
    EXPECT_NEAR(axis.span(), 2000, 1e-6);
}

TEST_F(Axis, StaysNearTheRangeOfTheJob)
{
    axis.pan(1e9);
    EXPECT_LE(axis.to(), 40'000 * 1.1);
    EXPECT_NEAR(axis.span(), 2000, 1e-6);
    axis.pan(-1e9);
    EXPECT_GE(axis.from(), -40'000 * 0.1);
    axis.show(-1e12, 1e12);
    EXPECT_LE(axis.span(), 40'000 * 1.2);
    axis.zoomAt(20'000, 1e12);
    EXPECT_GE(axis.span(), 10);
    const double from = axis.from();
    axis.zoomAt(20'000, 0);
    axis.show(std::numeric_limits<double>::quiet_NaN(), 5);
    EXPECT_EQ(axis.from(), from) << "a range that is none is not taken";
}

TEST_F(Axis, ReportsOnlyRealChanges)
{
    const QSignalSpy changed(&axis, &StepAxis::changed);
    axis.show(10'000, 12'000);
    axis.place(268, 1000);
    EXPECT_EQ(changed.count(), 0);
    axis.show(10'000, 12'500);
    axis.place(268, 990);
    EXPECT_EQ(changed.count(), 2);
}

TEST_F(Axis, TicksAreRoundNumbersWithEnoughDistance)
{
    for (const double span : {12.0, 90.0, 777.0, 2000.0, 31'000.0}) {
        axis.show(5000, 5000 + span);
        const auto ticks = axis.ticks(90);
        ASSERT_GE(ticks.size(), 2u) << span;
        for (std::size_t i = 1; i < ticks.size(); ++i) {
            EXPECT_GE(axis.column(double(ticks[i])) - axis.column(double(ticks[i - 1])), 80) << span;
            EXPECT_EQ(ticks[i] - ticks[i - 1], ticks[1] - ticks[0]);
        }
        const auto distance = ticks[1] - ticks[0];
        const std::string digits = std::to_string(distance);
        EXPECT_TRUE(digits[0] == '1' || digits[0] == '2' || digits[0] == '5') << distance;
        EXPECT_EQ(digits.find_first_not_of('0', 1), std::string::npos) << distance;
    }
}

}  // namespace
}  // namespace rankdeck::ui::deck_axis_test
