// SPDX-License-Identifier: GPL-3.0-or-later
// The envelope of many ranks, read from rows. It is equal to the envelope of the samples, whatever happens to the run,
// and costs only the new lines.
#include "core/run/envelope_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace rankdeck::envelope_rows_test {
namespace {

using Story = Run;  // in the body of a test, the name Run means GoogleTest's own

float between(const std::vector<float> &sorted, double share)
{
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const float rest = static_cast<float>(at - static_cast<double>(below));
    if (rest == 0) return sorted[below];
    return sorted[below] + (sorted[below + 1] - sorted[below]) * rest;
}

// One column, sample by sample.
EnvelopeColumn columnOf(const Story &run, double from, double to, bool discarded)
{
    EnvelopeColumn column;
    std::vector<float> lasts;
    for (const int rank : run.ranks()) {
        std::optional<float> last;
        for (const AttemptInfo &info : run.attempts()) {
            const Series *series = run.series(rank, info.index);
            if (series == nullptr || (discarded && !info.discardedAfter)) continue;
            for (const PlacedSample &sample : series->samples(0, std::int64_t(1) << 60)) {
                const bool lost = info.discardedAfter && sample.step > *info.discardedAfter;
                const auto step = static_cast<double>(sample.step);
                if (lost != discarded || step < from || step >= to) continue;
                if (!std::isfinite(sample.loss)) {
                    ++column.nonFinite;
                    if (column.firstNonFiniteRank < 0) column.firstNonFiniteRank = rank;
                    continue;
                }
                const bool first = column.ranks == 0 && !last;
                column.min = first ? sample.loss : std::min(column.min, sample.loss);
                column.max = first ? sample.loss : std::max(column.max, sample.loss);
                last = sample.loss;
            }
        }
        if (!last) continue;
        ++column.ranks;
        lasts.push_back(*last);
    }
    if (lasts.empty()) return column;
    std::sort(lasts.begin(), lasts.end());
    column.median = between(lasts, 0.5);
    column.low = between(lasts, 0.1);
    column.high = between(lasts, 0.9);
    return column;
}

// A job of many ranks that mostly log the same steps.
class ManyRanks {
public:
    explicit ManyRanks(unsigned seed) : m_random(seed), m_every(seed % 3 == 0 ? 10 : 1) { m_run.beginAttempt({}); }

    void happens()
    {
        const int attempt = m_run.currentAttempt();
        const int one = int(m_random() % ranks);
        const Series *series = m_run.series(one, attempt);
        const auto what = m_random() % 24;
        if (what == 0 && m_next > 20) {
            m_next -= std::int64_t(m_random() % 20);
            m_run.beginAttempt(WallTime{} + std::chrono::seconds(m_random() % 1000), m_next - 1);
        } else if (what == 1) {
            m_run.setStepOffset(attempt, std::int64_t(m_random() % 3));
        } else if (what == 2 && series != nullptr && series->size() > 0) {
            add(one, attempt, std::max<std::int64_t>(0, series->first()->step - 30), 2);  // steps go back
        } else if (what == 3 && series != nullptr && series->size() > 0 && series->first()->step > 40) {
            m_run.add(one, attempt, samples(series->first()->step - 40, 3), {}, true);
        } else if (what == 4) {
            add(one, attempt, m_next, 1);  // ahead of the others
        } else if (what == 5) {
            m_silent = m_silent < 0 ? one : -1;
        } else {
            const int count = 1 + int(m_random() % 25);
            for (int rank = 0; rank < ranks; ++rank)
                if (rank != m_silent) add(rank, attempt, m_next, count);
            m_next += count * m_every;
        }
    }
    void compare(bool discarded)
    {
        const double widths[] = {1, 2.5, 7, double(m_next) / 20 + 1};
        const double width = widths[m_random() % 4];
        const auto beyond = std::int64_t(double(m_next) / width) + 2;
        const ColumnGrid grid = ColumnGrid::aligned(beyond - 24, width, 24);
        const std::vector<EnvelopeColumn> columns = m_run.envelope(grid, discarded);
        for (int i = 0; i < grid.count(); ++i) {
            const EnvelopeColumn &is = columns[std::size_t(i)];
            const EnvelopeColumn due = columnOf(m_run, grid.border(i), grid.border(i + 1), discarded);
            ASSERT_TRUE(is.min == due.min && is.max == due.max && is.median == due.median && is.low == due.low &&
                        is.high == due.high && is.ranks == due.ranks && is.nonFinite == due.nonFinite &&
                        is.firstNonFiniteRank == due.firstNonFiniteRank)
                << "column " << i << " of width " << width;
        }
    }

private:
    static constexpr int ranks = 70;
    std::vector<Sample> samples(std::int64_t step, int count)
    {
        std::vector<Sample> all;
        for (int i = 0; i < count; ++i) {
            Sample sample;
            sample.globalStep = step + i * m_every;
            sample.loss = m_random() % 400 == 0 ? std::numeric_limits<double>::quiet_NaN() : double(m_random() % 1000);
            all.push_back(sample);
        }
        return all;
    }
    void add(int rank, int attempt, std::int64_t step, int count)
    {
        m_run.add(rank, attempt, samples(step, count), {});
    }
    std::mt19937 m_random;
    std::int64_t m_every;
    Story m_run{0};
    std::int64_t m_next = 0;
    int m_silent = -1;
};

TEST(EnvelopeRows, EqualTheSamplesAfterAnyChange)
{
    for (unsigned seed = 1; seed <= 8; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        ManyRanks job(seed);
        for (int i = 0; i < 40; ++i) {
            job.happens();
            if (i % 4 != 3) continue;
            job.compare(false);
            job.compare(true);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST(EnvelopeRows, AreRecomputedWhenStepsPerEpochChange)
{
    Story run(0);
    run.beginAttempt({});
    const auto line = [](std::int64_t epoch, std::int64_t step) {
        Sample sample;
        sample.epoch = epoch;
        sample.step = step;
        sample.loss = double(10 * epoch + step);
        return sample;
    };
    const ColumnGrid grid = ColumnGrid::between(0, 20, 20);
    for (int rank = 0; rank < 80; ++rank) run.add(rank, 0, {line(1, 1), line(1, 3), line(2, 1)}, {});
    EXPECT_EQ(run.envelope(grid)[4].median, 21);
    for (int rank = 0; rank < 80; ++rank)
        run.add(rank, 0, {line(2, 5)}, {});  // shows that an epoch has more steps than were printed
    const std::vector<EnvelopeColumn> columns = run.envelope(grid);
    EXPECT_EQ(columns[4].ranks, 0u);
    EXPECT_EQ(columns[6].median, 21);
    EXPECT_EQ(columns[10].median, 25);
}

// Steps that are too far apart for pages use no memory: the series of the ranks are read instead.
TEST(EnvelopeRows, SkipStepsThatAreFarApart)
{
    Story run(0);
    run.beginAttempt({});
    std::vector<Sample> far(2);
    far[0].globalStep = 1;
    far[1].globalStep = 2;
    for (int rank = 0; rank < 64; ++rank) run.add(rank, 0, far, {});
    EXPECT_EQ(run.envelope(ColumnGrid::between(0, 3, 3))[1].ranks, 64u);
    std::vector<Sample> one(1);
    for (std::int64_t i = 1; i <= 300'000; ++i) {
        one[0].globalStep = i * 1'000'000'000;
        run.add(0, 0, one, {});
    }
    EXPECT_EQ(run.envelope(ColumnGrid::between(0, 3, 3))[1].ranks, 64u);
    EXPECT_EQ(run.envelope(ColumnGrid::between(1e9, 1e9 + 1, 1))[0].ranks, 1u);
}

// Data that is read to follow a run: the new lines, not the earlier ones, and nothing if no line came.
TEST(EnvelopeRows, AreBuiltOnceAndExtendedByNewLines)
{
    constexpr int ranks = 512;
    std::vector<Series> series(ranks);
    std::vector<RankSeries> all;
    EnvelopeRows rows;
    const auto log = [&](std::int64_t step) {
        for (Series &one : series) one.append({step, float(step % 7), 0});
        rows.placed(step);
    };
    for (std::int64_t step = 0; step < 1000; ++step) log(step);
    for (int rank = 0; rank < ranks; ++rank) all.push_back({rank, &series[std::size_t(rank)]});
    constexpr std::int64_t plenty = 1 << 30;
    const auto readFor = [&](std::int64_t from) {
        std::int64_t budget = plenty;
        for (const FoldedColumn &column : rows.fold(ColumnGrid::aligned(from, 1, 1000), 0, -1000, 1 << 20, all, budget))
            EXPECT_EQ(column.of, FoldedColumn::Of::rows);
        return plenty - budget;
    };
    EXPECT_EQ(readFor(0), 1000 * ranks);
    EXPECT_EQ(readFor(0), 0);
    for (std::int64_t step = 1000; step < 1100; ++step) {
        log(step);
        EXPECT_EQ(readFor(step - 999), ranks) << step;
    }
    EXPECT_LT(double(rows.bytes()), 0.2 * 1100 * ranks) << "bytes a sample";
}

TEST(EnvelopeRows, AreBuiltInPartsIfThereAreVeryMany)
{
    std::vector<Series> series(64);
    std::vector<RankSeries> all;
    for (int rank = 0; rank < 64; ++rank) {
        for (std::int64_t step = 0; step < 10'000; ++step) series[std::size_t(rank)].append({step, 1, 0});
        all.push_back({rank, &series[std::size_t(rank)]});
    }
    EnvelopeRows rows;
    int looks = 0;
    for (bool whole = false; !whole; ++looks) {
        std::int64_t budget = 100'000;
        const std::vector<FoldedColumn> columns =
            rows.fold(ColumnGrid::aligned(0, 100, 100), 0, 0, 1 << 20, all, budget);
        EXPECT_GT(budget, -64 * 256) << "one page more at the most";
        whole = std::all_of(columns.begin(), columns.end(),
                            [](const FoldedColumn &column) { return column.of == FoldedColumn::Of::rows; });
        ASSERT_LT(looks, 10);
    }
    EXPECT_GT(looks, 4);
}

}  // namespace
}  // namespace rankdeck::envelope_rows_test
