// SPDX-License-Identifier: GPL-3.0-or-later
// A console that dies between any two steps of a resume: whatever it had done, the next one finds the job either as it
// was before or wholly started, never in between.
#include "core/journal/journal.h"
#include "core/recover/forwarding_context.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace rankdeck::rollback_test {
namespace {

using ::testing::HasSubstr;

struct Killed {};

// Ends the action at its n-th call, with nothing cleaned up: what it asked of nodes and journal until then is all that
// the world has seen of it.
class Dying final : public ForwardingContext {
public:
    Dying(EngineHost &host, int calls) : ForwardingContext(host), m_left(calls) {}
    NodeClient *node(const std::string &name) override
    {
        count();
        return m_host.node(name);
    }
    Journal &journal() override
    {
        count();
        return m_host.journal();
    }
    void attemptLaunched(WallTime at, std::optional<std::int64_t> from) override
    {
        started = true;
        m_host.attemptLaunched(at, from);
    }
    void refreshFlags() override { count(); }

    bool started = false;

private:
    void count()
    {
        if (--m_left == 0) throw Killed();
    }
    int m_left;
};

std::map<std::string, std::string> filesOf(const EngineHost &host)
{
    std::map<std::string, std::string> files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(host.file("job"))) {
        const std::string name = std::filesystem::relative(entry.path(), host.file("job"));
        if (name.starts_with(".rankdeck") || name.starts_with("sync-") || name.find(".failed-") != std::string::npos)
            continue;
        files[name] = entry.is_regular_file() ? host.read("job/" + name) : std::string();
    }
    return files;
}

// What a node was still doing when the console died comes to its end.
void settle(const EngineHost &host)
{
    std::vector<int> last = host.pids();
    int same = 0;
    host.waitFor([&] {
        const std::vector<int> now = host.pids();
        same = now == last ? same + 1 : 0;
        last = now;
        return same >= 10;
    });
}

// All kills at one job take minutes: each job has every fourth of them.
class RollBackKills : public testing::TestWithParam<int> {};

TEST_P(RollBackKills, BetweenAnyTwoStepsLeaveTheJobAsItWasOrStarted)
{
    EngineHost host({{0}, {1}}, "command");
    host.job.launch.command = {"python3", host.job.launch.command[1], "--resume", "{checkpoint}",
                               "--view",  "{checkpoint_dir}"};
    host.startFirst();
    const ExitReport exited = runExit(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(exited.outcome, "stopped") << exited.text;
    host.write("job/graceful.json", R"({"GracefulExit": 1})");
    const auto before = filesOf(host);
    int untouched = 0, undone = 0;
    bool started = false;
    for (int calls = GetParam(); !started && calls < 400; calls += 4) {
        host.catchUp();
        Dying console(host, calls);
        bool killed = false;
        try {
            const ResumeReport report = runResume(console, {.waitSeconds = 60}, {});
            ASSERT_TRUE(report.outcome == "proven" || report.outcome == "launched") << calls << ": " << report.text;
        } catch (const Killed &) {
            killed = true;
        }
        settle(host);
        started = console.started || !killed;
        if (started) break;
        const std::string found = finishInterrupted(host);
        EXPECT_TRUE(host.journal().unfinished("fake")->empty()) << calls << ": " << found;
        if (found.find("after all commands had been started") != std::string::npos) {
            EXPECT_TRUE(host.waitFor([&] { return host.pids().size() == 2; })) << calls;
            started = true;
            break;
        }
        ++(found.empty() ? untouched : undone);
        ASSERT_TRUE(host.waitFor([&] { return host.pids().empty(); })) << calls << ": " << found;
        ASSERT_EQ(filesOf(host), before) << "killed at call " << calls << ": " << found;
    }
    EXPECT_TRUE(started);
    EXPECT_GT(untouched, 0);  // in the planning
    EXPECT_GT(undone, 1);     // between edits, moves, links and launches
}
INSTANTIATE_TEST_SUITE_P(EveryFourth, RollBackKills, testing::Range(1, 5));

TEST(RollBack, HalfALaunchIsEndedAndUndone)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    const auto before = filesOf(host);
    // The second node dies in the launch: its answer never comes, and the console with it.
    class HalfLaunch final : public ForwardingContext {
    public:
        using ForwardingContext::ForwardingContext;
        NodeClient *node(const std::string &name) override
        {
            if (dead) return nullptr;  // nothing of it reaches a node any more
            dead = launching && name == "n1";
            if (dead) throw Killed();
            return m_host.node(name);
        }
        bool launching = false, dead = false;
    } half(host);
    EXPECT_THROW(runResume(half, {.waitSeconds = 20},
                           [&](const ResumeReport &report) { half.launching = report.phase == "launching"; }),
                 Killed);
    ASSERT_TRUE(host.waitFor([&] { return host.pids().size() == 1; }));
    const std::string found = finishInterrupted(host);
    EXPECT_THAT(found, HasSubstr("1 of 2 commands had been started and were ended"));
    EXPECT_TRUE(host.waitFor([&] { return host.pids().empty(); }));
    EXPECT_EQ(filesOf(host), before);
}

TEST(RollBack, ANodeThatFailsInTheLaunchMakesTheOthersStop)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    const auto before = filesOf(host);
    const ResumeReport report = runResume(host, {.waitSeconds = 20}, [&](const ResumeReport &now) {
        if (now.phase == "launching") host.stopNode("n1");
    });
    EXPECT_EQ(report.outcome, "failed") << report.text;
    EXPECT_TRUE(host.waitFor([&] { return host.pids().empty(); }));
    EXPECT_EQ(host.launched, 0);
}

}  // namespace
}  // namespace rankdeck::rollback_test
