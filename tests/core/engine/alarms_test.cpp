// SPDX-License-Identifier: GPL-3.0-or-later
// Events and alarms of the engine when real processes are gone, seen through the real probe.
#include "tests/core/engine/engine_fixture.h"

#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace rankdeck::alarms_test {
namespace {

class EngineAlarms : public EngineTest {
protected:
    EngineAlarms()
    {
        for (const int rank : {0, 1}) {
            write(rank, 1, 1, 3);
            m_ranks.push_back(startRank(rank));
        }
    }
    ~EngineAlarms() override
    {
        for (const int rank : {0, 1}) end(rank);
    }
    int startRank(int rank, std::vector<std::string> command = {"/bin/sleep", "300"})
    {
        const int pid = fork();
        if (pid != 0) return pid;
        dup2(open(log(rank).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), 1);
        const std::string id = "RANK_ID=" + std::to_string(rank);
        const char *environment[] = {"MS_ROLE=MS_WORKER", "MS_NODE_ID=1", id.c_str(), nullptr};
        std::vector<char *> words;
        for (std::string &word : command) words.push_back(word.data());
        words.push_back(nullptr);
        execve(words[0], words.data(), const_cast<char **>(environment));
        _exit(127);
    }
    void end(int rank)
    {
        int &pid = m_ranks.at(static_cast<std::size_t>(rank));
        if (pid <= 0) return;
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
        pid = 0;
    }
    void append(int rank, const std::string &text) const { std::ofstream(log(rank), std::ios::app) << text; }
    bool bothLive()
    {
        return waitFor(*m_engine, [](const Snapshot &s) {
            return s.samples == 6 && s.view.ranks[0].alive == true && s.view.ranks[1].alive == true;
        });
    }
    static const Alarm *find(const Snapshot &s, AlarmCode code)
    {
        for (const Alarm &alarm : s.alarms)
            if (alarm.code == code) return &alarm;
        return nullptr;
    }
    [[nodiscard]] std::vector<std::string> deaths() const
    {
        std::vector<std::string> texts;
        m_engine->withRun([&](const auto &run) {
            for (const Event &event : run.events())
                if (event.kind == EventKind::rankDied) texts.push_back(std::to_string(event.rank) + ": " + event.text);
        });
        return texts;
    }
    std::vector<int> m_ranks;
    std::unique_ptr<Engine> m_engine = engine();
};

TEST_F(EngineAlarms, ReportsTheDeathOfTheJobOnceWhenAllRanksAreKilled)
{
    std::mutex mutex;
    std::vector<std::string> told;
    m_engine->subscribe({}, [&](const Update &update) {
        const std::lock_guard lock(mutex);
        for (const AlarmChange &change : update.alarms)
            told.push_back(std::string(change.ended ? "-" : "+") + alarmCodeName(change.alarm.code));
    });
    m_engine->start();
    ASSERT_TRUE(bothLive());
    EXPECT_TRUE(m_engine->snapshot()->alarms.empty());
    end(0);
    end(1);
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return find(s, AlarmCode::jobDied) != nullptr; }));
    EXPECT_THAT(find(*m_engine->snapshot(), AlarmCode::jobDied)->text(),
                testing::StartsWith("All 2 ranks died at step 3"));
    ASSERT_TRUE(waitFor(*m_engine, [this](const Snapshot &) { return deaths().size() == 2u; }));
    m_engine->stop();
    const std::lock_guard lock(mutex);
    EXPECT_THAT(told, testing::Contains("+job_died").Times(1));
}

// Lost work, reports, and the attempt of a set depend on the start time of the ranks.
TEST_F(EngineAlarms, LateConsoleReadsTheStartTimeFromTheProcesses)
{
    const WallTime begun = std::chrono::system_clock::now();
    std::this_thread::sleep_for(std::chrono::seconds(7));  // late enough that only the processes show it
    m_engine->start();
    ASSERT_TRUE(bothLive());
    const auto age = [&](const Snapshot &s) {
        return s.view.attempts.empty() ? 99 : std::abs(secondsBetween(begun, s.view.attempts.back().started));
    };
    EXPECT_TRUE(waitFor(*m_engine, [&](const Snapshot &s) { return age(s) < 4; })) << age(*m_engine->snapshot());
}

TEST_F(EngineAlarms, DeadRankStaysDeadWhenMoreRanksDie)
{
    m_engine->start();
    ASSERT_TRUE(bothLive());
    end(0);
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return find(s, AlarmCode::rankDied) != nullptr; }));
    end(1);
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return find(s, AlarmCode::jobDied) != nullptr; }));
    m_engine->withRun([](const auto &run) {
        for (const Event &event : run.events())
            EXPECT_THAT(event.text, testing::Not(testing::HasSubstr("Over after"))) << eventKindName(event.kind);
    });
}

TEST_F(EngineAlarms, ReportsARestartedRankThatDiesAgainTwice)
{
    m_engine->start();
    ASSERT_TRUE(bothLive());
    end(1);
    ASSERT_TRUE(waitFor(*m_engine, [this](const Snapshot &) { return deaths().size() == 1u; }));
    m_ranks[1] = startRank(1);
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return s.alarms.empty(); }));
    end(1);
    EXPECT_TRUE(waitFor(*m_engine, [this](const Snapshot &) { return deaths().size() == 2u; }));
}

// The exit status of the rank has not been collected from the kernel yet.
TEST_F(EngineAlarms, ReportsTheExitStatusOfARankFromItsNode)
{
    m_engine->start();
    ASSERT_TRUE(bothLive());
    kill(m_ranks[0], SIGKILL);
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return find(s, AlarmCode::rankDied) != nullptr; }));
    EXPECT_THAT(find(*m_engine->snapshot(), AlarmCode::rankDied)->text(), testing::HasSubstr("signal 9 (SIGKILL)"));
    ASSERT_TRUE(waitFor(*m_engine, [this](const Snapshot &) { return deaths().size() == 1u; }));
    EXPECT_THAT(deaths(), testing::ElementsAre("0: signal 9 (SIGKILL)"));
}

// The scan that finds that rank 1 is gone finds rank 0 without its log.
TEST_F(EngineAlarms, RankStaysAliveWhenItsLogIsDeletedOrMoved)
{
    m_engine->start();
    ASSERT_TRUE(bothLive());
    std::filesystem::remove(log(0));
    std::filesystem::rename(log(1), log(1) + ".1");
    end(1);
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return find(s, AlarmCode::rankDied) != nullptr; }));
    EXPECT_EQ(find(*m_engine->snapshot(), AlarmCode::rankDied)->ranks, std::vector<int>{1});
    EXPECT_EQ(m_engine->snapshot()->view.ranks[0].alive, Known::yes);
}

TEST_F(EngineAlarms, RankThatLoggedItsGracefulExitHasNotDied)
{
    // A rank that exits with code 0 as soon as another process ends.
    const int keeper = fork();
    if (keeper == 0) _exit(execl("/bin/sleep", "sleep", "300", nullptr));
    end(0);
    m_ranks[0] = startRank(
        0, {"/usr/bin/perl", "-e", "select(undef, undef, undef, 0.01) while kill 0, " + std::to_string(keeper)});
    m_engine->start();
    ASSERT_TRUE(bothLive());
    append(0, "[WARNING] ME(1:1,MainProcess):2026-01-01-00:00:00.000.000 [mindspore/train/callback/_train_fault.py:1] "
              "Graceful exit is triggered, stop training.\n");
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return s.view.ranks[0].gracefulExitSeen; }));
    append(1, "Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\nOSError: [Errno 28] No "
              "space left on device\n");
    ASSERT_EQ(kill(keeper, SIGKILL), 0);
    waitpid(keeper, nullptr, 0);
    waitpid(std::exchange(m_ranks[0], 0), nullptr, 0);
    end(1);
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return find(s, AlarmCode::jobDied) != nullptr; }));
    const auto snapshot = m_engine->snapshot();
    EXPECT_EQ(find(*snapshot, AlarmCode::jobDied)->ranks, std::vector<int>{1});
    EXPECT_EQ(find(*snapshot, AlarmCode::jobDied)->cause, FailureCause::diskFull);
    EXPECT_THAT(deaths(), testing::ElementsAre(testing::StartsWith("1: OSError: [Errno 28] No space left on device")));
}

TEST_F(EngineAlarms, ReportsTheFirstNaNAtOnceAndItsEnd)
{
    m_engine->start();
    ASSERT_TRUE(bothLive());
    append(1, "epoch: 1 step: 4, loss is nan\n");
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return find(s, AlarmCode::nanLoss) != nullptr; }));
    const auto snapshot = m_engine->snapshot();
    EXPECT_EQ(find(*snapshot, AlarmCode::nanLoss)->ranks, std::vector<int>{1});
    EXPECT_EQ(find(*snapshot, AlarmCode::nanLoss)->step, 4);
    append(1, "epoch: 1 step: 5, loss is 1.5\n");
    EXPECT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return find(s, AlarmCode::nanLoss) == nullptr; }));
}

}  // namespace
}  // namespace rankdeck::alarms_test
