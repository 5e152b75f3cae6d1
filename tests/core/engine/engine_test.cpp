// SPDX-License-Identifier: GPL-3.0-or-later
// The engine on this machine through the real probe: logs that grow, a relaunch, a restart, an offline check.
#include "tests/core/engine/engine_fixture.h"
#include "tests/testbed/words.h"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rankdeck::engine_test {
namespace {

std::size_t size(const Engine &engine, int rank, int attempt)
{
    std::size_t count = 0;
    engine.withRun([&](const Run &run) {
        if (const Series *series = run.series(rank, attempt)) count = series->size();
    });
    return count;
}

TEST_F(EngineTest, DeliversSamplesOfAllRanksOnceAndLive)
{
    write(0, 1, 1, 10);
    write(1, 1, 1, 10);
    auto watched = engine();
    std::mutex mutex;
    std::vector<std::pair<int, std::int64_t>> told;
    watched->subscribe({}, [&](const Update &update) {
        const std::lock_guard lock(mutex);
        for (const auto &[rank, sample] : update.samples) told.emplace_back(rank, sample.globalStep.value_or(-1));
    });
    watched->start();
    ASSERT_TRUE(watched->waitSettled(30));
    write(0, 2, 1, 5);
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return s.samples == 25; }));
    const auto snapshot = watched->snapshot();
    EXPECT_EQ(snapshot->view.ranks[0].progress.position, 15);
    EXPECT_EQ(snapshot->view.ranks[1].progress.position, 10);
    EXPECT_EQ(snapshot->view.nodes[0].state, NodeState::live);
    watched->stop();
    const std::lock_guard lock(mutex);
    EXPECT_EQ(told.size(), 25u);
    EXPECT_THAT(told, testing::Contains(std::pair<int, std::int64_t>(0, 15)));
}

TEST_F(EngineTest, DeliversLossesAndEventsWhileNotWatched)
{
    write(0, 1, 1, 10);
    write(1, 1, 1, 10);
    auto watched = engine();
    watched->setWatched(false);
    watched->start();
    ASSERT_TRUE(watched->waitSettled(30));
    write(0, 2, 1, 5);
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return s.samples == 25; }));
    std::ofstream(log(1), std::ios::app) << "epoch: 2 step: 1, loss is nan\n";
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return s.view.ranks[1].firstNonFiniteStep == 11; }));
    watched->setWatched(true);
    write(0, 2, 6, 8);
    EXPECT_TRUE(waitFor(*watched, [](const Snapshot &s) { return s.samples == 29; }));
}

TEST_F(EngineTest, LogLineOfOneRankRebuildsNothingElse)
{
    write(0, 1, 1, 5);
    write(1, 1, 1, 5);
    auto watched = engine();
    watched->start();
    ASSERT_TRUE(watched->waitSettled(30));
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return s.samples == 10; }));
    const auto before = watched->snapshot();
    write(0, 1, 6, 6);
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return s.view.ranks[0].progress.position == 6; }));
    const auto after = watched->snapshot();
    EXPECT_FALSE(after->view.ranks.shares(0, before->view.ranks));
    EXPECT_TRUE(after->view.ranks.shares(1, before->view.ranks));
    for (std::size_t i = 0; i < before->view.recentEvents.size(); ++i)
        EXPECT_TRUE(after->view.recentEvents.shares(i, before->view.recentEvents)) << i;
}

TEST_F(EngineTest, TruncatedLogBeginsANewAttemptAndKeepsTheOldCurve)
{
    write(0, 1, 1, 10);
    write(1, 1, 1, 10);
    auto watched = engine();
    watched->start();
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return s.samples == 20; }));
    write(0, 1, 1, 3, true);
    write(1, 1, 1, 3, true);
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return s.view.attempt == 1 && s.samples == 26; }));
    EXPECT_EQ(size(*watched, 0, 0), 10u);
    EXPECT_EQ(size(*watched, 0, 1), 3u);
    EXPECT_EQ(size(*watched, 1, 1), 3u);
    EXPECT_EQ(watched->snapshot()->view.attempts.size(), 2u);
}

TEST_F(EngineTest, RestartContinuesAndDuplicatesNothing)
{
    write(0, 1, 1, 10);
    write(1, 1, 1, 10);
    {
        auto first = engine();
        first->start();
        ASSERT_TRUE(waitFor(*first, [](const Snapshot &s) { return s.samples == 20; }));
    }
    write(0, 2, 1, 4);
    auto second = engine();
    EXPECT_EQ(second->snapshot()->samples, 20u) << "the history is there before any node answers";
    second->start();
    ASSERT_TRUE(waitFor(*second, [](const Snapshot &s) { return s.samples == 24; }));
    ASSERT_TRUE(second->waitSettled(30));
    EXPECT_EQ(size(*second, 0, 0), 14u);
    EXPECT_EQ(second->snapshot()->view.attempt, 0);
}

TEST_F(EngineTest, OpensAClosedJobOfflineEvenIfItsLogsAreGone)
{
    write(0, 1, 1, 10);
    write(1, 1, 1, 10);
    {
        auto first = engine();
        first->start();
        ASSERT_TRUE(waitFor(*first, [](const Snapshot &s) { return s.samples == 20; }));
    }
    std::filesystem::remove(log(0));
    std::filesystem::remove(log(1));
    auto offline = engine(false);
    offline->start();
    EXPECT_EQ(offline->snapshot()->samples, 20u);
    EXPECT_EQ(size(*offline, 1, 0), 10u);
}

TEST_F(EngineTest, ReadsTheFlagOnDiskAndReportsItsProblem)
{
    write(0, 1, 1, 2);
    write(1, 1, 1, 2);
    std::ofstream(m_directory + "/graceful.json") << "{\"GracefulExit\": 1}";
    auto watched = engine();
    watched->start();
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return !s.view.flags.empty() && s.view.flags[0].armed; }));
    std::ofstream(m_directory + "/graceful.json") << "[1]";
    ASSERT_TRUE(waitFor(*watched, [](const Snapshot &s) { return !s.view.flags[0].problem.empty(); }));
    EXPECT_FALSE(watched->snapshot()->view.flags[0].armed);
}

TEST_F(EngineTest, RefusesABadPatternOfTheJobFileAtOnce)
{
    Job bad = job();
    bad.logs.sample = "loss (";
    const Result<std::unique_ptr<Engine>> made = Engine::make(bad, {.stateDirectory = m_directory + "/state"});
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().kind, ErrorKind::invalid);
}

// Real files of two data-parallel ranks, put into place one set after the other.

}  // namespace
}  // namespace rankdeck::engine_test
