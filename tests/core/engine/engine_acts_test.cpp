// SPDX-License-Identifier: GPL-3.0-or-later
// Actions on a job of real processes, one at a time, and what remains of them after a console closes or a node is lost.
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <future>
#include <memory>
#include <mutex>

namespace rankdeck::engine_acts_test {
namespace {

class EngineActs : public testing::Test {
protected:
    // Ranks that cannot obey, so that an exit continues until the test lets it end.
    void freeze()
    {
        for (const int pid : m_host.rankPids()) ASSERT_EQ(::kill(pid, SIGSTOP), 0);
    }
    [[nodiscard]] bool armed() const
    {
        return m_host.read("job/graceful.json").find("\"GracefulExit\": 1") != std::string::npos;
    }
    static std::vector<std::pair<int, std::int64_t>> placesOf(const Engine &engine, int rank, int attempt)
    {
        std::vector<std::pair<int, std::int64_t>> places;
        engine.withRun([&](const auto &run) {
            const Series *series = run.series(rank, attempt);
            if (!series) return;
            for (const PlacedSample &sample : series->samples(0, 1 << 20)) places.emplace_back(rank, sample.step);
        });
        return places;
    }
    static std::size_t deaths(const Engine &engine)
    {
        std::size_t count = 0;
        engine.withRun([&](const auto &run) {
            for (const Event &event : run.events()) count += event.kind == EventKind::rankDied ? 1 : 0;
        });
        return count;
    }

    EngineHost m_host{{{0}, {1}}, "command"};  // two nodes of one machine
};

TEST_F(EngineActs, RunningExitBlocksOtherActionsAndCanBeCancelled)
{
    m_host.startFirst();
    Engine &engine = m_host.engine();
    freeze();
    ASSERT_TRUE(engine.startExit({.waitSeconds = 600}).has_value());
    ASSERT_TRUE(m_host.waitFor([&] { return armed(); }));
    const Status exit = engine.startExit({});
    ASSERT_FALSE(exit.has_value());
    EXPECT_EQ(exit.error().kind, ErrorKind::conflict);
    const Status resume = engine.startResume({});
    ASSERT_FALSE(resume.has_value());
    EXPECT_EQ(resume.error().kind, ErrorKind::conflict);
    const Status nobody = engine.escalate({});
    ASSERT_FALSE(nobody.has_value());
    EXPECT_EQ(nobody.error().kind, ErrorKind::invalid) << "a signal to nobody in particular is no rung";
    EXPECT_FALSE(engine.waitAction(0)) << "it still runs";
    const FasterAfterReset settles(m_host);
    ASSERT_TRUE(engine.cancelExit().has_value());
    ASSERT_TRUE(engine.waitAction(60));
    EXPECT_FALSE(armed());
    EXPECT_TRUE(engine.snapshot()->exit->flagReset);
    EXPECT_NE(engine.snapshot()->exit->outcome, "stopped");
    EXPECT_EQ(m_host.pids().size() >= 2, true) << "nobody was ended by it";
}

TEST_F(EngineActs, ClosingTheConsoleWithdrawsAnArmedStopRequest)
{
    m_host.startFirst();
    Engine &engine = m_host.engine();
    freeze();
    ASSERT_TRUE(engine.startExit({.waitSeconds = 600}).has_value());
    ASSERT_TRUE(m_host.waitFor([&] { return armed(); }));
    const FasterAfterReset settles(m_host);
    m_host.closeEngine();
    EXPECT_FALSE(armed()) << "nobody watches any more: the ranks must not leave some day by themselves";
    EXPECT_THAT(m_host.rankPids(), testing::Each(testing::Gt(0)));
}

TEST_F(EngineActs, WaitActionReturnsTheOutcomeOfTheCurrentAction)
{
    m_host.startFirst();
    Engine &engine = m_host.engine();
    ASSERT_TRUE(engine.startResume({.set = "9:9-9"}).has_value());
    ASSERT_TRUE(engine.waitAction(60));
    const std::string first = engine.snapshot()->resume->text;
    // The engine's thread is blocked, so that it cannot publish the messages of the second action.
    struct Pause {
        std::promise<void> held, mayGoOn;
        std::once_flag once;
    };
    const auto pause = std::make_shared<Pause>();  // the engine may still use it after this test has failed
    const int id = engine.subscribe([pause] {
        std::call_once(pause->once, [&pause] {
            pause->held.set_value();
            pause->mayGoOn.get_future().wait_for(std::chrono::seconds(60));
        });
    });
    pause->held.get_future().get();
    ASSERT_TRUE(engine.startResume({.set = "8:8-8"}).has_value());
    EXPECT_FALSE(engine.waitAction(3)) << "there is no report of it yet";
    pause->mayGoOn.set_value();
    ASSERT_TRUE(engine.waitAction(60));
    engine.unsubscribe(id);
    EXPECT_EQ(engine.snapshot()->resume->set, "8:8-8");
    EXPECT_NE(engine.snapshot()->resume->outcome, "");
    EXPECT_FALSE(first.empty());
}

TEST_F(EngineActs, LosesNoSamplesOfANodeThatReconnects)
{
    m_host.startFirst();
    Engine &engine = m_host.engine();
    m_host.stopNode("n1");
    ASSERT_TRUE(m_host.waitFor([&] { return engine.snapshot()->view.nodes[1].state == NodeState::lost; }));
    const auto lost = engine.snapshot();
    EXPECT_EQ(lost->view.ranks[0].alive, true);
    EXPECT_TRUE(lost->view.ranks[1].alive == std::nullopt);
    EXPECT_EQ(deaths(engine), 0u) << "nobody has seen anybody die";
    const std::int64_t at = lost->view.ranks[0].progress.position.value();
    m_host.waitStep(at + 10);  // the ranks continue unseen
    m_host.joinNode("n1");
    ASSERT_TRUE(m_host.waitFor([&] {
        const auto now = engine.snapshot();
        return now->view.ranks[1].alive == true && now->view.ranks[1].progress.position >= at + 10;
    }));
    EXPECT_EQ(engine.snapshot()->view.attempt, 0) << "a link that came back is no relaunch";
    const auto places = placesOf(engine, 1, 0);
    for (std::size_t i = 0; i < places.size(); ++i)
        ASSERT_EQ(places[i].second, static_cast<std::int64_t>(i) + 1) << "each step once, none lost";
    EXPECT_EQ(deaths(engine), 0u);
}

// The probe of the new link has never seen the original environment of the ranks. Regression: both ranks "died".
TEST_F(EngineActs, RanksThatOverwroteTheirEnvironmentLiveAfterAReconnect)
{
    m_host.job.launch.env["FAKE_FAULT"] = "retitle";
    m_host.startFirst();
    Engine &engine = m_host.engine();
    const std::vector<int> pids = m_host.rankPids();
    const auto ends = [&pids](void *) {
        for (const int pid : pids) ::kill(pid, SIGKILL);
    };
    const std::unique_ptr<void, decltype(ends)> atTheEnd(this, ends);  // no other cleanup finds these processes
    m_host.write("job/retitle", "");
    ASSERT_TRUE(m_host.waitFor([&] { return m_host.rankPids() == std::vector{-1, -1}; }));
    m_host.stopNode("n1");
    ASSERT_TRUE(m_host.waitFor([&] { return engine.snapshot()->view.nodes[1].state == NodeState::lost; }));
    m_host.joinNode("n1");
    ASSERT_TRUE(m_host.waitFor([&] { return !engine.snapshot()->view.ranks[1].alive.isUnknown(); }));
    EXPECT_EQ(engine.snapshot()->view.ranks[1].alive, true);
    EXPECT_EQ(engine.snapshot()->view.ranks[0].alive, true);
    EXPECT_EQ(deaths(engine), 0u);
}

TEST_F(EngineActs, AssignsEachOfTwoNodesOnOneMachineItsOwnRank)
{
    m_host.startFirst();
    Engine &engine = m_host.engine();
    const std::vector<int> pids = m_host.rankPids();
    const auto seen = engine.snapshot();
    ASSERT_EQ(seen->view.ranks.size(), 2u);
    for (const int rank : {0, 1}) {
        const RankState &state = seen->view.ranks[static_cast<std::size_t>(rank)];
        EXPECT_EQ(state.node, "n" + std::to_string(rank));
        ASSERT_TRUE(state.process);
        EXPECT_EQ(state.process->id.pid, pids[static_cast<std::size_t>(rank)]);
    }
}

TEST_F(EngineActs, KeepsHistoryWhenARankIsAddedToTheJobFile)
{
    m_host.startFirst();
    m_host.engine();
    m_host.endAll();
    const auto before = placesOf(m_host.engine(), 0, 0).size();
    ASSERT_GE(before, 6u);
    m_host.job.nodes[1].ranks = {1, 2};
    m_host.job.worldSize = 3;
    Engine &again = m_host.engine();
    EXPECT_GE(placesOf(again, 0, 0).size(), before);
    const auto seen = again.snapshot();
    ASSERT_EQ(seen->view.ranks.size(), 3u);
    EXPECT_FALSE(seen->view.ranks[2].progress.position);
    EXPECT_FALSE(seen->view.ranks[2].progress.hasLoss) << "who has never trained has no loss of 0";
}

}  // namespace
}  // namespace rankdeck::engine_acts_test
