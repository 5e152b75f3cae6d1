// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/scheduler_words.h"

#include <gtest/gtest.h>

namespace rankdeck::ctl::scheduler_words_test {
namespace {

TEST(SchedulerLines, ShowSchedulerMessagesSeparatelyFromTheirTimes)
{
    SchedulerState state{.kind = SchedulerKind::kubernetes};
    const WallTime time = *parseIsoTime("2026-11-24T02:51:26Z");
    state.answers.push_back(
        {.question = "pods", .facts = {{.text = "pod w-1: Evicted: The node was low on memory. ", .time = time}}});
    EXPECT_EQ(schedulerLines(state).at(1),
              "scheduler: pod w-1: Evicted: The node was low on memory. (" + isoTime(time) + ")");
    state.answers[0].asOf = time;
    state.answers[0].problem = "no answer within 10 s";
    state.answers[0].facts[0].time.reset();
    EXPECT_EQ(schedulerLines(state).at(1),
              "scheduler: pod w-1: Evicted: The node was low on memory. (as reported at " + isoTime(time) + ")");
    state.answers[0].problem.clear();
    EXPECT_EQ(schedulerLines(state).at(1), "scheduler: pod w-1: Evicted: The node was low on memory.");
}

}  // namespace
}  // namespace rankdeck::ctl::scheduler_words_test
