// SPDX-License-Identifier: GPL-3.0-or-later
// First and last step and the number of samples, which are updated with each line, equal the result of reading all
// series.
#include "core/run/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rankdeck::extent_test {
namespace {

using namespace std::chrono_literals;
using Story = Run;  // in the body of a test, the name Run means GoogleTest's own

constexpr int ranks = 5;
const WallTime start = WallTime{} + 1000000s;

void expectAsInTheSeries(const Story &run)
{
    std::uint64_t samples = 0;
    for (const AttemptInfo &attempt : run.attempts()) {
        std::optional<std::int64_t> first, last;
        for (int rank = 0; rank < ranks; ++rank) {
            const Series *series = run.series(rank, attempt.index);
            samples += run.waitingCount(rank, attempt.index);
            if (series == nullptr || series->size() == 0) continue;
            samples += series->size();
            first = std::min(first.value_or(series->first()->step), series->first()->step);
            last = std::max(last.value_or(series->last()->step), series->last()->step);
        }
        EXPECT_EQ(attempt.firstStep, first);
        EXPECT_EQ(attempt.lastStep, last);
        EXPECT_TRUE(attempt.index != run.currentAttempt() || run.lastPosition() == last);
    }
    EXPECT_EQ(run.sampleCount(), samples);
}

class Extents : public testing::TestWithParam<unsigned> {
protected:
    int upTo(int most) { return std::uniform_int_distribution<int>(0, most - 1)(m_random); }

    std::vector<Sample> lines()
    {
        std::vector<Sample> lines;
        const int epoch = 1 + upTo(4), first = upTo(9);
        for (int step = first; step <= first + upTo(6); ++step) {
            Sample &line = lines.emplace_back();
            line.loss = 1;
            const int words = upTo(4);
            if (words > 0) line.step = step;
            if (words > 1) line.epoch = epoch;
            if (words == 0) line.fractionalEpoch = epoch + 0.1 * step;
        }
        return lines;
    }

    void change(Story &run)
    {
        switch (upTo(12)) {
        case 0: run.beginAttempt(start + std::chrono::seconds(++m_now)); break;
        case 1: run.setStepOffset(upTo(run.currentAttempt() + 2), upTo(100)); break;
        case 2: run.setStepsPerEpoch(1 + upTo(40)); break;
        case 3: run.restoreSamples(upTo(ranks), run.currentAttempt(), {{1 + upTo(50), 0.5F, 0}}); break;
        case 4: run.restoreWaiting(upTo(ranks), run.currentAttempt(), lines()); break;
        default: {
            const bool older = upTo(3) == 0;
            run.add(upTo(ranks), upTo(run.currentAttempt() + 2), lines(), start + std::chrono::seconds(++m_now), older);
        }
        }
    }

private:
    std::mt19937 m_random{GetParam()};
    int m_now = 0;
};

TEST_P(Extents, EqualThoseOfTheSeriesAfterAnyChange)
{
    Story run;
    run.beginAttempt(start);
    for (int i = 0; i < 60; ++i) {
        change(run);
        expectAsInTheSeries(run);
        if (HasFailure()) break;
    }
}

INSTANTIATE_TEST_SUITE_P(Random, Extents, testing::Range(0U, 40U));

}  // namespace
}  // namespace rankdeck::extent_test
