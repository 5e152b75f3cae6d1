// SPDX-License-Identifier: GPL-3.0-or-later
// A thousand launches, each of which four consoles request at the same time over their own connections. Each launch
// must run once, and all four consoles must get the same process.
#include "core/node/node.h"
#include "core/node/transport/session_factory.h"
#include "core/node/wait_for.h"
#include "tests/testbed/process_count.h"
#include "tests/testbed/races.h"
#include "tests/testbed/temp_dir.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <set>
#include <thread>

namespace rankdeck::launch_race_test {
namespace {

constexpr std::size_t consoles = 4;
constexpr int atOnce = 20;

class NullListener final : public NodeListener {
    void nodeStatus(const std::string &, const NodeStatus &) override {}
    void tailChunk(const std::string &, TailChunk) override {}
    void tailEvent(const std::string &, TailEvent) override {}
    void directory(const std::string &, int, Listing) override {}
    void processes(const std::string &, ProcessList) override {}
};

TEST(LaunchRace, ExactlyOneLaunchStartsInEachRound)
{
    const int races = (raceRounds() + atOnce - 1) / atOnce * atOnce;
    const TempDir directory;
    NullListener deaf;
    std::array<std::unique_ptr<Node>, consoles> nodes;
    for (std::size_t i = 0; i < consoles; ++i) {
        const NodeSpec spec{.name = "c" + std::to_string(i), .host = "local", .transport = TransportKind::local};
        nodes[i] = std::make_unique<Node>(spec, ConnectOptions{}, makeSessionFactory(), deaf);
        nodes[i]->start();
    }
    for (const auto &node : nodes) ASSERT_TRUE(eventually([&] { return node->status().state == NodeState::live; }));
    int startedNow = 0, answers = 0, differ = 0;
    for (int first = 0; first < races; first += atOnce) {
        std::map<int, std::array<Reply<LaunchReply>, consoles>> replies;
        for (int race = first; race < first + atOnce; ++race)
            for (std::size_t i = 0; i < consoles; ++i)
                // The consoles take turns in being first.
                replies[race][(i + std::size_t(race)) % consoles] = nodes[(i + std::size_t(race)) % consoles]->launch(
                    {.id = "race-" + std::to_string(race),
                     .runDirectory = directory.file("runs"),
                     .argv = {"echo", "ran"},
                     .output = directory.file("out-" + std::to_string(race))});
        for (auto &[race, asked] : replies) {
            std::set<std::pair<int, std::uint64_t>> told;
            for (auto &reply : asked) {
                const auto started = waitFor(reply, inSeconds(120), "local");
                ASSERT_TRUE(started.has_value()) << race << ": " << started.error().message;
                ++answers;
                startedNow += started->startedNow;
                told.insert({started->process.pid, started->process.startTicks});
            }
            differ += told.size() != 1;
        }
    }
    EXPECT_EQ(answers, races * static_cast<int>(consoles));
    EXPECT_EQ(startedNow, races);
    EXPECT_EQ(differ, 0);
    for (int race = 0; race < races; ++race) {
        std::string text;
        for (const SteadyTime deadline = inSeconds(60); text.empty() && std::chrono::steady_clock::now() < deadline;)
            text = directory.read("out-" + std::to_string(race));
        ASSERT_EQ(text, "ran\n") << race;
    }
}

}  // namespace
}  // namespace rankdeck::launch_race_test
