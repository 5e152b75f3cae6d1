// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rankdeck::run_test {
namespace {

using namespace std::chrono_literals;
using Story = Run;  // in the body of a test, the name Run means GoogleTest's own

const WallTime start = WallTime{} + 1000000s;

Sample sampleAt(std::int64_t epoch, std::int64_t step, double loss = 1)
{
    Sample sample;
    sample.epoch = epoch;
    sample.step = step;
    sample.loss = loss;
    sample.offset = static_cast<std::uint64_t>(epoch) * 100000 + static_cast<std::uint64_t>(step) * 40;
    return sample;
}

std::vector<Sample> epochs(std::int64_t first, std::int64_t last, std::int64_t steps, double loss = 1)
{
    std::vector<Sample> samples;
    for (std::int64_t epoch = first; epoch <= last; ++epoch)
        for (std::int64_t step = 1; step <= steps; ++step) samples.push_back(sampleAt(epoch, step, loss));
    return samples;
}

TEST(Run, LogThatPrecedesTheLaunchReplyBelongsToTheSameAttempt)
{
    Story run(10);
    EXPECT_EQ(run.launchedAttempt(start, {}), 0);
    EXPECT_EQ(run.beginAttempt(start + 61s), 1);  // its log came before the answer to the launch
    run.add(0, 1, {sampleAt(3, 1)}, start + 62s);
    EXPECT_EQ(run.launchedAttempt(start + 60s, 20), 1);
    EXPECT_EQ(run.attempts().size(), 2u);
    EXPECT_EQ(run.attempts()[1].started, start + 60s);
    EXPECT_EQ(run.attempts()[1].resumedFrom, 20);
    EXPECT_EQ(run.launchedAttempt(start + 90s, 25), 2);
}

TEST(Run, LateConsoleReadsTheStartOfAnAttemptFromTheProcesses)
{
    Story run(10);
    EXPECT_FALSE(run.ranSince(start)) << "there is none";
    run.beginAttempt(start + 600s);
    EXPECT_TRUE(run.ranSince(start + 100s));
    EXPECT_EQ(run.attempts()[0].started, start + 100s);
    EXPECT_FALSE(run.ranSince(start + 130s)) << "another rank's began later";
    EXPECT_FALSE(run.ranSince(start + 97s)) << "no better known than a node's clock";
    EXPECT_FALSE(run.ranSince({})) << "nobody said";
    run.add(0, 0, {sampleAt(1, 3)}, start + 700s);
    run.beginAttempt(start + 900s);
    EXPECT_FALSE(run.ranSince(start + 100s)) << "a process of the attempt before, which still ends";
    EXPECT_FALSE(run.ranSince(start + 690s)) << "before that one's last line";
    EXPECT_TRUE(run.ranSince(start + 720s));
    EXPECT_EQ(run.attempts()[0].started, start + 100s);
    EXPECT_EQ(run.attempts()[1].started, start + 720s);
}

TEST(Run, PlacesSamplesByEpochAndStep)
{
    Story run(10);
    run.beginAttempt(start);
    EXPECT_EQ(run.add(0, 0, {sampleAt(1, 3, 0.5), sampleAt(2, 1, 0.25)}, start), 2u);
    EXPECT_EQ(run.series(0, 0)->at(3)->loss, 0.5f);
    EXPECT_EQ(run.series(0, 0)->last()->step, 11);
    EXPECT_EQ(run.nominal(3, 4), 24);
    EXPECT_EQ(run.lastPosition(), 11);
    EXPECT_EQ(run.series(1, 0), nullptr);
}

// Regression: losses came only from the newest attempt that had any loss near the position. A set of an earlier attempt
// was compared with losses from far after it. A good resume was NOT PROVEN after another resume had made a few steps.
TEST(Run, LossesComeFromTheNewestAttemptAtThatPosition)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(0, 0, epochs(1, 4, 10, 4), start + 1s);
    EXPECT_EQ(run.losses(0, 15, 17).size(), 3u);
    run.beginAttempt(start + 100s, 30);
    run.add(0, 1, {sampleAt(4, 1, 1), sampleAt(4, 2, 1)}, start + 101s);
    run.beginAttempt(start + 200s, 20);
    const std::vector<PlacedSample> losses = run.losses(0, 18, 34);
    ASSERT_EQ(losses.size(), 17u);
    for (const PlacedSample &sample : losses) {
        EXPECT_EQ(sample.step, 18 + (&sample - losses.data()));
        EXPECT_EQ(sample.loss, sample.step == 31 || sample.step == 32 ? 1 : 4) << sample.step;
    }
    EXPECT_TRUE(run.losses(1, 18, 34).empty());
    EXPECT_TRUE(run.losses(0, 90, 99).empty());
}

TEST(Run, RefusesSamplesOfAnAttemptThatHasNotBegun)
{
    Story run(10);
    EXPECT_EQ(run.add(0, 0, {sampleAt(1, 1)}, start), 0u);
    EXPECT_EQ(run.sampleCount(), 0u);
    EXPECT_EQ(run.currentAttempt(), -1);
}

TEST(Run, LearnsStepsPerEpochAndPlacesWaitingSamples)
{
    Story run;
    run.beginAttempt(start);
    EXPECT_EQ(run.add(0, 0, epochs(1, 1, 8), start), 8u);
    EXPECT_EQ(run.stepsPerEpoch(), 0);
    EXPECT_EQ(run.add(0, 0, {sampleAt(2, 1)}, start), 1u);
    EXPECT_EQ(run.stepsPerEpoch(), 8);
    EXPECT_EQ(run.lastPosition(), 9);
}

TEST(Run, SamplesOfALaterEpochWaitUntilAnEpochHasEnded)
{
    Story run;
    run.beginAttempt(start);
    EXPECT_EQ(run.add(0, 0, {sampleAt(5, 7), sampleAt(5, 8)}, start), 0u);
    EXPECT_EQ(run.sampleCount(), 2u);
    EXPECT_TRUE(run.progress(0).hasLoss);
    EXPECT_FALSE(run.progress(0).position.has_value());
    run.add(0, 0, {sampleAt(6, 1)}, start);
    EXPECT_EQ(run.stepsPerEpoch(), 8);
    EXPECT_EQ(run.series(0, 0)->size(), 3u);
    EXPECT_EQ(run.series(0, 0)->first()->step, 39);
    EXPECT_EQ(run.progress(0).position, 41);
}

TEST(Run, LearnsStepsPerEpochAcrossABackfill)
{
    Story run;
    run.beginAttempt(start);
    run.add(0, 0, {sampleAt(3, 1), sampleAt(3, 2)}, start);
    EXPECT_EQ(run.add(0, 0, {sampleAt(2, 9), sampleAt(2, 10)}, start, true), 2u);
    EXPECT_EQ(run.stepsPerEpoch(), 10);
    run.add(0, 0, {sampleAt(2, 7), sampleAt(2, 8)}, start, true);
    const std::vector<PlacedSample> samples = run.series(0, 0)->samples(0, 100);
    ASSERT_EQ(samples.size(), 6u);
    for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].step, 17 + static_cast<std::int64_t>(i));
}

TEST(Run, ReadsStepsPerEpochFromTheLineThatStatesThem)
{
    Story run;
    run.beginAttempt(start);
    Sample sample = sampleAt(4, 5);
    sample.stepsPerEpoch = 100;
    EXPECT_EQ(run.add(0, 0, {sample}, start), 1u);
    EXPECT_EQ(run.lastPosition(), 305);
}

TEST(Run, RepositionsSamplesWhenAnEpochIsLongerThanAssumed)
{
    Story run;
    run.beginAttempt(start);
    run.add(0, 0, {sampleAt(1, 100), sampleAt(1, 1800), sampleAt(2, 25)}, start);  // printed each 100 steps of 1,875
    EXPECT_EQ(run.lastPosition(), 1825);
    Event event;
    event.kind = EventKind::epochTime;
    event.rank = 0;
    event.stepMs = 4;
    event.stepsPerEpoch = 1875;
    EXPECT_EQ(run.add(event), 0u);
    EXPECT_EQ(run.stepsPerEpoch(), 1875);
    EXPECT_EQ(run.lastPosition(), 1900);
    EXPECT_EQ(run.series(0, 0)->first()->step, 100);
    EXPECT_TRUE(run.events().empty());
    EXPECT_DOUBLE_EQ(run.progress(0).stepSeconds.value(), 0.004);
}

TEST(Run, StepsPerEpochOfTheJobFileAreKept)
{
    Story run(50);
    run.beginAttempt(start);
    run.add(0, 0, epochs(1, 2, 8), start);
    run.setStepsPerEpoch(8);
    EXPECT_EQ(run.stepsPerEpoch(), 50);
}

TEST(Run, CountsFromZeroIfTheLogDoes)
{
    Story run;
    run.beginAttempt(start);
    run.add(0, 0, {sampleAt(1, 0), sampleAt(1, 1), sampleAt(1, 2), sampleAt(2, 0)}, start);
    EXPECT_EQ(run.stepsPerEpoch(), 3);
    EXPECT_EQ(run.lastPosition(), 3);
}

TEST(Run, PlacesGlobalStepsAndFractionsOfEpochs)
{
    Story run;
    run.beginAttempt(start);
    Sample global;
    global.globalStep = 41200;
    EXPECT_EQ(run.add(0, 0, {global}, start), 1u);
    EXPECT_EQ(run.lastPosition(), 41200);
    Sample fraction;
    fraction.fractionalEpoch = 1.5;
    EXPECT_EQ(run.add(1, 0, {fraction}, start), 0u);
    run.setStepsPerEpoch(8);
    EXPECT_EQ(run.series(1, 0)->first()->step, 12);
    EXPECT_EQ(run.series(0, 0)->first()->step, 41200);
}

TEST(Run, CountsLinesThatContainOnlyALoss)
{
    Story run;
    run.beginAttempt(start);
    Sample bare;
    run.add(0, 0, {bare, bare, bare}, start);
    EXPECT_EQ(run.lastPosition(), 3);
    run.add(0, 0, {bare, bare}, start, true);
    EXPECT_EQ(run.series(0, 0)->first()->step, -1);
    EXPECT_EQ(run.series(0, 0)->size(), 5u);
}

TEST(Run, HugeNumbersDoNotOverflow)
{
    Story run;
    run.beginAttempt(start);
    const std::int64_t huge = 999'999'999'999'999'999;
    run.add(0, 0, {sampleAt(huge, huge), sampleAt(huge, 3), sampleAt(0, 0), sampleAt(2, huge)}, start);
    run.setStepsPerEpoch(1'000'000'000);
    EXPECT_EQ(run.series(0, 0)->size(), 4u);
    EXPECT_EQ(run.envelope(ColumnGrid::between(-1e18, 1e18, 5)).size(), 5u);
}

TEST(Run, LateOffsetMovesTheWholeAttempt)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(0, 0, {sampleAt(1, 1, std::nan(""))}, start);
    run.setStepOffset(0, 30);
    EXPECT_EQ(run.series(0, 0)->first()->step, 31);
    EXPECT_EQ(run.progress(0).position, 31);
    EXPECT_EQ(run.events()[0].position, 31);
    run.add(0, 0, {sampleAt(1, 2)}, start);
    run.add(1, 0, {sampleAt(1, 2)}, start);
    EXPECT_EQ(run.series(0, 0)->last()->step, 32);
    EXPECT_EQ(run.series(1, 0)->last()->step, 32);
    EXPECT_EQ(run.attempts()[0].firstStep, 31);
}

TEST(Run, ResumeDiscardsStepsBeyondItsSet)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(0, 0, epochs(1, 3, 10, 5), start);
    run.beginAttempt(start + 1h, 20);
    run.add(0, 1, epochs(3, 4, 10, 2), start + 1h);
    const std::vector<AttemptInfo> attempts = run.attempts();
    EXPECT_EQ(attempts[0].discardedAfter, 20);
    EXPECT_FALSE(attempts[1].discardedAfter.has_value());
    EXPECT_EQ(attempts[1].firstStep, 21);

    const std::vector<Column> line = run.line(0, ColumnGrid::between(0, 50, 5));
    EXPECT_EQ(line[1].max, 5);
    EXPECT_EQ(line[3].max, 2);  // 30 … 39: only the new attempt
    std::uint32_t count = 0;
    for (const Column &column : line) count += column.count;
    EXPECT_EQ(count, 40u);
    const std::vector<EnvelopeColumn> gone = run.envelope(ColumnGrid::between(0, 50, 50), true);
    EXPECT_EQ(gone[20].ranks, 0u);
    EXPECT_EQ(gone[21].max, 5);
    EXPECT_EQ(gone[31].ranks, 0u);
}

TEST(Run, UnannouncedLaunchDiscardsFromItsFirstStep)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(0, 0, epochs(1, 3, 10, 5), start);
    run.beginAttempt(start + 1h);
    EXPECT_FALSE(run.attempts()[0].discardedAfter.has_value());
    run.add(0, 1, {sampleAt(2, 6, 2)}, start);
    EXPECT_EQ(run.attempts()[0].discardedAfter, 15);
    run.setResumedFrom(1, 12);
    EXPECT_EQ(run.attempts()[0].discardedAfter, 12);
}

TEST(Run, EnvelopeIsComputedOverRanks)
{
    Story run(100);
    run.beginAttempt(start);
    for (int rank = 0; rank < 11; ++rank) run.add(rank, 0, {sampleAt(1, 5, rank)}, start);
    run.add(7, 0, {sampleAt(1, 6, std::nan(""))}, start);
    run.add(3, 0, {sampleAt(1, 6, std::numeric_limits<double>::infinity())}, start);
    const std::vector<EnvelopeColumn> columns = run.envelope(ColumnGrid::between(5, 7, 2));
    EXPECT_EQ(columns[0].ranks, 11u);
    EXPECT_EQ(columns[0].min, 0);
    EXPECT_EQ(columns[0].max, 10);
    EXPECT_EQ(columns[0].median, 5);
    EXPECT_EQ(columns[0].low, 1);
    EXPECT_EQ(columns[0].high, 9);
    EXPECT_EQ(columns[1].ranks, 0u);
    EXPECT_EQ(columns[1].nonFinite, 2u);
    EXPECT_EQ(columns[1].firstNonFiniteRank, 3);
}

TEST(Run, ReportsTheFirstNaNOfARankOnce)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(2, 0, {sampleAt(1, 4), sampleAt(1, 5, std::nan("")), sampleAt(1, 6, std::nan(""))}, start);
    run.add(2, 0, {sampleAt(1, 7, -std::numeric_limits<double>::infinity())}, start + 1s);
    ASSERT_EQ(run.events().size(), 1u);
    EXPECT_EQ(run.events()[0].kind, EventKind::nan);
    EXPECT_EQ(run.events()[0].rank, 2);
    EXPECT_EQ(run.events()[0].position, 5);
    EXPECT_EQ(run.events()[0].text, "loss is NaN at epoch 1, step 5");
    EXPECT_EQ(run.events()[0].logOffset, sampleAt(1, 5).offset);

    run.add(2, 0, {sampleAt(1, 1, std::nan(""))}, start + 2s, true);  // the backfill finds an earlier one
    ASSERT_EQ(run.events().size(), 1u);
    EXPECT_EQ(run.events()[0].position, 1);
    EXPECT_EQ(run.eventsRevision(), 1u);

    run.beginAttempt(start + 1h);
    run.add(2, 1, {sampleAt(1, 1, std::nan(""))}, start + 1h);
    EXPECT_EQ(run.events().size(), 2u);
}

// A loss scaler skips an overflow. A later overflow is a separate problem, which begins there.
TEST(Run, SkippedOverflowIsNotTheStartOfALaterProblem)
{
    Story run(100);
    run.beginAttempt(start);
    run.add(0, 0, {sampleAt(1, 4), sampleAt(1, 5, INFINITY), sampleAt(1, 6)}, start);
    EXPECT_EQ(run.firstNonFinite(0, 0)->position, 5) << "one good loss may be luck";
    run.add(0, 0, {sampleAt(1, 7), sampleAt(1, 8)}, start);
    EXPECT_FALSE(run.firstNonFinite(0, 0));
    run.add(0, 0, {sampleAt(1, 9), sampleAt(1, 10, std::nan("")), sampleAt(1, 11), sampleAt(1, 12, std::nan(""))},
            start);
    EXPECT_EQ(run.firstNonFinite(0, 0)->position, 10);
    EXPECT_EQ(run.events().size(), 2u);
    run.add(0, 0, {sampleAt(1, 1, std::nan("")), sampleAt(1, 2), sampleAt(1, 3), sampleAt(1, 3)}, start, true);
    EXPECT_EQ(run.firstNonFinite(0, 0)->position, 10) << "an older one that was over";
}

TEST(Run, NaNWithoutAPositionGetsItLater)
{
    Story run;
    run.beginAttempt(start);
    run.add(0, 0, {sampleAt(3, 2, std::nan(""))}, start);
    EXPECT_FALSE(run.events()[0].position.has_value());
    run.setStepsPerEpoch(10);
    EXPECT_EQ(run.events()[0].position, 22);
}

TEST(Run, ReturnsEventsAddedSinceAGivenEvent)
{
    Story run;
    Event event;
    event.text = "a";
    const std::uint64_t first = run.add(event);
    event.text = "b";
    const std::uint64_t second = run.add(event);
    EXPECT_GT(second, first);
    ASSERT_EQ(run.events(first).size(), 1u);
    EXPECT_EQ(run.events(first)[0].text, "b");
    EXPECT_TRUE(run.events(second).empty());
}

TEST(Run, StepTimeIsDerivedFromArrivalTimes)
{
    Story run(1000);
    run.beginAttempt(start);
    run.add(0, 0, epochs(1, 1, 500), start);  // hours of old lines at once are not used
    EXPECT_FALSE(run.progress(0).stepSeconds.has_value());
    for (int second = 1; second <= 20; ++second) {
        std::vector<Sample> samples;
        for (int i = 1; i <= 4; ++i) samples.push_back(sampleAt(1, 500 + (second - 1) * 4 + i));
        run.add(0, 0, samples, start + second * 1s + (second > 10 ? 60s : 0s));  // one stall of a minute
    }
    EXPECT_NEAR(run.progress(0).stepSeconds.value(), 0.25, 1e-9);
    EXPECT_NEAR(run.stepSeconds().value(), 0.25, 1e-9);
    ASSERT_TRUE(run.timeAt(530, 0).has_value());
    EXPECT_NEAR(secondsBetween(start, *run.timeAt(530, 0)), 7.5, 0.01);
    EXPECT_FALSE(run.timeAt(100, 0).has_value());
    EXPECT_FALSE(run.timeAt(5000, 0).has_value());
}

// A console that starts after the last line has seen no silence, but the log shows the step time.
TEST(Run, UsualSilenceIsKnownForALogThatWasNotSeenGrowing)
{
    for (const std::int64_t every : {1, 1'000}) {
        Story run;
        run.beginAttempt(start);
        std::vector<Sample> samples(20);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i].globalStep = static_cast<std::int64_t>(i + 1) * every;
            samples[i].stepMs = 250;
        }
        run.add(0, 0, samples, start);
        ASSERT_TRUE(run.progress(0).usualSilence);
        EXPECT_EQ(*run.progress(0).usualSilence, every == 1 ? 120 : 20 * 1'000 * 0.25);
    }
    Story watched;
    watched.beginAttempt(start);
    std::vector<Sample> lines = epochs(1, 1, 12);
    for (Sample &line : lines) line.stepMs = 250;
    watched.add(0, 0, {lines.begin(), lines.end() - 2}, start);
    watched.add(0, 0, {lines.end() - 2, lines.end()}, start + 1s);
    EXPECT_EQ(watched.progress(0).usualSilence, 600) << "what was seen of it growing is too little yet";
    EXPECT_FALSE(watched.progress(0).silenceHeard);
    Story compiling;
    compiling.beginAttempt(start);
    Sample first;
    first.globalStep = 1;
    first.stepMs = 90'000;
    compiling.add(0, 0, {first}, start);
    EXPECT_FALSE(compiling.progress(0).usualSilence);
}

// With dataset sink, a console would have to watch eight epochs before it could detect a hang.
TEST(Run, UsualSilenceIsKnownFromAFewLinesOncePerEpoch)
{
    Story run(1000);
    run.beginAttempt(start);
    for (int epoch = 1; epoch <= 4; ++epoch)
        run.add(0, 0, {sampleAt(epoch, 1000)}, start + epoch * 300s + (epoch > 2 ? 5000s : 0s));
    ASSERT_TRUE(run.progress(0).usualSilence);
    EXPECT_EQ(*run.progress(0).usualSilence, 6000) << "twenty epochs";
    EXPECT_FALSE(run.progress(0).silenceHeard);
}

TEST(Run, PrefersTheStepTimeInTheLine)
{
    Story run(1000);
    run.beginAttempt(start);
    Sample sample = sampleAt(1, 1);
    sample.stepMs = 1234;
    sample.learningRate = 0.01;
    run.add(0, 0, {sample}, start);
    EXPECT_DOUBLE_EQ(run.progress(0).stepSeconds.value(), 1.234);
    EXPECT_DOUBLE_EQ(run.progress(0).learningRate.value(), 0.01);
}

TEST(Run, KeepsThroughputLossScaleAndTotalOfEarlierLines)
{
    Story run(10);
    run.beginAttempt(start);
    Sample sample = sampleAt(1, 3);
    sample.throughput = 812.5;
    sample.lossScale = 1024;
    sample.total = 50;
    run.add(0, 0, {sample}, start);
    run.add(0, 0, {sampleAt(1, 4)}, start + 1s);  // a line without it removes nothing
    EXPECT_DOUBLE_EQ(run.progress(0).throughput.value(), 812.5);
    EXPECT_DOUBLE_EQ(run.progress(0).lossScale.value(), 1024);
    EXPECT_EQ(run.progress(0).total, 50);
    run.setStepOffset(0, 7);  // also moves the total, which is on the axis of the position
    EXPECT_EQ(run.progress(0).total, 57);
    EXPECT_EQ(run.progress(0).position, 11);
}

TEST(Run, BackfillDoesNotReverseProgress)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(0, 0, {sampleAt(2, 3, 0.5)}, start);
    run.add(0, 0, {sampleAt(1, 1, 9)}, start + 1s, true);
    EXPECT_EQ(run.progress(0).loss, 0.5);
    EXPECT_EQ(run.progress(0).position, 13);
    EXPECT_EQ(run.progress(0).heard, start);
}

TEST(Run, ProgressIsThatOfTheNewestAttemptWithALoss)
{
    Story run(10);
    run.beginAttempt(start);
    run.add(0, 0, {sampleAt(2, 3, 0.5)}, start);
    run.beginAttempt(start + 1h);
    EXPECT_EQ(run.progress(0).attempt, 0);
    run.add(0, 1, {sampleAt(2, 1, 0.7)}, start + 1h);
    EXPECT_EQ(run.progress(0).attempt, 1);
    EXPECT_EQ(run.ranks(), std::vector<int>{0});
}

}  // namespace
}  // namespace rankdeck::run_test
