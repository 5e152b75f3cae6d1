// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/plot/loss_marks.h"

#include <gtest/gtest.h>

namespace rankdeck::ui::loss_marks_test {
namespace {

QStringList wordsOf(const std::vector<PlotName> &names)
{
    QStringList words;
    for (const PlotName &name : names) words << name.text;
    return words;
}

std::vector<PlotName> at(double median, double rank, double other = 300)
{
    return {{QStringLiteral("median"), {}, median},
            {QStringLiteral("rank 5"), {}, rank},
            {QStringLiteral("rank 7"), {}, other}};
}

// A loss that stays NaN gives a row of marks, of which the first one names the rank.
TEST(PlotMarks, FirstMarkOfARowHasItsLabelInFrontOfIt)
{
    const QRect axisBox(100, 0, 800, 300);
    const std::vector<MarkGroup> row{{400, 3, 113}, {416, 3, 115}, {432, 0, 117}};
    EXPECT_EQ(markLabelBox(row, 0, {90, 12}, axisBox), QRect(302, 1, 90, 12));
    EXPECT_TRUE(markLabelBox(row, 1, {90, 12}, axisBox).isNull()) << "it only follows";
    EXPECT_TRUE(markLabelBox({{150, 3, 113}, {166, 3, 115}}, 0, {90, 12}, axisBox).isNull()) << "no room";
    EXPECT_EQ(markLabelBox({{400, 3, 113}}, 0, {90, 12}, axisBox), QRect(408, 1, 90, 12));
}

TEST(PlotMarks, StepsThatAreAlreadyLostAreNotShownAsAtRisk)
{
    LaneData lanes;
    EXPECT_EQ(lostWorkWords(lanes, 36), QStringLiteral("36 steps would be lost"));
    lanes.lostAlready = true;
    EXPECT_EQ(lostWorkWords(lanes, 36), QStringLiteral("36 steps are lost"));
}

TEST(PlotNames, SlightlyCrossingCurvesKeepTheOrderOfTheirNames)
{
    QStringList order;
    const QStringList first = wordsOf(inSteadyOrder(at(100, 104), order));
    EXPECT_EQ(first, (QStringList{QStringLiteral("median"), QStringLiteral("rank 5"), QStringLiteral("rank 7")}));
    for (const double wobble : {-8.0, 3.0, -14.0, 9.0})
        EXPECT_EQ(wordsOf(inSteadyOrder(at(100, 100 + wobble), order)), first) << wobble;
    EXPECT_EQ(wordsOf(inSteadyOrder(at(100, 60), order)).front(), QStringLiteral("rank 5")) << "clearly above now";
    EXPECT_EQ(wordsOf(inSteadyOrder(at(100, 108), order)).front(), QStringLiteral("rank 5")) << "and so it stays";
}

TEST(PlotNames, NewNameIsPlacedByHeight)
{
    QStringList order;
    std::vector<PlotName> two = at(100, 104);
    two.pop_back();
    EXPECT_EQ(inSteadyOrder(two, order).size(), 2u);
    EXPECT_EQ(wordsOf(inSteadyOrder(at(100, 104, 98), order)).front(), QStringLiteral("rank 7"));
}

}  // namespace
}  // namespace rankdeck::ui::loss_marks_test
