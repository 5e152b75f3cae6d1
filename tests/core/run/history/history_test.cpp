// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of a history are restored: samples, events, attempts and the positions in the logs.
#include "core/run/history/database.h"
#include "tests/core/run/history/history_fixture.h"

#include <cmath>
#include <random>

namespace rankdeck::history_test {
namespace {

using namespace std::chrono_literals;

void expectSameSeries(const Story &a, const Story &b, int rank, int attempt)
{
    ASSERT_NE(a.series(rank, attempt), nullptr);
    ASSERT_NE(b.series(rank, attempt), nullptr);
    const std::vector<PlacedSample> one = a.series(rank, attempt)->samples(-1000000000, 1000000000);
    const std::vector<PlacedSample> other = b.series(rank, attempt)->samples(-1000000000, 1000000000);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(one[i].step, other[i].step) << i;
        if (std::isnan(one[i].loss)) {
            ASSERT_TRUE(std::isnan(other[i].loss)) << i;
        } else {
            ASSERT_EQ(one[i].loss, other[i].loss) << i;
        }
        ASSERT_LE(other[i].offset, sampleAt(1, one[i].step, 0).offset + 10000000) << i;
    }
}

TEST_F(HistoryTest, RestoresAllData)
{
    Story run(100);
    std::vector<LogPosition> positions;
    {
        const std::unique_ptr<History> history = open();
        ASSERT_TRUE(history->load(run, positions).has_value());
        run.beginAttempt(start);
        run.add(0, 0, steps(1, 1, 90), start);
        run.add(1, 0, {sampleAt(1, 5, std::nan("")), sampleAt(1, 6, -INFINITY)}, start + 5s);
        run.beginAttempt(start + 1h, 50);
        run.setStepOffset(1, 50);
        Sample last = sampleAt(1, 3, 0.75);
        last.learningRate = 0.01;
        run.add(0, 1, {last}, start + 2h);
        Event event;
        event.time = start + 3h;
        event.ranks = {3, 5};
        event.attempt = 1;
        event.kind = EventKind::rankDied;
        event.text = "rank 3 ended by signal 9\nsecond line";
        event.position = 77;
        event.logPath = "/job/log\xff";
        event.logOffset = 1234567;
        event.node = "n1";
        run.add(event);
        LogPosition position;
        position.rank = 1;
        position.attempt = 1;
        position.path = "/job/worker_1.log";
        position.resume = {1, 2, 3456, "abcd"};
        position.firstOffset = 99;
        position.pid = 4242;
        position.partial = "epoch: 1 st";
        ASSERT_TRUE(history->flush(run, {position}).has_value());
        ASSERT_TRUE(history->putReport("{\"sets\": []}").has_value());
        ASSERT_TRUE(history->putJob("{\"name\": \"lenet\"}").has_value());
    }
    Story back;
    const std::unique_ptr<History> history = openAndLoad(back, positions);
    EXPECT_EQ(back.stepsPerEpoch(), 100);
    ASSERT_EQ(back.attempts().size(), 2u);
    EXPECT_EQ(back.attempts()[1].started, start + 1h);
    EXPECT_EQ(back.attempts()[1].resumedFrom, 50);
    EXPECT_EQ(back.attempts()[1].stepOffset, 50);
    EXPECT_EQ(back.attempts()[0].discardedAfter, 50);
    expectSameSeries(run, back, 0, 0);
    expectSameSeries(run, back, 1, 0);
    expectSameSeries(run, back, 0, 1);
    EXPECT_EQ(back.progress(0).position, 53);
    EXPECT_EQ(back.progress(0).loss, 0.75);
    EXPECT_EQ(back.progress(0).heard, start + 2h);
    EXPECT_DOUBLE_EQ(back.progress(0).learningRate.value(), 0.01);
    ASSERT_EQ(back.events().size(), 2u);
    EXPECT_EQ(back.events()[0].kind, EventKind::nan);
    EXPECT_EQ(back.events()[0].text.format(), run.events()[0].text.format()) << "the window translates it";
    EXPECT_FALSE(back.events()[0].text.format().empty());
    const Event died = back.events()[1];
    EXPECT_EQ(died.kind, EventKind::rankDied);
    EXPECT_EQ(died.ranks, (std::vector<int>{3, 5}));
    EXPECT_EQ(died.text, "rank 3 ended by signal 9\nsecond line");
    EXPECT_EQ(died.position, 77);
    EXPECT_EQ(died.logPath, "/job/log\xff");
    EXPECT_EQ(died.logOffset, 1234567u);
    EXPECT_EQ(died.node, "n1");
    EXPECT_EQ(died.time, start + 3h);
    ASSERT_EQ(positions.size(), 1u);
    EXPECT_EQ(positions[0].resume, (ResumePoint{1, 2, 3456, "abcd"}));
    EXPECT_EQ(positions[0].partial, "epoch: 1 st");
    EXPECT_EQ(positions[0].pid, 4242);
    EXPECT_EQ(positions[0].firstOffset, 99u);
    EXPECT_EQ(*history->report(), "{\"sets\": []}");
    EXPECT_EQ(*history->job(), "{\"name\": \"lenet\"}");

    back.add(1, 0, {sampleAt(1, 7, std::nan(""))}, start);  // its NaN was reported before the restart
    EXPECT_EQ(back.events().size(), 2u);
    EXPECT_GT(back.add(Event{}), died.id);
}

// Many flushes with live samples, backfill, late steps and restarts in between: the restored data is equal to the
// input.
TEST_F(HistoryTest, KeepsEverySampleThroughManyFlushesAndRestarts)
{
    std::mt19937 random(7);
    auto run = std::make_unique<Story>(1000000);
    std::vector<LogPosition> positions;
    std::unique_ptr<History> history = openAndLoad(*run, positions);
    run->beginAttempt(start);
    std::int64_t high = 500000;
    std::int64_t low = 499999;
    for (int round = 0; round < 300; ++round) {
        const std::int64_t count = static_cast<std::int64_t>(round % 40 == 0 ? random() % 20000 : random() % 300);
        if (random() % 4 != 0) {
            run->add(0, 0, steps(1, high, high + count), start + round * 1s);
            high += count + 1;
        } else if (low - count > 0) {
            run->add(0, 0, steps(1, low - count, low), start, true);
            low -= count + 1;
        }
        if (random() % 60 == 0)
            run->add(0, 0, {sampleAt(1, 500000 + static_cast<std::int64_t>(random() % 100), -1)}, start);
        if (random() % 2 == 0) { ASSERT_TRUE(history->flush(*run, {}).has_value()); }
        if (random() % 25 == 0) {
            ASSERT_TRUE(history->flush(*run, {}).has_value());
            history.reset();
            auto next = std::make_unique<Story>(1000000);
            history = openAndLoad(*next, positions);
            expectSameSeries(*run, *next, 0, 0);
            run = std::move(next);
        }
    }
    ASSERT_TRUE(history->flush(*run, {}).has_value());
    history.reset();
    Story back;
    history = openAndLoad(back, positions);
    expectSameSeries(*run, back, 0, 0);
    EXPECT_GT(back.sampleCount(), 10000u);
}

TEST_F(HistoryTest, KeepsSamplesThatWaitForTheirPosition)
{
    std::vector<LogPosition> positions;
    {
        Story run;
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        run.beginAttempt(start);
        run.add(0, 0, {sampleAt(5, 7, 1.5), sampleAt(5, 8, 2.5)}, start);
        ASSERT_TRUE(history->flush(run, {}).has_value());
    }
    Story back;
    const std::unique_ptr<History> history = openAndLoad(back, positions);
    EXPECT_EQ(back.sampleCount(), 2u);
    back.add(0, 0, {sampleAt(6, 1, 3)}, start);
    EXPECT_EQ(back.stepsPerEpoch(), 8);
    EXPECT_EQ(back.series(0, 0)->first()->step, 39);
    EXPECT_EQ(back.series(0, 0)->size(), 3u);
    ASSERT_TRUE(history->flush(back, {}).has_value());
}

TEST_F(HistoryTest, ChangedStepsPerEpochMoveStoredSamples)
{
    std::vector<LogPosition> positions;
    {
        Story run(10);
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        run.beginAttempt(start);
        run.add(0, 0, {sampleAt(3, 4, 1)}, start);
        ASSERT_TRUE(history->flush(run, {}).has_value());
    }
    {
        Story run(100);  // the job file was corrected
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        EXPECT_EQ(run.series(0, 0)->first()->step, 204);
        ASSERT_TRUE(history->flush(run, {}).has_value());
    }
    Story back;
    const std::unique_ptr<History> history = openAndLoad(back, positions);
    EXPECT_EQ(back.series(0, 0)->first()->step, 204);
    EXPECT_EQ(back.series(0, 0)->size(), 1u);
}

TEST_F(HistoryTest, UpdatesAChangedEvent)
{
    std::vector<LogPosition> positions;
    {
        Story run(10);
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        run.beginAttempt(start);
        run.add(0, 0, {sampleAt(1, 4, std::nan(""))}, start);
        ASSERT_TRUE(history->flush(run, {}).has_value());
        run.setStepOffset(0, 100);
        ASSERT_TRUE(history->flush(run, {}).has_value());
    }
    Story back;
    const std::unique_ptr<History> history = openAndLoad(back, positions);
    EXPECT_EQ(back.events()[0].position, 104);
    EXPECT_EQ(back.series(0, 0)->first()->step, 104);
}

}  // namespace
}  // namespace rankdeck::history_test
