// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/logs/tail_budget.h"

#include <gtest/gtest.h>

#include <thread>

namespace rankdeck::tail_budget_test {
namespace {

using std::chrono::milliseconds;

TEST(TailBudget, BlocksTheReaderUntilBytesAreParsed)
{
    TailBudget budget(100);
    EXPECT_TRUE(budget.take(60, milliseconds(0)));
    EXPECT_FALSE(budget.take(60, milliseconds(0))) << "no room, and it counts all the same";
    bool room = false;
    std::thread node([&] { room = budget.take(60, milliseconds(60000)); });
    budget.give(60);
    budget.give(60);
    node.join();
    EXPECT_TRUE(room);
}

TEST(TailBudget, AcceptsOnePieceLargerThanTheBudgetAndUnblocksAtTheEnd)
{
    TailBudget budget(10);
    EXPECT_TRUE(budget.take(1000, milliseconds(0)));
    bool ended = false;
    std::thread node([&] { ended = budget.take(1, milliseconds(60000)); });
    budget.end();
    node.join();
    EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace rankdeck::tail_budget_test
