// SPDX-License-Identifier: GPL-3.0-or-later
// Stack traces of all ranks during a silence: when they are read, and which ranks differ.
#include "core/engine/hang_scans.h"

#include "core/recover/actions.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

namespace rankdeck::hang_scans_test {
namespace {

RankStack does(int rank, const std::string &wchan, double cpu = 0)
{
    return {.rank = rank, .node = "a", .pid = 100 + rank, .state = 'S', .wchan = wchan, .syscall = 7, .cpu = cpu};
}

std::vector<RankStack> waiting(int ranks)
{
    std::vector<RankStack> all;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(does(rank, "poll_schedule_timeout"));
    return all;
}

HangScan lookAt(const std::vector<RankStack> &ranks) { return hangScanOf(groupStacks(ranks)); }

TEST(HangScan, NamesTheRankThatDiffersFromAllOthers)
{
    std::vector<RankStack> ranks = waiting(8);
    EXPECT_TRUE(lookAt(ranks).few.empty());
    ranks[6] = does(6, "hrtimer_nanosleep");
    const HangScan look = lookAt(ranks);
    EXPECT_EQ(look.few, std::vector<int>{6});
    EXPECT_EQ(look.where, "hrtimer_nanosleep");
    EXPECT_EQ(look.othersWhere, "poll_schedule_timeout");
    ranks[6] = does(6, "", 0.98);
    EXPECT_EQ(lookAt(ranks).few, std::vector<int>{6});
    EXPECT_EQ(lookAt(ranks).where, "") << "it computes";
}

TEST(HangScan, NamesNoRankIfDifferencesAreInconclusive)
{
    std::vector<RankStack> ranks = waiting(8);
    ranks[6] = does(6, "hrtimer_nanosleep");
    ranks[2] = does(2, "futex_wait");
    EXPECT_TRUE(lookAt(ranks).few.empty()) << "two that differ from one another, too";
    ranks = waiting(8);
    for (const int rank : {0, 1, 2}) ranks[std::size_t(rank)] = does(rank, "futex_wait");
    EXPECT_TRUE(lookAt(ranks).few.empty()) << "too many to be the few";
    ranks = waiting(2);
    ranks[1] = does(1, "futex_wait");
    EXPECT_TRUE(lookAt(ranks).few.empty()) << "who waits for whom?";
    ranks = waiting(8);
    ranks[6].problem = "its node did not answer";
    EXPECT_TRUE(lookAt(ranks).few.empty()) << "of whom nothing is known, nothing is said";
}

// An engine whose posted calls run when the test lets them run.
struct Looker {
    std::vector<std::function<void()>> posted;
    std::mutex mutex;
    std::condition_variable came;
    int reads = 0, told = 0;
    HangScans looks{[this] {
                        const std::lock_guard lock(mutex);
                        ++reads;
                        std::vector<RankStack> ranks = waiting(4);
                        ranks[1] = does(1, "hrtimer_nanosleep");
                        return ranks;
                    },
                    [this](std::function<void()> call) {
                        const std::lock_guard lock(mutex);
                        posted.push_back(std::move(call));
                        came.notify_all();
                    },
                    [this] { ++told; }};
    ~Looker() { looks.stop(); }

    void take()
    {
        std::unique_lock lock(mutex);
        came.wait(lock, [this] { return !posted.empty(); });
        const auto call = std::move(posted.front());
        posted.clear();
        lock.unlock();
        call();
    }
    int readsNow()
    {
        const std::lock_guard lock(mutex);
        return reads;
    }
};

Alarm hang(int second)
{
    return {.code = AlarmCode::stalled, .since = wallFromNs(second * 1'000'000'000LL), .ranks = {0, 1, 2, 3}};
}

TEST(HangScans, RunAtMostThreeTimesInASilenceWithoutASuspect)
{
    Looker looker;
    const SteadyTime now = std::chrono::steady_clock::now();
    looker.looks.consider({hang(1)}, 2, now);
    looker.looks.consider({hang(1)}, 2, now + std::chrono::seconds(20));  // one at a time
    looker.take();
    ASSERT_TRUE(looker.looks.newest());
    EXPECT_EQ(looker.looks.newest()->few, std::vector<int>{1});
    EXPECT_EQ(looker.looks.newest()->attempt, 2);
    EXPECT_EQ(looker.told, 1);
    looker.looks.consider({hang(1)}, 2, now + std::chrono::seconds(9));
    EXPECT_EQ(looker.readsNow(), 1) << "soon after";
    for (const int seconds : {10, 20}) {
        looker.looks.consider({hang(1)}, 2, now + std::chrono::seconds(seconds));
        looker.take();
    }
    looker.looks.consider({hang(1)}, 2, now + std::chrono::seconds(300));
    looker.looks.stop();
    EXPECT_EQ(looker.readsNow(), 3);
}

TEST(HangScans, RunAgainInAnotherSilence)
{
    Looker looker;
    const SteadyTime now = std::chrono::steady_clock::now();
    for (const int since : {1, 2}) {
        looker.looks.consider({hang(since)}, 0, now);
        looker.take();
    }
    EXPECT_EQ(looker.readsNow(), 2);
}

TEST(HangScans, DoNotRunIfASuspectIsAlreadyKnown)
{
    Looker looker;
    const SteadyTime now = std::chrono::steady_clock::now();
    Alarm suspect = hang(1), left = hang(1), silentNode = hang(1), two = hang(1), unseen = hang(1);
    suspect.confirmed = 1;
    left.waitedFor = {3};
    silentNode.silentNodes = {"b"};
    two.ranks = {0, 1};
    unseen.which = AlarmCase::isUnseen;
    for (const Alarm &alarm : {suspect, left, silentNode, two, unseen, Alarm{.code = AlarmCode::nanLoss}})
        looker.looks.consider({alarm}, 0, now);
    looker.looks.stop();
    EXPECT_EQ(looker.readsNow(), 0);
}

}  // namespace
}  // namespace rankdeck::hang_scans_test
