// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/series/series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace rankdeck::series_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

Column fold(const std::vector<PlacedSample> &samples, std::int64_t begin, std::int64_t end)
{
    Column column;
    for (const PlacedSample &sample : samples) {
        if (sample.step < begin || sample.step >= end) continue;
        if (std::isnan(sample.loss)) {
            ++column.nan;
        } else if (std::isinf(sample.loss)) {
            ++(sample.loss > 0 ? column.posInf : column.negInf);
        } else {
            if (column.count++ == 0) column.first = column.min = column.max = sample.loss;
            column.min = std::min(column.min, sample.loss);
            column.max = std::max(column.max, sample.loss);
            column.last = sample.loss;
        }
    }
    return column;
}

std::vector<Column> plainQuery(const std::vector<PlacedSample> &samples, double from, double to, int columns)
{
    std::vector<Column> result;
    const double width = (to - from) / columns;
    for (int i = 0; i < columns; ++i) {
        const double right = i + 1 == columns ? to : from + width * (i + 1);
        result.push_back(fold(samples, static_cast<std::int64_t>(std::ceil(i == 0 ? from : from + width * i)),
                              static_cast<std::int64_t>(std::ceil(right))));
    }
    return result;
}

void expectSame(const std::vector<Column> &got, const std::vector<Column> &wanted)
{
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        SCOPED_TRACE("column " + std::to_string(i));
        EXPECT_EQ(got[i].count, wanted[i].count);
        EXPECT_EQ(got[i].nan, wanted[i].nan);
        EXPECT_EQ(got[i].posInf, wanted[i].posInf);
        EXPECT_EQ(got[i].negInf, wanted[i].negInf);
        if (wanted[i].count == 0) continue;
        EXPECT_EQ(got[i].min, wanted[i].min);
        EXPECT_EQ(got[i].max, wanted[i].max);
        EXPECT_EQ(got[i].first, wanted[i].first);
        EXPECT_EQ(got[i].last, wanted[i].last);
    }
}

TEST(Series, IsEmptyAtFirst)
{
    const Series series;
    EXPECT_EQ(series.size(), 0u);
    EXPECT_FALSE(series.first().has_value());
    EXPECT_FALSE(series.at(5).has_value());
    EXPECT_EQ(series.query(0, 10, 3).size(), 3u);
    EXPECT_EQ(series.query(0, 10, 3)[0].count, 0u);
}

TEST(Series, ReturnsTheSampleAtOrBeforeAStep)
{
    Series series;
    for (std::int64_t step = 10; step <= 50; step += 10)
        series.append({step, static_cast<float>(step), static_cast<std::uint64_t>(step)});
    EXPECT_FALSE(series.at(9).has_value());
    EXPECT_EQ(series.at(10)->step, 10);
    EXPECT_EQ(series.at(39)->step, 30);
    EXPECT_EQ(series.at(1000)->loss, 50);
    EXPECT_EQ(series.samples(20, 40).size(), 3u);
}

TEST(Series, NeverLosesASpikeOrANaN)
{
    Series series;
    for (std::int64_t step = 0; step < 300000; ++step) {
        float loss = 1.0f;
        if (step == 123457) loss = 99.0f;
        if (step == 200001) loss = nan;
        if (step == 200002) loss = -inf;
        series.append({step, loss, 0});
    }
    const std::vector<Column> columns = series.query(0, 300000, 7);
    float highest = 0;
    std::uint32_t nans = 0;
    std::uint32_t infs = 0;
    std::uint32_t count = 0;
    for (const Column &column : columns) {
        highest = std::max(highest, column.max);
        nans += column.nan;
        infs += column.negInf;
        count += column.count;
    }
    EXPECT_EQ(highest, 99.0f);
    EXPECT_EQ(nans, 1u);
    EXPECT_EQ(infs, 1u);
    EXPECT_EQ(count, 299998u);
}

TEST(Series, KeepsALogOffsetNearEachSample)
{
    Series series;
    for (std::uint64_t i = 0; i < 100000; ++i) series.append({static_cast<std::int64_t>(i), 1, i * 45});
    for (const std::int64_t step : {0, 255, 256, 70000, 99999}) {
        const std::uint64_t offset = series.at(step)->offset;
        EXPECT_LE(offset, static_cast<std::uint64_t>(step) * 45);
        EXPECT_GT(offset + std::uint64_t(257) * 45, static_cast<std::uint64_t>(step) * 45);
    }
}

TEST(Series, ShiftChangesStepsThatAreReadButNotStored)
{
    Series series;
    series.append({1, 5, 0});
    series.setShift(100);
    series.append({2, 6, 0});
    EXPECT_EQ(series.first()->step, 101);
    EXPECT_EQ(series.at(102)->loss, 6);
    EXPECT_EQ(series.samples(101, 102).size(), 2u);
    EXPECT_EQ(series.query(101, 103, 2)[1].count, 1u);
    EXPECT_EQ(series.slice(0, 2)[1].step, 2);
    EXPECT_FALSE(series.at(100).has_value());
}

TEST(Series, KeepsALateStepInOrder)
{
    Series series;
    for (std::int64_t step = 0; step < 10000; ++step) series.append({step * 2, static_cast<float>(step), 0});
    series.append({501, -1, 0});
    EXPECT_EQ(series.size(), 10001u);
    EXPECT_EQ(series.at(501)->loss, -1);
    EXPECT_EQ(series.at(502)->loss, 251);
    EXPECT_EQ(series.at(19998)->loss, 9999);
    EXPECT_EQ(series.insertions(), 1u);
}

TEST(Series, LimitsIncludeOnlySamplesBetweenThem)
{
    Series series;
    for (std::int64_t step = 0; step < 1000; ++step) series.append({step, static_cast<float>(step), 0});
    const std::vector<Column> columns = series.queryWithin(ColumnGrid::between(0, 1000, 10), 250, 649);
    EXPECT_EQ(columns[1].count, 0u);
    EXPECT_EQ(columns[2].count, 50u);
    EXPECT_EQ(columns[2].min, 250);
    EXPECT_EQ(columns[6].count, 50u);
    EXPECT_EQ(columns[6].max, 649);
    EXPECT_EQ(columns[7].count, 0u);
}

TEST(Series, UsesAtMostSixBytesPerSample)
{
    Series series;
    std::mt19937 random(1);
    for (std::int64_t step = 0; step < 1000000; ++step)
        series.append({step, static_cast<float>(random() % 1000) / 100, static_cast<std::uint64_t>(step) * 45});
    EXPECT_LE(static_cast<double>(series.bytes()) / 1e6, 6.0);
    Series allNaN;
    for (std::int64_t step = 0; step < 1000000; ++step) allNaN.append({step * 100, nan, 0});
    EXPECT_LE(static_cast<double>(allNaN.bytes()) / 1e6, 6.0);
}

class SeriesProperty : public testing::TestWithParam<unsigned> {};

float randomLoss(std::mt19937 &random, unsigned bad)
{
    if (bad != 0 && random() % bad == 0) return std::vector<float>{nan, inf, -inf}[random() % 3];
    return static_cast<float>(static_cast<int>(random() % 20001) - 10000) / 16;
}

// Appends, prepends and late steps in any order: the result is always equal to a plain list.
TEST_P(SeriesProperty, EqualsAPlainList)
{
    std::mt19937 random(GetParam());
    const unsigned bad = std::vector<unsigned>{0, 1, 2, 50, 1000}[random() % 5];
    const std::int64_t stride = std::vector<std::int64_t>{0, 1, 1, 7, 100}[random() % 5];
    const bool irregular = random() % 3 == 0;
    std::vector<PlacedSample> plain;
    Series series;
    std::int64_t high = 1000000;
    std::int64_t low = high;
    const int parts = 3 + static_cast<int>(random() % 20);
    const auto next = [&] { return irregular ? static_cast<std::int64_t>(random() % 5) : stride; };
    for (int part = 0; part < parts; ++part) {
        const std::size_t count = random() % 4 == 0 ? random() % 70000 : random() % 300;
        if (random() % 2 == 0) {
            for (std::size_t i = 0; i < count; ++i) {
                plain.push_back({high, randomLoss(random, bad), 0});
                series.append(plain.back());
                high += next();
            }
        } else if (random() % 8 != 0 || plain.empty()) {
            std::vector<PlacedSample> older;
            for (std::size_t i = 0; i < count; ++i) older.push_back({low -= next(), randomLoss(random, bad), 0});
            std::reverse(older.begin(), older.end());
            plain.insert(plain.begin(), older.begin(), older.end());
            series.prepend(older);
        } else {
            const PlacedSample late{plain[random() % plain.size()].step, randomLoss(random, bad), 0};
            plain.insert(
                std::upper_bound(plain.begin(), plain.end(), late.step,
                                 [](std::int64_t step, const PlacedSample &other) { return step < other.step; }),
                late);
            series.append(late);
        }
    }
    ASSERT_EQ(series.size(), plain.size());
    const auto span = static_cast<std::uint64_t>(high - low) + 10;
    for (int round = 0; round < 12; ++round) {
        double from = static_cast<double>(low) - 5 + static_cast<double>(random() % span) + (round % 2 == 0 ? 0.25 : 0);
        double to = from + 1 + static_cast<double>(random() % span);
        if (round == 0) from = static_cast<double>(low) - 3, to = static_cast<double>(high) + 3;
        const int columns = 1 + static_cast<int>(random() % 40);
        expectSame(series.query(from, to, columns), plainQuery(plain, from, to, columns));
        const std::int64_t step = low - 5 + static_cast<std::int64_t>(random() % span);
        const auto after =
            std::upper_bound(plain.begin(), plain.end(), step,
                             [](std::int64_t wanted, const PlacedSample &other) { return wanted < other.step; });
        ASSERT_EQ(series.at(step).has_value(), after != plain.begin());
        if (after != plain.begin()) { EXPECT_EQ(series.at(step)->step, (after - 1)->step); }
    }
    const std::vector<PlacedSample> all = series.slice(0, series.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        ASSERT_EQ(all[i].step, plain[i].step) << i;
        if (!std::isnan(plain[i].loss)) { ASSERT_EQ(all[i].loss, plain[i].loss) << i; }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeriesProperty, testing::Range(1u, 21u));

}  // namespace
}  // namespace rankdeck::series_test
