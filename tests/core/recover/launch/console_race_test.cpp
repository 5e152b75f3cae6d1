// SPDX-License-Identifier: GPL-3.0-or-later
// Consoles that resume one job at the same time, over nodes of this machine and of sshd, each over its own links. They
// reserve on both nodes, make a file step under the reservation, launch on both nodes, and release. Exactly one
// complete attempt must result, with the file step of its own console.
#include "core/node/node.h"
#include "core/node/transport/session_factory.h"
#include "core/node/wait_for.h"
#include "core/recover/action_context.h"
#include "core/recover/plan/plan_runner.h"
#include "core/recover/plan/reservation.h"
#include "tests/testbed/process_count.h"
#include "tests/testbed/races.h"
#include "tests/testbed/sshd.h"
#include "tests/testbed/temp_dir.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

namespace rankdeck::console_race_test {
namespace {

class Deaf final : public NodeListener {
    void nodeStatus(const std::string &, const NodeStatus &) override {}
    void tailChunk(const std::string &, TailChunk) override {}
    void tailEvent(const std::string &, TailEvent) override {}
    void directory(const std::string &, int, Listing) override {}
    void processes(const std::string &, ProcessList) override {}
};

// The part of an engine that a reservation and a launch need: its nodes.
class Console final : public ActionContext {
public:
    Console(const std::array<std::string, 2> &hosts, const std::string &sshConfig)
    {
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            const NodeSpec spec{.name = "n" + std::to_string(i),
                                .host = hosts.at(i),
                                .transport = hosts.at(i) == "local" ? TransportKind::local : TransportKind::libssh};
            m_nodes[spec.name] =
                std::make_unique<Node>(spec, ConnectOptions{.sshConfig = sshConfig}, makeSessionFactory(), m_deaf);
            m_nodes[spec.name]->start();
        }
    }
    [[nodiscard]] bool live() const
    {
        return eventually([this] {
            return std::all_of(m_nodes.begin(), m_nodes.end(),
                               [](const auto &node) { return node.second->status().state == NodeState::live; });
        });
    }
    NodeClient *node(const std::string &name) override { return m_nodes.at(name).get(); }
    [[nodiscard]] JobState view() const override { return {}; }
    void waitForChange(SteadyTime) override {}
    FileStore *cluster() override { return nullptr; }
    [[nodiscard]] SchedulerState scheduler() const override { return {}; }
    Journal &journal() override { std::abort(); }
    void attemptLaunched(WallTime, std::optional<std::int64_t>) override {}
    void attemptCountsAnew(std::int64_t) override {}
    void expectLoads(const std::map<int, std::vector<std::string>> &) override {}
    void refreshFlags() override {}
    [[nodiscard]] bool stopRequested() const override { return false; }
    [[nodiscard]] std::optional<ConfirmedRung> takeConfirmedRung() override { return {}; }
    [[nodiscard]] std::vector<PlacedSample> lossesBefore(int, std::int64_t, std::int64_t) const override { return {}; }

private:
    Deaf m_deaf;
    std::map<std::string, std::unique_ptr<Node>> m_nodes;
};

struct Attempt {
    std::string refused;  // reason, empty if it has launched
    bool held = false;    // refused because another console has the job
    bool moved = false;
    std::vector<int> pids = {};
};

struct Race {
    const char *name;
    bool overSsh;
    bool shared;  // both nodes share one directory
};

class ConsoleRace : public testing::TestWithParam<Race> {
protected:
    static constexpr std::size_t count = 4;

    ConsoleRace()
    {
        std::array<std::string, 2> hosts{"local", "local"};
        std::string config;
        if (GetParam().overSsh) {
            for (const char *alias : {"race-a", "race-b"})
                m_servers.push_back(std::make_unique<Sshd>(SshdOptions{.alias = alias}));
            config = writeSshConfigOf({m_servers[0].get(), m_servers[1].get()}, m_dir.path());
            hosts = {"race-a", "race-b"};
        }
        for (std::size_t i = 0; i < count; ++i) consoles.push_back(std::make_unique<Console>(hosts, config));
    }
    [[nodiscard]] std::string directory(std::size_t node) const
    {
        const std::string own = GetParam().shared ? m_dir.path() : m_dir.file("n" + std::to_string(node));
        std::filesystem::create_directories(own + "/log");
        return own;
    }
    [[nodiscard]] JobClaim claim(int race, std::size_t console, std::size_t node) const
    {
        return {.key = "job" + std::to_string(race),
                .action = "a" + std::to_string(race) + "-" + std::to_string(console),
                .text = "",
                .places = {directory(node) + "/log/" + std::to_string(race)}};
    }
    Attempt resume(int race, std::size_t number)
    {
        Console &console = *consoles[number];
        Reservation reservation(console);
        std::vector<Reservation::Place> places;
        for (std::size_t node = 0; node < 2; ++node)
            places.push_back({.node = "n" + std::to_string(node),
                              .claim = claim(race, number, node),
                              .runDirectory = directory(node) + "/runs"});
        const Status reserved = reservation.take(std::move(places));
        if (!reserved) return {.refused = reserved.error().message, .held = reserved.error().detail == jobHeldDetail};
        Attempt attempt;
        const std::string log = directory(0) + "/log/old-" + std::to_string(race);
        auto step = console.node("n0")->applyFileStep(reservation.bound(
            "n0",
            FileActionRequest{.action = FileAction::move, .path = log, .target = log + "-" + std::to_string(number)}));
        const Status moved = waitFor(step, inSeconds(60), "n0");
        attempt.moved = moved.has_value();
        if (!moved) attempt.refused = moved.error().message;
        Plan plan;
        for (std::size_t node = 0; node < 2; ++node) {
            const JobClaim own = claim(race, number, node);
            plan.nodes.push_back({.node = "n" + std::to_string(node),
                                  .launches = {{.id = own.action + "." + std::to_string(node),
                                                .runDirectory = directory(node) + "/runs",
                                                .argv = {"sleep", "600"},
                                                .job = own}}});
        }
        for (const Started &one : launchAll(console, plan)) {
            if (one.reply && one.reply->startedNow) attempt.pids.push_back(one.reply->process.pid);
            if (one.problem) attempt.refused += one.problem->message;
        }
        reservation.release();
        return attempt;
    }

    TempDir m_dir;
    std::vector<std::unique_ptr<Sshd>> m_servers;
    std::vector<std::unique_ptr<Console>> consoles;
};

TEST_P(ConsoleRace, ExactlyOneOfManyConsolesStartsAnAttempt)
{
    // Two combinations with many rounds cover both kinds of links and both kinds of directories. The other two
    // combinations need only a few rounds.
    const int races = raceRounds(GetParam().overSsh == GetParam().shared ? 4 : 20);
    for (const auto &console : consoles) ASSERT_TRUE(console->live());
    std::vector<std::array<Attempt, count>> results(static_cast<std::size_t>(races));
    std::barrier line(count);
    std::vector<std::thread> threads;
    for (std::size_t number = 0; number < count; ++number)
        threads.emplace_back([&, number] {
            for (int race = 0; race < races; ++race) {
                auto &round = results[static_cast<std::size_t>(race)];
                if (number == 0)
                    m_dir.write(directory(0).substr(m_dir.path().size()) + "/log/old-" + std::to_string(race), "old");
                line.arrive_and_wait();
                round.at(number) = resume(race, number);
                line.arrive_and_wait();
                for (const int pid : round.at(number).pids) ::kill(pid, SIGKILL);
            }
        });
    for (std::thread &thread : threads) thread.join();
    int one = 0;
    for (int race = 0; race < races; ++race) {
        int whole = 0, moved = 0;
        for (const Attempt &attempt : results[static_cast<std::size_t>(race)]) {
            whole += attempt.pids.size() == 2;
            moved += attempt.moved;
            EXPECT_TRUE(attempt.pids.empty() || attempt.pids.size() == 2)
                << race << ": half an attempt; " << attempt.refused;
            EXPECT_TRUE(attempt.pids.size() == 2 || attempt.held) << race << ": " << attempt.refused;
        }
        EXPECT_EQ(whole, 1) << race;
        EXPECT_EQ(moved, 1) << race;
        one += whole == 1 && moved == 1;
    }
    EXPECT_EQ(one, races);
}

INSTANTIATE_TEST_SUITE_P(Nodes, ConsoleRace,
                         testing::Values(Race{"Local", false, false}, Race{"LocalShared", false, true},
                                         Race{"Ssh", true, false}, Race{"SshShared", true, true}),
                         [](const testing::TestParamInfo<Race> &one) { return one.param.name; });

}  // namespace
}  // namespace rankdeck::console_race_test
