// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/deck/deck_scenes.h"
#include "ui/deck/scene/plot_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui::deck_plot_data_test {
namespace {

void add(Run &run, int rank, int attempt, std::int64_t from, const std::vector<double> &losses, std::int64_t every = 1)
{
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        Sample sample;
        sample.globalStep = from + static_cast<std::int64_t>(i) * every;
        sample.loss = losses[i];
        sample.offset = i * 50;
        samples.push_back(sample);
    }
    run.add(rank, attempt, samples, wallNow());
}

PlotData look(const rankdeck::Run &run, const PlotQuery &query)
{
    PlotCache cache;
    return queryPlot(run, query, cache);
}

TEST(PlotData, NeverLosesASpike)
{
    rankdeck::Run run(0);
    run.beginAttempt({});
    std::vector<double> losses(20'000, 2.0);
    losses[12'345] = 9.5;
    losses[777] = 0.25;
    add(run, 0, 0, 1, losses);
    add(run, 1, 0, 1, std::vector<double>(20'000, 2.0));
    for (const int pixels : {40, 333, 1000}) {
        const PlotData data = look(run, {0, 20'000, pixels, 0.6, false, {0}});
        EXPECT_EQ(*std::max_element(data.high.y.begin(), data.high.y.end()), 9.5f) << pixels;
        EXPECT_EQ(*std::min_element(data.low.y.begin(), data.low.y.end()), 0.25f) << pixels;
        EXPECT_EQ(data.most, 9.5f);
        EXPECT_LE(data.median.x.size(), static_cast<std::size_t>(pixels) + 4);
        const PlotData raw = look(run, {0, 20'000, pixels, 0, false, {0}});
        ASSERT_EQ(raw.ranks.size(), 1u);
        EXPECT_EQ(*std::max_element(raw.ranks[0].curve.y.begin(), raw.ranks[0].curve.y.end()), 9.5f) << pixels;
    }
}

TEST(PlotData, MarksEveryNaNWithItsFirstRank)
{
    rankdeck::Run run(0);
    run.beginAttempt({});
    std::vector<double> losses(3000, 2.0);
    losses[1500] = std::nan("");
    losses[2500] = INFINITY;
    add(run, 0, 0, 1, std::vector<double>(3000, 2.1));
    add(run, 3, 0, 1, losses);
    for (const int pixels : {30, 700, 3000}) {
        const PlotData data = look(run, {0, 3000, pixels});
        ASSERT_EQ(data.nonFinite.size(), 2u) << pixels;
        EXPECT_NEAR(data.nonFinite[0].step, 1501, 3000.0 / pixels + 1);
        EXPECT_EQ(data.nonFinite[0].rank, 3);
        EXPECT_TRUE(std::none_of(data.high.y.begin(), data.high.y.end(), [](double y) { return std::isinf(y); }));
    }
}

TEST(PlotData, SparseSamplesAreJoinedAndAHoleIsAGap)
{
    rankdeck::Run run(0);
    run.beginAttempt({});
    add(run, 0, 0, 10, std::vector<double>(40, 2.0), 10);
    add(run, 0, 0, 2000, std::vector<double>(40, 1.0), 10);
    const PlotData data = look(run, {0, 2500, 2500});
    const auto breaks =
        std::count_if(data.median.y.begin(), data.median.y.end(), [](double y) { return std::isnan(y); });
    EXPECT_EQ(breaks, 1);
    EXPECT_EQ(data.median.x.size(), 81u);
}

TEST(PlotData, ColumnsDoNotMoveWithTheWindow)
{
    rankdeck::Run run(0);
    run.beginAttempt({});
    std::vector<double> losses;
    for (int i = 0; i < 9000; ++i) losses.push_back(2 + std::sin(i * 0.37));
    add(run, 0, 0, 1, losses);
    const PlotData one = look(run, {1000, 3000, 500});
    const PlotData two = look(run, {1013, 3013, 500});
    // A column that both windows show is the same in both.
    int shared = 0;
    for (std::size_t i = 0; i < one.high.x.size(); ++i) {
        const auto same = std::find(two.high.x.begin(), two.high.x.end(), one.high.x[i]);
        if (same == two.high.x.end()) continue;
        ++shared;
        EXPECT_EQ(one.high.y[i], two.high.y[static_cast<std::size_t>(same - two.high.x.begin())]);
    }
    EXPECT_GT(shared, 400);
}

TEST(Outliers, AreFoundAndSortedByDistance)
{
    const auto feed = deckscenes::many(512);
    const auto outliers = outliersOf(feed->run());
    ASSERT_GE(outliers.size(), 3u);
    EXPECT_EQ(outliers[0].rank, 311);
    EXPECT_GT(outliers[0].mads, 4);
    const auto low = std::find_if(outliers.begin(), outliers.end(), [](const Outlier &one) { return one.rank == 440; });
    ASSERT_NE(low, outliers.end());
    EXPECT_LT(low->mads, -4);
    EXPECT_TRUE(outliersOf(deckscenes::empty()->run()).empty());
}

TEST(Readings, ShowTheValuesUnderTheCursor)
{
    const auto feed = deckscenes::healthy();
    const auto reading = readAt(feed->run(), 39'868.7, 3, 50);
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->step, 39'868);
    EXPECT_EQ(reading->attempt, 2);
    EXPECT_EQ(reading->ranks, 8);
    EXPECT_LE(reading->least, reading->median);
    EXPECT_GE(reading->most, reading->median);
    const auto sample = feed->run().series(3, 2)->at(39'868);
    ASSERT_TRUE(sample && reading->ofRank);
    EXPECT_FLOAT_EQ(static_cast<float>(*reading->ofRank), sample->loss);
    EXPECT_EQ(readAt(feed->run(), 38'100, -1, 50)->attempt, 1) << "the curve that counts there";
    EXPECT_FALSE(readAt(feed->run(), 60'000, -1, 50));
}

TEST(Readings, FindTheLogLineUnderAPoint)
{
    const auto feed = deckscenes::healthy();
    const rankdeck::Run &run = feed->run();
    const auto sample = run.series(4, 2)->at(40'000);
    ASSERT_TRUE(sample);
    const auto place = lineUnder(run, 40'000, sample->loss, 50, 4, 0.01);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->rank, 4);
    EXPECT_EQ(place->offset, sample->offset);
    EXPECT_FALSE(lineUnder(run, 90'000, 2, 50, -1, 0));
}

}  // namespace
}  // namespace rankdeck::ui::deck_plot_data_test
