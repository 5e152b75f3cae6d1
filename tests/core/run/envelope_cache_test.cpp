// SPDX-License-Identifier: GPL-3.0-or-later
// A cached envelope is equal to that of a fresh query, whatever happens to the run in between. Following a run costs
// only the new lines.
#include "core/run/envelope_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace rankdeck::envelope_cache_test {
namespace {

using Story = Run;  // in the body of a test, the name Run means GoogleTest's own

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expectSame(const std::vector<EnvelopeColumn> &kept, const std::vector<EnvelopeColumn> &fresh)
{
    ASSERT_EQ(kept.size(), fresh.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const EnvelopeColumn &a = kept[i], &b = fresh[i];
        ASSERT_TRUE(same(a.min, b.min) && same(a.max, b.max) && same(a.median, b.median) && same(a.low, b.low) &&
                    same(a.high, b.high) && a.ranks == b.ranks && a.nonFinite == b.nonFinite &&
                    a.firstNonFiniteRank == b.firstNonFiniteRank)
            << "column " << i;
    }
}

std::vector<Sample> samplesFrom(std::int64_t step, int count, std::mt19937 &random)
{
    std::vector<Sample> samples;
    for (int i = 0; i < count; ++i) {
        Sample sample;
        sample.globalStep = step + i;
        sample.loss = random() % 50 == 0 ? std::numeric_limits<double>::quiet_NaN() : double(random() % 1000);
        samples.push_back(sample);
    }
    return samples;
}

class EnvelopeStory {
public:
    explicit EnvelopeStory(unsigned seed) : m_random(seed) { m_run.beginAttempt({}); }

    void happens()
    {
        const int rank = int(m_random() % 4);
        const int attempt = m_run.currentAttempt();
        const Series *series = m_run.series(rank, attempt);
        const bool any = series != nullptr && series->size() > 0;
        const std::int64_t next = any ? series->last()->step + 1 : m_begin + std::int64_t(m_random() % 5);
        const auto what = m_random() % 40;
        if (what == 0) {
            m_begin = std::max<std::int64_t>(0, m_run.lastPosition().value_or(0) - std::int64_t(m_random() % 60));
            m_run.beginAttempt(WallTime{} + std::chrono::seconds(m_random() % 1000),
                               m_random() % 2 == 0 ? std::optional(m_begin - 1) : std::nullopt);
        } else if (what == 1 && any && next > 30) {
            add(rank, attempt, next - 20, 3);  // steps go back
        } else if (what == 2 && any && series->first()->step > 10) {
            m_run.add(rank, attempt, samplesFrom(series->first()->step - 5, 5, m_random), {}, true);
        } else if (what == 3) {
            m_run.setStepOffset(attempt, std::int64_t(m_random() % 3));
        } else if (what == 4 && attempt > 0) {
            add(rank, attempt - 1, m_begin + 3, 1);  // a late line of the attempt before
        } else {
            add(rank, attempt, next, 1 + int(m_random() % 7));
        }
    }
    ColumnGrid grid()
    {
        const double widths[] = {1, 1, 1, 1, 2.5, 2.5, std::exp2(1.125)};
        const std::int64_t last = m_run.lastPosition().value_or(0);
        const double width = widths[m_random() % 7];
        const auto end =
            std::int64_t(double(last) / width) + 2 - (m_random() % 5 == 0 ? std::int64_t(m_random() % 40) : 0);
        return ColumnGrid::aligned(end - 60, width, 60);
    }
    [[nodiscard]] const Story &run() const { return m_run; }

private:
    void add(int rank, int attempt, std::int64_t step, int count)
    {
        m_run.add(rank, attempt, samplesFrom(step, count, m_random), {});
    }
    std::mt19937 m_random;
    Story m_run{0};
    std::int64_t m_begin = 0;
};

TEST(EnvelopeCache, EqualsAFreshQueryAfterAnyChange)
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        EnvelopeStory story(seed);
        EnvelopeCache kept, discarded(true);
        for (int i = 0; i < 150; ++i) {
            story.happens();
            const ColumnGrid grid = story.grid();
            expectSame(kept.of(story.run(), grid), story.run().envelope(grid));
            expectSame(discarded.of(story.run(), grid), story.run().envelope(grid, true));
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

// One new line of every rank, with the window moved by one step. The work is the same few columns for 8 ranks and for
// 48. A rank that fell silent long ago does not make other columns be read again.
TEST(EnvelopeCache, ProcessesOnlyColumnsWithNewSamplesOfALiveRun)
{
    std::vector<std::uint64_t> work;
    for (const int ranks : {8, 48}) {
        Story run(0);
        run.beginAttempt({});
        std::mt19937 random(7);
        for (int rank = 0; rank < ranks; ++rank) run.add(rank, 0, samplesFrom(0, rank == 3 ? 100 : 1000, random), {});
        EnvelopeCache cache;
        (void)cache.of(run, ColumnGrid::aligned(0, 1, 1000));
        const std::uint64_t before = cache.folded();
        for (std::int64_t step = 1000; step < 1100; ++step) {
            for (int rank = 0; rank < ranks; ++rank)
                if (rank != 3) run.add(rank, 0, samplesFrom(step, 1, random), {});
            const ColumnGrid grid = ColumnGrid::aligned(step - 999, 1, 1000);
            (void)cache.of(run, grid);
        }
        work.push_back(cache.folded() - before);
    }
    EXPECT_EQ(work[0], work[1]);
    EXPECT_LE(work[0], 300u);
}

}  // namespace
}  // namespace rankdeck::envelope_cache_test
