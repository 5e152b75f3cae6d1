// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/act_runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

namespace rankdeck::act_runner_test {
namespace {

TEST(ActRunner, RunsActionsOneAfterAnotherInOrder)
{
    ActRunner runner;
    std::vector<int> order;  // one thread at a time writes it
    std::promise<void> last;
    for (int i = 0; i < 50; ++i) runner.run([&, i] { order.push_back(i); });
    runner.run([&] { last.set_value(); });
    last.get_future().get();
    ASSERT_EQ(order.size(), 50u);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(ActRunner, IsBusyWhileAnActionRunsOrWaits)
{
    ActRunner runner;
    EXPECT_FALSE(runner.busy());
    std::promise<void> begun, mayEnd;
    runner.run([&] {
        begun.set_value();
        mayEnd.get_future().get();
    });
    EXPECT_TRUE(runner.busy());
    begun.get_future().get();
    EXPECT_TRUE(runner.busy());
    mayEnd.set_value();
    runner.stop();
    EXPECT_FALSE(runner.busy());
}

TEST(ActRunner, RunsAnActionThatAnotherActionRequested)
{
    ActRunner runner;
    std::promise<void> second;
    runner.run([&] { runner.run([&] { second.set_value(); }); });
    second.get_future().get();
}

TEST(ActRunner, StopWaitsForTheRunningActionAndDropsQueuedOnes)
{
    ActRunner runner;
    std::promise<void> begun, mayEnd;
    std::atomic<bool> ended = false, waited = false;
    runner.run([&] {
        begun.set_value();
        mayEnd.get_future().get();
        ended = true;
    });
    runner.run([&] { waited = true; });
    begun.get_future().get();
    std::thread stopper([&] { runner.stop(); });
    mayEnd.set_value();
    stopper.join();
    EXPECT_TRUE(ended);
    runner.run([&] { waited = true; });
    runner.stop();  // once more does nothing
    EXPECT_FALSE(runner.busy());
}

}  // namespace
}  // namespace rankdeck::act_runner_test
