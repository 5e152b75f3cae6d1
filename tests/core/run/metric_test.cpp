// SPDX-License-Identifier: GPL-3.0-or-later
// Learning rate, gradient norm and similar curves at the steps of the loss, through resumes, backfill and the history.
#include "core/run/history/database.h"
#include "tests/core/run/history/history_fixture.h"

#include <cmath>
#include <limits>

namespace rankdeck::metric_test {
namespace {

using namespace std::chrono_literals;

Sample measured(std::int64_t epoch, std::int64_t step, double rate)
{
    Sample sample = sampleAt(epoch, step, 1);
    sample.learningRate = rate;
    sample.stepMs = 250;
    return sample;
}

std::vector<double> valuesOf(const Story &run, int rank, int attempt, Metric metric)
{
    std::vector<double> values;
    const Series *series = run.metric(rank, attempt, metric);
    if (series == nullptr) return values;
    for (const PlacedSample &sample : series->slice(0, series->size())) values.push_back(double(sample.loss));
    return values;
}

std::vector<std::int64_t> stepsOf(const Story &run, int rank, int attempt, Metric metric)
{
    std::vector<std::int64_t> steps;
    const Series *series = run.metric(rank, attempt, metric);
    if (series == nullptr) return steps;
    for (const PlacedSample &sample : series->samples(-1'000'000, 1'000'000)) steps.push_back(sample.step);
    return steps;
}

TEST(Metrics, HaveTheStepsOfTheirLinesAndStepTimesAreInSeconds)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(3, 0, {measured(1, 9, 0.5), sampleAt(1, 10, 1), measured(2, 1, 0.25)}, start);
    EXPECT_EQ(stepsOf(run, 3, 0, Metric::learningRate), (std::vector<std::int64_t>{9, 11}));
    EXPECT_EQ(valuesOf(run, 3, 0, Metric::learningRate), (std::vector<double>{0.5, 0.25}));
    EXPECT_EQ(valuesOf(run, 3, 0, Metric::stepTime), (std::vector<double>{0.25, 0.25}));
    EXPECT_EQ(run.metric(3, 0, Metric::gradNorm), nullptr);
    EXPECT_EQ(run.measured(Metric::learningRate), std::vector<int>{3});
    EXPECT_TRUE(run.measured(Metric::throughput).empty());
}

TEST(Metrics, MoveWithTheLossWhenStepsPerEpochAreLearnedLate)
{
    Story run;
    run.beginAttempt(start);
    run.add(0, 0, {measured(5, 1, 0.5), measured(5, 2, 0.25)}, start);
    EXPECT_EQ(run.metric(0, 0, Metric::learningRate), nullptr);  // the values wait for their position
    run.setStepsPerEpoch(100);
    EXPECT_EQ(stepsOf(run, 0, 0, Metric::learningRate), (std::vector<std::int64_t>{401, 402}));

    Story learned;
    learned.beginAttempt(start);
    learned.add(0, 0, {measured(1, 4, 0.5), measured(2, 1, 0.25)}, start);  // apparently an epoch of 4
    EXPECT_EQ(stepsOf(learned, 0, 0, Metric::learningRate), (std::vector<std::int64_t>{4, 5}));
    learned.setStepsPerEpoch(8);
    EXPECT_EQ(stepsOf(learned, 0, 0, Metric::learningRate), (std::vector<std::int64_t>{4, 9}));
}

TEST(Metrics, BackfilledSamplesComeFirstAndAResumeShiftsThem)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(0, 0, {measured(2, 1, 0.25)}, start);
    run.add(0, 0, {measured(1, 1, 1), measured(1, 2, 0.5)}, start, true);
    EXPECT_EQ(valuesOf(run, 0, 0, Metric::learningRate), (std::vector<double>{1, 0.5, 0.25}));
    run.setStepOffset(0, 100);
    EXPECT_EQ(stepsOf(run, 0, 0, Metric::learningRate), (std::vector<std::int64_t>{101, 102, 111}));
    run.add(0, 0, {measured(2, 2, 0.125)}, start);
    EXPECT_EQ(stepsOf(run, 0, 0, Metric::learningRate).back(), 112);
}

TEST(Metrics, EnvelopeSeparatesKeptAndDiscardedSamples)
{
    Story run(100);
    run.beginAttempt(start);
    run.add(0, 0, {measured(1, 10, 4), measured(1, 20, 8)}, start);
    run.add(1, 0, {measured(1, 10, 6), measured(1, 20, 8)}, start);
    run.beginAttempt(start + 60s, 10);
    run.add(0, 1, {measured(1, 20, 2)}, start + 61s);
    const ColumnGrid grid = ColumnGrid::between(0, 30, 3);
    const auto kept = run.envelope(grid, Metric::learningRate, false);
    EXPECT_EQ(kept[1].ranks, 2u);
    EXPECT_EQ(kept[1].min, 4.0f);
    EXPECT_EQ(kept[1].max, 6.0f);
    EXPECT_EQ(kept[1].median, 5.0f);
    EXPECT_EQ(kept[2].ranks, 1u);
    EXPECT_EQ(kept[2].median, 2.0f);
    const auto gone = run.envelope(grid, Metric::learningRate, true);
    EXPECT_EQ(gone[1].ranks, 0u);
    EXPECT_EQ(gone[2].median, 8.0f);
}

TEST(Metrics, InfiniteGradientIsCountedButNotDrawn)
{
    Story run(100);
    run.beginAttempt(start);
    Sample bad = sampleAt(1, 5, 1);
    bad.gradNorm = std::numeric_limits<double>::infinity();
    run.add(2, 0, {bad}, start);
    const auto columns = run.envelope(ColumnGrid::between(0, 10, 1), Metric::gradNorm, false);
    EXPECT_EQ(columns[0].ranks, 0u);
    EXPECT_EQ(columns[0].nonFinite, 1u);
    EXPECT_EQ(columns[0].firstNonFiniteRank, 2);
}

TEST(Metrics, AreKeptForALimitedNumberOfRanks)
{
    Story run(100);
    run.beginAttempt(start);
    for (int rank = 100; rank < 200; ++rank) run.add(rank, 0, {measured(1, 1, rank)}, start);
    EXPECT_EQ(run.measured(Metric::learningRate).size(), static_cast<std::size_t>(Story::mostMeasured));
    EXPECT_EQ(run.measured(Metric::learningRate).front(), 100);
    run.beginAttempt(start + 60s, 1);
    run.add(150, 1, {measured(1, 2, 7)}, start + 61s);  // another attempt, with other first ranks
    EXPECT_EQ(valuesOf(run, 150, 1, Metric::learningRate), std::vector<double>{7});
}

class MetricHistory : public HistoryTest {};

TEST_F(MetricHistory, IsRestoredAndContinued)
{
    {
        Story run(1000);
        std::vector<LogPosition> positions;
        const auto history = openAndLoad(run, positions);
        run.beginAttempt(start);
        std::vector<Sample> many;
        for (std::int64_t step = 1; step <= 700; ++step) many.push_back(measured(1, step, 1.0 / double(step)));
        run.add(0, 0, many, start);
        ASSERT_TRUE(history->flush(run, positions).has_value());
        run.add(0, 0, {measured(1, 701, 5)}, start);
        ASSERT_TRUE(history->flush(run, positions).has_value());
    }
    Story run(1000);
    std::vector<LogPosition> positions;
    const auto history = openAndLoad(run, positions);
    ASSERT_EQ(valuesOf(run, 0, 0, Metric::learningRate).size(), 701u);
    EXPECT_EQ(valuesOf(run, 0, 0, Metric::learningRate).front(), 1.0);
    EXPECT_EQ(valuesOf(run, 0, 0, Metric::learningRate).back(), 5.0);
    EXPECT_EQ(valuesOf(run, 0, 0, Metric::stepTime).size(), 701u);
    run.add(0, 0, {measured(1, 702, 6)}, start);
    ASSERT_TRUE(history->flush(run, positions).has_value());
    EXPECT_EQ(valuesOf(run, 0, 0, Metric::learningRate).size(), 702u);
    Story third(1000);
    const auto reader = open();
    ASSERT_TRUE(reader->load(third, positions).has_value());
    EXPECT_EQ(stepsOf(third, 0, 0, Metric::learningRate).back(), 702);
}

TEST_F(MetricHistory, FromAnOlderConsoleIsReadAndContinued)
{
    {
        Story run(1000);
        std::vector<LogPosition> positions;
        const auto history = openAndLoad(run, positions);
        run.beginAttempt(start);
        run.add(0, 0, steps(1, 1, 5), start);
        ASSERT_TRUE(history->flush(run, positions).has_value());
        auto database = Database::open(history->path(), false);
        ASSERT_TRUE(database.has_value());
        for (const MetricRow &row : metricRows)
            ASSERT_TRUE(database.value()->execute((std::string("DROP TABLE ") + row.name).c_str()).has_value());
    }
    Story run(1000);
    std::vector<LogPosition> positions;
    const auto keeper = openAndLoad(run, positions);
    EXPECT_EQ(run.series(0, 0)->size(), 5u);
    run.add(0, 0, {measured(1, 6, 0.5)}, start);
    ASSERT_TRUE(keeper->flush(run, positions).has_value());
    Story again(1000);
    ASSERT_TRUE(open()->load(again, positions).has_value());
    EXPECT_EQ(valuesOf(again, 0, 0, Metric::learningRate), std::vector<double>{0.5});
}

}  // namespace
}  // namespace rankdeck::metric_test
