// SPDX-License-Identifier: GPL-3.0-or-later
// Messages and records of an engine apart from the run itself: long logs, a second console, damaged histories, requests
// for missing files.
#include "tests/core/engine/engine_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <mutex>

namespace rankdeck::engine_history_test {
namespace {

namespace fs = std::filesystem;

class EngineHistory : public EngineTest {
protected:
    EngineHistory()
    {
        write(0, 1, 1, 10);
        write(1, 1, 1, 10);
    }
    static std::vector<std::int64_t> places(const Engine &engine, int rank, int attempt = 0)
    {
        std::vector<std::int64_t> all;
        engine.withRun([&](const auto &run) {
            if (const Series *series = run.series(rank, attempt))
                for (const PlacedSample &sample : series->samples(0, 1 << 30)) all.push_back(sample.step);
        });
        return all;
    }
    bool reads(Engine &engine, std::uint64_t samples)
    {
        return waitFor(engine, [&](const Snapshot &s) { return s.samples >= samples && s.backfill >= 1; });
    }
};

TEST_F(EngineHistory, ReadsALogLongerThanOneReadCompletelyAndOnce)
{
    for (int epoch = 2; epoch <= 3000; ++epoch) write(0, epoch, 1, 10);  // a megabyte
    auto watched = engine();
    watched->start();
    ASSERT_TRUE(reads(*watched, 30'010));
    const std::vector<std::int64_t> all = places(*watched, 0);
    ASSERT_EQ(all.size(), 30'000u);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(watched->snapshot()->view.ranks[0].progress.position, 30'000);
}

TEST_F(EngineHistory, ContinuesARotatedLogOfTheSameProcessWithoutLosingLines)
{
    auto watched = engine();
    watched->start();
    ASSERT_TRUE(reads(*watched, 20));
    write(0, 2, 1, 3);
    fs::rename(log(0), log(0) + ".1");
    write(0, 2, 4, 6);
    ASSERT_TRUE(reads(*watched, 26));
    const auto seen = watched->snapshot();
    EXPECT_EQ(seen->view.attempts.size(), 1u);
    EXPECT_EQ(places(*watched, 0).size(), 16u);
}

TEST_F(EngineHistory, SecondConsoleReportsThatItOnlyReads)
{
    auto first = engine();
    first->start();
    ASSERT_TRUE(reads(*first, 20));
    auto second = engine();
    EXPECT_THAT(second->snapshot()->messages, testing::Contains(testing::HasSubstr("only reads it")));
    EXPECT_TRUE(first->snapshot()->messages.empty());
    second->start();
    ASSERT_TRUE(reads(*second, 20));
    EXPECT_EQ(places(*second, 0).size(), 10u);
    second->stop();
    first->stop();
    EXPECT_EQ(places(*engine(false), 1).size(), 10u) << "what the first one kept is whole";
}

TEST_F(EngineHistory, BacksUpAndReportsADamagedHistory)
{
    std::string path;
    {
        auto first = engine();
        first->start();
        ASSERT_TRUE(reads(*first, 20));
        path = first->snapshot()->historyPath;
    }
    for (const char *more : {"-wal", "-shm"}) fs::remove(path + more);
    std::ofstream(path, std::ios::trunc) << std::string(8192, 'x');
    auto again = engine();
    EXPECT_FALSE(again->snapshot()->messages.empty());
    EXPECT_EQ(again->snapshot()->samples, 0u);
    again->start();
    EXPECT_TRUE(reads(*again, 20)) << "the logs are still there";
    EXPECT_EQ(places(*again, 0).size(), 10u);
}

TEST_F(EngineHistory, ReadsLogsAtAnotherPathFromTheirBeginning)
{
    {
        auto first = engine();
        first->start();
        ASSERT_TRUE(reads(*first, 20));
    }
    Job moved = job();
    moved.logs.path = m_directory + "/moved_{rank}.log";
    for (const int rank : {0, 1})
        std::ofstream(m_directory + "/moved_" + std::to_string(rank) + ".log") << "epoch: 2 step: 1, loss is 1.5\n";
    Result<std::unique_ptr<Engine>> second = Engine::make(moved, {.stateDirectory = m_directory + "/state"});
    ASSERT_TRUE(second.has_value());
    (*second)->start();
    ASSERT_TRUE(waitFor(**second, [](const Snapshot &s) { return s.samples == 22; }));
    EXPECT_EQ((*second)->snapshot()->view.ranks[0].logPath, m_directory + "/moved_0.log");
}

TEST_F(EngineHistory, ReportsAnUnreadableLogAndDoesNotTakeItForSilence)
{
    fs::remove(log(1));
    fs::create_directory(log(1));  // unreadable for every user, including root
    auto watched = engine();
    watched->start();
    ASSERT_TRUE(watched->waitSettled(30));
    const auto seen = watched->snapshot();
    EXPECT_FALSE(seen->view.ranks[1].progress.hasLoss);
    EXPECT_FALSE(seen->view.ranks[1].alive == false) << "a log that cannot be read is no end of its rank";
}

TEST_F(EngineHistory, ReadsLogBytesAtTheRequestedOffset)
{
    auto watched = engine();
    watched->start();
    ASSERT_TRUE(watched->waitSettled(30));
    const auto ask = [&](int rank, std::uint64_t offset, std::uint32_t bytes) {
        auto told = std::make_shared<std::promise<Result<RangeReply>>>();
        watched->readLog(rank, offset, bytes, [told](Result<RangeReply> reply) { told->set_value(std::move(reply)); });
        return told->get_future().get();
    };
    const std::string line = "epoch: 1 step: 1, loss is 2.01\n";
    const Result<RangeReply> second = ask(0, line.size(), 17);
    ASSERT_TRUE(second.has_value());
    EXPECT_EQ(second->bytes, "epoch: 1 step: 2,");
    EXPECT_EQ(second->offset, line.size());
    const Result<RangeReply> nobody = ask(77, 0, 10);
    ASSERT_FALSE(nobody.has_value());
    EXPECT_EQ(nobody.error().kind, ErrorKind::notFound);
    fs::remove(log(1));
    const Result<RangeReply> gone = ask(1, 0, 10);
    EXPECT_TRUE(!gone.has_value() || !gone->error.empty()) << "no bytes are not an empty log";
}

TEST_F(EngineHistory, UnsubscribedCallbackReceivesNothing)
{
    auto watched = engine();
    std::mutex mutex;
    int first = 0, second = 0;
    const int one = watched->subscribe([&] {
        const std::lock_guard lock(mutex);
        ++first;
    });
    watched->subscribe([&] {
        const std::lock_guard lock(mutex);
        ++second;
    });
    watched->unsubscribe(one);
    watched->start();
    ASSERT_TRUE(reads(*watched, 20));
    watched->stop();
    EXPECT_EQ(first, 0);
    EXPECT_GT(second, 0);
}

TEST_F(EngineHistory, StopIsHarmlessWithoutAStartOrTwice)
{
    auto never = engine();
    never->stop();
    never->stop();
    EXPECT_EQ(never->snapshot()->view.ranks.size(), 2u) << "the last picture stays";
    never.reset();
    auto offline = engine(false);
    offline->start();
    offline->start();
    EXPECT_EQ(offline->snapshot()->view.nodes[0].state, NodeState::queued);
    EXPECT_TRUE(offline->snapshot()->view.ranks[0].alive == std::nullopt);
}

TEST_F(EngineHistory, GenerationsOnlyGrowAndSnapshotsNeverChange)
{
    auto watched = engine();
    watched->start();
    ASSERT_TRUE(reads(*watched, 20));
    const auto early = watched->snapshot();
    const auto position = early->view.ranks[0].progress.position;
    write(0, 2, 1, 1);
    ASSERT_TRUE(reads(*watched, 21));
    EXPECT_GT(watched->snapshot()->generation, early->generation);
    EXPECT_EQ(early->view.ranks[0].progress.position, position) << "who holds a picture reads what it was";
    EXPECT_EQ(early->samples, 20u);
}

// A directory of checkpoints, and requests for files that are not in it.
TEST_F(EngineCheckpoints, ReportsMissingFilesWithoutReading)
{
    save("lenet-1_10.ckpt");
    m_engine->start();
    ASSERT_TRUE(becomes("0:1-10", Verdict::valid));
    const auto ask = [&](const std::string &set, int rank) {
        auto told = std::make_shared<std::promise<Result<Inspection>>>();
        m_engine->inspect(set, rank, [told](Result<Inspection> read) { told->set_value(std::move(read)); });
        return told->get_future().get();
    };
    const Result<Inspection> there = ask("0:1-10", 1);
    ASSERT_TRUE(there.has_value());
    EXPECT_EQ(there->evidence.path, directory(1) + "/lenet-1_10.ckpt");
    EXPECT_GE(there->evidence.level, EvidenceLevel::L3);
    EXPECT_FALSE(there->evidence.tensors.empty());
    ASSERT_EQ(there->places.size(), 1u);
    EXPECT_EQ(there->places[0].save, "0:1-10");
    EXPECT_EQ(there->places[0].rank, 1);
    EXPECT_EQ(there->places[0].path, there->evidence.path);
    EXPECT_FALSE(there->places[0].evidence.empty());
    EXPECT_EQ(ask("0:1-10", 5).error().kind, ErrorKind::notFound);
    EXPECT_EQ(ask("0:9-9", 0).error().kind, ErrorKind::notFound);
}

TEST_F(EngineCheckpoints, ShowsSavedVerdictsBeforeAnyNodeAnswers)
{
    save("lenet-1_10.ckpt");
    m_engine->start();
    ASSERT_TRUE(becomes("0:1-10", Verdict::valid));
    m_engine.reset();
    Job watched = job();
    watched.checkpoints.path = m_directory + "/ckpt/rank_{rank}";
    EngineOptions offline;
    offline.stateDirectory = m_directory + "/state";
    offline.connectToNodes = false;
    const Result<std::unique_ptr<Engine>> made = Engine::make(watched, offline);
    ASSERT_TRUE(made.has_value());
    const auto kept = (*made)->snapshot();
    const CheckpointSet *set = kept->view.checkpoints.find("0:1-10");
    ASSERT_TRUE(set);
    EXPECT_EQ(set->verdict, Verdict::valid);
    EXPECT_EQ(kept->view.checkpoints.recommended, "0:1-10");
    EXPECT_EQ(set->members.size(), 2u);
}

}  // namespace
}  // namespace rankdeck::engine_history_test
