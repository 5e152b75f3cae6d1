// SPDX-License-Identifier: GPL-3.0-or-later
// A fact of the scheduler is reported once, and so is the end of a lasting one. A question without an answer ends no
// fact.
#include "core/engine/scheduler/scheduler_asker.h"
#include "core/engine/scheduler/scheduler_news.h"

#include <gtest/gtest.h>

namespace rankdeck::scheduler_news_test {
namespace {

const WallTime at = std::chrono::system_clock::from_time_t(1795254171);

Job job()
{
    Job made;
    made.nodes = {{.name = "n0", .host = "k8s:j/p-0", .ranks = {0, 1}},
                  {.name = "n1", .host = "k8s:j/p-1", .ranks = {2, 3}}};
    return made;
}

SchedulerState saying(std::vector<SchedulerFact> facts)
{
    SchedulerState state{.kind = SchedulerKind::kubernetes};
    state.answers.push_back({.question = "pods", .facts = std::move(facts), .asOf = at});
    return state;
}

std::vector<std::string> texts(const std::vector<Event> &events)
{
    std::vector<std::string> all;
    for (const Event &event : events) all.push_back(event.text);
    return all;
}

const SchedulerFact oom{.code = SchedulerFactCode::podEnded,
                        .text = "pod p-1: OOMKilled",
                        .node = "n1",
                        .time = at - std::chrono::hours(1)};
const SchedulerFact waits{
    .code = SchedulerFactCode::podWaits, .text = "pod p-0: container main waits: ErrImagePull", .node = "n0, n1"};

TEST(SchedulerNews, EventHasItsOwnTimeAndRanks)
{
    const auto events = schedulerNews(nullptr, saying({oom, waits}), job(), {}, at);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].kind, EventKind::nodeChanged);
    EXPECT_EQ(events[0].time, *oom.time);
    EXPECT_EQ(events[0].node, "n1");
    EXPECT_EQ(events[0].ranks, (std::vector<int>{2, 3}));
    EXPECT_EQ(events[1].time, at);
    EXPECT_EQ(events[1].ranks, (std::vector<int>{0, 1, 2, 3}));
    // Another console with the same history.
    EXPECT_TRUE(schedulerNews(nullptr, saying({oom, waits}), job(), events, at).empty());
}

TEST(SchedulerNews, ReportsAFactAndItsEndOnce)
{
    const SchedulerState before = saying({oom, waits});
    EXPECT_TRUE(schedulerNews(&before, before, job(), {}, at).empty());
    SchedulerFact worded = waits;
    worded.text = "pod p-0: container main waits: ImagePullBackOff";
    EXPECT_TRUE(schedulerNews(&before, saying({oom, worded}), job(), {}, at).empty());
    EXPECT_EQ(texts(schedulerNews(&before, saying({}), job(), {}, at)),
              (std::vector<std::string>{"Kubernetes: over: " + waits.text}));
}

// The pod itself reports its end first. The cluster's event about its eviction comes later, when the pod has been
// replaced.
TEST(SchedulerNews, ReportsAnEndInTwoAnswersOnce)
{
    SchedulerFact event = oom;
    event.time = *oom.time + std::chrono::seconds(2);
    SchedulerState both = saying({oom});
    both.answers.push_back({.question = "evictions", .facts = {event}, .asOf = at});
    EXPECT_EQ(schedulerNews(nullptr, both, job(), {}, at).size(), 1u);
    SchedulerState replaced = both;
    replaced.answers[0].facts.clear();
    const SchedulerState before = saying({oom});
    EXPECT_TRUE(schedulerNews(&before, replaced, job(), {}, at).empty());
    EXPECT_EQ(schedulerNews(nullptr, replaced, job(), {}, at).size(), 1u);
    // The same text twice in one answer means another end: a crash loop.
    EXPECT_EQ(schedulerNews(&before, saying({event}), job(), {}, at).size(), 1u);
    replaced.answers[1].facts[0].time = *oom.time + std::chrono::minutes(10);
    EXPECT_EQ(schedulerNews(&before, replaced, job(), {}, at).size(), 1u);
}

TEST(SchedulerNews, ReportsAForbiddenQueryOnce)
{
    SchedulerState state = saying({});
    const SchedulerState before = state;
    state.answers[0].problem = "this login may not do that";
    state.answers[0].mayNot = true;
    EXPECT_EQ(texts(schedulerNews(&before, state, job(), {}, at)),
              (std::vector<std::string>{"Kubernetes: not known: pods. this login may not do that"}));
    EXPECT_TRUE(schedulerNews(&state, state, job(), {}, at).empty());
}

TEST(SchedulerAnswers, KeepsFactsOfAQueryThatFailed)
{
    SchedulerAnswers answers;
    const SteadyTime now = std::chrono::steady_clock::now();
    answers.take("pods", std::vector<SchedulerFact>{waits}, now);
    answers.take("machines", fail(ErrorKind::permission, "may not"), now);
    answers.begin();
    answers.take("pods", fail(ErrorKind::unreachable, "away"), now);
    answers.fail(fail(ErrorKind::unreachable, "away"));
    ASSERT_EQ(answers.all().size(), 2u);
    EXPECT_EQ(answers.all()[0].facts, (std::vector<SchedulerFact>{waits}));
    EXPECT_EQ(answers.all()[0].problem, "away");
    EXPECT_EQ(answers.all()[1].problem, "may not");
    EXPECT_TRUE(answers.all()[1].mayNot);
    EXPECT_FALSE(answers.all()[1].asOf);
    EXPECT_FALSE(answers.due("machines", now + std::chrono::minutes(9)));
    EXPECT_TRUE(answers.due("machines", now + std::chrono::minutes(11)));
    EXPECT_TRUE(answers.due("pods", now));
    // The question was answered before: a server that restarts needs some time until it has loaded its roles.
    answers.take("pods", fail(ErrorKind::permission, "may not"), now);
    EXPECT_TRUE(answers.due("pods", now));
}

}  // namespace
}  // namespace rankdeck::scheduler_news_test
