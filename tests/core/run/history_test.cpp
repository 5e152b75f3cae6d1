// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/history.h"

#include "core/run/database.h"
#include "core/run/sample_blob.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck {
namespace {

using namespace std::chrono_literals;
using Story = Run;  // in a test's body, Run is GoogleTest's own

const WallTime start = WallTime{} + 1000000s;

class HistoryTest : public testing::Test {
protected:
    void SetUp() override
    {
        char name[] = "/tmp/rankdeck-history-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        m_directory = name;
    }
    void TearDown() override { std::filesystem::remove_all(m_directory); }

    std::unique_ptr<History> open(const std::string &job = "lenet")
    {
        Result<std::unique_ptr<History>> history = History::open(m_directory, job);
        EXPECT_TRUE(history.has_value()) << (history.has_value() ? "" : history.error().message);
        return history.has_value() ? std::move(history).value() : nullptr;
    }
    std::unique_ptr<History> openAndLoad(Story &run, std::vector<LogPosition> &positions)
    {
        std::unique_ptr<History> history = open();
        const Status loaded = history->load(run, positions);
        EXPECT_TRUE(loaded.has_value()) << (loaded.has_value() ? "" : loaded.error().message);
        return history;
    }

    std::string m_directory;
};

Sample sampleAt(std::int64_t epoch, std::int64_t step, double loss)
{
    Sample sample;
    sample.epoch = epoch;
    sample.step = step;
    sample.loss = loss;
    sample.offset = static_cast<std::uint64_t>(epoch * 1000000 + step * 40);
    return sample;
}

std::vector<Sample> steps(std::int64_t epoch, std::int64_t from, std::int64_t to)
{
    std::vector<Sample> samples;
    for (std::int64_t step = from; step <= to; ++step)
        samples.push_back(sampleAt(epoch, step, static_cast<double>(step) / 8));
    return samples;
}

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

TEST_F(HistoryTest, BringsEverythingBack)
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

    back.add(1, 0, {sampleAt(1, 7, std::nan(""))}, start);  // its NaN was told in the earlier life
    EXPECT_EQ(back.events().size(), 2u);
    EXPECT_GT(back.add(Event{}), died.id);
}

// Many flushes with live samples, back-fill, late steps and restarts in between: what comes back is what went in.
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

TEST_F(HistoryTest, SamplesThatWaitForTheirPlaceSurvive)
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

TEST_F(HistoryTest, AnotherNumberOfStepsPerEpochMovesWhatWasKept)
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

TEST_F(HistoryTest, AnEventThatChangedIsWrittenAgain)
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

TEST_F(HistoryTest, RefusesANewerSchemaAndLeavesTheFileAlone)
{
    std::string path;
    {
        const std::unique_ptr<History> history = open();
        path = history->path();
    }
    ASSERT_TRUE((*Database::open(path, false))->execute("PRAGMA user_version = 99").has_value());
    const Result<std::unique_ptr<History>> history = History::open(m_directory, "lenet");
    ASSERT_FALSE(history.has_value());
    EXPECT_EQ(history.error().kind, ErrorKind::unsupported);
    EXPECT_NE(history.error().message.find("newer version (schema 99, this one knows 1)"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(HistoryTest, SetsADamagedFileAsideAndSaysSo)
{
    std::vector<LogPosition> positions;
    std::string path;
    {
        Story run(10);
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        path = history->path();
        run.beginAttempt(start);
        run.add(0, 0, steps(1, 1, 5000), start);
        ASSERT_TRUE(history->flush(run, {}).has_value());
    }
    {
        std::ofstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file << std::string(8192, '\x5a');
    }
    Story run(10);
    const std::unique_ptr<History> history = openAndLoad(run, positions);
    EXPECT_NE(history->note().find(".damaged-1"), std::string::npos) << history->note();
    EXPECT_TRUE(std::filesystem::exists(path + ".damaged-1"));
    EXPECT_EQ(run.sampleCount(), 0u);
    run.beginAttempt(start);
    run.add(0, 0, steps(1, 1, 5), start);
    EXPECT_TRUE(history->flush(run, {}).has_value());
}

TEST_F(HistoryTest, LeavesOutARowThatHoldsNoSamples)
{
    std::vector<LogPosition> positions;
    std::string path;
    {
        Story run(100000);
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        path = history->path();
        run.beginAttempt(start);
        run.add(0, 0, steps(1, 1, 1500), start);
        ASSERT_TRUE(history->flush(run, {}).has_value());
    }
    ASSERT_TRUE(
        (*Database::open(path, false))->execute("UPDATE samples SET data = x'ff01' WHERE first = 512").has_value());
    Story run(100000);
    const std::unique_ptr<History> history = openAndLoad(run, positions);
    EXPECT_EQ(run.sampleCount(), 988u);
    EXPECT_NE(history->note().find("1 rows"), std::string::npos);
    run.add(0, 0, steps(1, 1501, 1502), start);
    ASSERT_TRUE(history->flush(run, {}).has_value());
}

TEST_F(HistoryTest, ASecondConsoleReadsAndDoesNotWrite)
{
    std::vector<LogPosition> positions;
    Story run(10);
    const std::unique_ptr<History> first = openAndLoad(run, positions);
    run.beginAttempt(start);
    run.add(0, 0, steps(1, 1, 5), start);
    ASSERT_TRUE(first->flush(run, {}).has_value());
    Story other(10);
    const std::unique_ptr<History> second = openAndLoad(other, positions);
    EXPECT_FALSE(first->readOnly());
    EXPECT_TRUE(second->readOnly());
    EXPECT_EQ(other.sampleCount(), 5u);
    EXPECT_EQ(second->flush(other, {}).error().kind, ErrorKind::conflict);
    EXPECT_EQ(second->putReport("x").error().kind, ErrorKind::conflict);
}

TEST_F(HistoryTest, MustBeLoadedBeforeItIsWritten)
{
    const std::unique_ptr<History> history = open();
    const Story run;
    EXPECT_FALSE(history->flush(run, {}).has_value());
}

TEST_F(HistoryTest, ListsHistoriesByTheirJobs)
{
    EXPECT_TRUE(listHistories(m_directory).empty());
    open("lenet");
    open("../../etc/пасс word");
    const std::vector<HistoryEntry> entries = listHistories(m_directory);
    ASSERT_EQ(entries.size(), 2u);
    std::vector<std::string> names{entries[0].jobName, entries[1].jobName};
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"../../etc/пасс word", "lenet"}));
    for (const HistoryEntry &entry : entries)
        EXPECT_EQ(std::filesystem::path(entry.path).parent_path(), m_directory + "/history");
}

TEST_F(HistoryTest, TwoJobsOfOneNameInTwoFilesAreTwo)
{
    std::filesystem::create_directories(m_directory + "/a");
    const auto of = [this](const std::string &file) { return (*History::open(m_directory, "lenet", file))->path(); };
    const std::string first = of(m_directory + "/a/lenet.json");
    EXPECT_NE(of(m_directory + "/lenet.json"), first);
    EXPECT_EQ(of(m_directory + "/a/../a/lenet.json"), first);
    std::vector<std::string> files;
    for (const HistoryEntry &entry : listHistories(m_directory)) {
        EXPECT_EQ(entry.jobName, "lenet");
        files.push_back(entry.jobFile);
    }
    std::sort(files.begin(), files.end());
    EXPECT_EQ(files, (std::vector<std::string>{m_directory + "/a/lenet.json", m_directory + "/lenet.json"}));
}

TEST_F(HistoryTest, TellsADirectoryThatCannotBeMade)
{
    std::ofstream(m_directory + "/file") << "x";
    const Result<std::unique_ptr<History>> history = History::open(m_directory + "/file", "lenet");
    ASSERT_FALSE(history.has_value());
    EXPECT_NE(history.error().message.find(m_directory), std::string::npos);
}

[[noreturn]] void writeUntilKilled(const std::string &directory, int acknowledge)
{
    Result<std::unique_ptr<History>> history = History::open(directory, "lenet");
    Story run(1000000);
    std::vector<LogPosition> positions;
    if (!history || !(*history)->load(run, positions)) _exit(2);
    if (run.currentAttempt() < 0) run.beginAttempt(start);
    std::int64_t step = static_cast<std::int64_t>(run.sampleCount());
    for (;;) {
        run.add(0, 0, steps(1, step + 1, step + 97), start + step * 1s);
        step += 97;
        LogPosition position;
        position.rank = 0;
        position.path = "log";
        position.resume.offset = static_cast<std::uint64_t>(step);
        if (!(*history)->flush(run, {position})) _exit(3);
        if (write(acknowledge, &step, sizeof step) != sizeof step) _exit(4);
    }
}

// What was acknowledged is there, nothing is torn, and the log position agrees with the samples.
TEST_F(HistoryTest, SurvivesAKillDuringAFlush)
{
    std::int64_t known = 0;
    for (int round = 0; round < 6; ++round) {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) writeUntilKilled(m_directory, ends[1]);
        close(ends[1]);
        std::int64_t step = 0;
        for (int flushes = 0; flushes < 20 + round * 13; ++flushes)
            if (read(ends[0], &step, sizeof step) == sizeof step) known = step;
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself: " << status;
        while (read(ends[0], &step, sizeof step) == sizeof step) known = step;
        close(ends[0]);

        Story run(1000000);
        std::vector<LogPosition> positions;
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        EXPECT_FALSE(history->readOnly());
        EXPECT_EQ(history->note(), "");
        ASSERT_EQ(positions.size(), 1u);
        EXPECT_EQ(positions[0].resume.offset, run.sampleCount());
        EXPECT_GE(run.sampleCount(), static_cast<std::uint64_t>(known));
        const std::vector<PlacedSample> samples = run.series(0, 0)->samples(0, 1000000000);
        for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(samples[i].step, static_cast<std::int64_t>(i) + 1);
    }
    EXPECT_GT(known, 0);
}

TEST(SampleBlob, GivesBackWhatWentIn)
{
    const std::vector<PlacedSample> samples{
        {1, 1.5f, 10}, {2, -INFINITY, 10}, {3, 0, 99}, {3, 2, 5}, {1000000, 3, ~0ull}};
    const Result<std::vector<PlacedSample>> back = unpackSamples(packSamples(samples));
    ASSERT_TRUE(back.has_value());
    ASSERT_EQ(back->size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_EQ((*back)[i].step, samples[i].step);
        EXPECT_EQ((*back)[i].loss, samples[i].loss);
        EXPECT_EQ((*back)[i].offset, samples[i].offset);
    }
}

TEST(SampleBlob, RefusesBytesThatAreNotWhole)
{
    const std::string good = packSamples({{1, 1.5f, 10}, {2, 2, 10}, {4, 3, 20}});
    for (std::size_t cut = 0; cut < good.size(); ++cut)
        EXPECT_FALSE(unpackSamples(std::string_view(good).substr(0, cut)).has_value()) << cut;
    EXPECT_FALSE(unpackSamples(good + "x").has_value());
    EXPECT_FALSE(unpackSamples("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").has_value());
    std::mt19937 random(3);
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = good;
        bytes[random() % bytes.size()] = static_cast<char>(random());
        const Result<std::vector<PlacedSample>> samples = unpackSamples(bytes);
        EXPECT_TRUE(!samples.has_value() || samples->size() <= bytes.size());
        const Result<std::vector<Sample>> waiting = unpackWaiting(bytes);
        EXPECT_TRUE(!waiting.has_value() || waiting->size() <= bytes.size());
    }
}

}  // namespace
}  // namespace rankdeck
