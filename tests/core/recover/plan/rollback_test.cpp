// SPDX-License-Identifier: GPL-3.0-or-later
// A console that dies between any two steps of a resume. Whatever it had done, the next console leaves the job either
// as it was before or completely started, never in between.
#include "core/journal/journal.h"
#include "core/recover/forwarding_context.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/races.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace rankdeck::rollback_test {
namespace {

using ::testing::HasSubstr;

struct Killed {};

constexpr int never = -1;

// Ends the action at a call of its planning, or at one of the calls after the first step. There is no cleanup: only the
// earlier requests to the nodes and the earlier journal entries have an effect.
class Dying final : public ForwardingContext {
public:
    Dying(EngineHost &host, int planning, int acting) : ForwardingContext(host), m_planning(planning), m_acting(acting)
    {}
    void told(const ResumeReport &now) { m_acts = m_acts || now.phase == "preparing"; }
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
    int planned = 0;  // number of calls before the first step

private:
    void count()
    {
        if (m_acts ? ++m_acted == m_acting : ++planned == m_planning) throw Killed();
    }
    int m_planning, m_acting;
    int m_acted = 0;
    bool m_acts = false;
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

// Waits until the nodes have finished what they were still doing when the console died.
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

// Two test cases share all kills: each of them tests every second one.
class RollBackKills : public testing::TestWithParam<int> {
protected:
    RollBackKills()
    {
        m_host.job.launch.command = {
            "python3", m_host.job.launch.command[1], "--resume", "{checkpoint}", "--view", "{checkpoint_dir}"};
        m_host.startFirst();
        const ExitReport exited = runExit(m_host, {.waitSeconds = 60}, {});
        EXPECT_EQ(exited.outcome, "stopped") << exited.text;
        m_host.write("job/graceful.json", R"({"GracefulExit": 1})");
        m_before = filesOf(m_host);
    }
    // Kills a console at that call, and lets the next console continue. False: the run was started.
    bool isUndone(int planning, int acting)
    {
        const std::string at = std::to_string(planning) + " of the planning, " + std::to_string(acting) + " of the act";
        m_host.catchUp();
        Dying console(m_host, planning, acting);
        bool killed = false;
        try {
            const ResumeReport report =
                runResume(console, {.waitSeconds = 60}, [&](const ResumeReport &now) { console.told(now); });
            EXPECT_TRUE(report.outcome == "proven" || report.outcome == "launched") << at << ": " << report.text;
        } catch (const Killed &) {
            killed = true;
        }
        m_planned = console.planned;
        settle(m_host);
        if (console.started || !killed) return false;
        const std::string found = finishInterrupted(m_host);
        EXPECT_TRUE(m_host.journal().unfinished("fake")->empty()) << at << ": " << found;
        if (found.find("after all commands had been started") != std::string::npos) {
            EXPECT_TRUE(m_host.waitFor([&] { return m_host.pids().size() == 2; })) << at;
            return false;
        }
        ++(found.empty() ? m_untouched : m_undone);
        EXPECT_TRUE(m_host.waitFor([&] { return m_host.pids().empty(); })) << at << ": " << found;
        EXPECT_EQ(filesOf(m_host), m_before) << "killed at " << at << ": " << found;
        return !HasFailure();
    }

    EngineHost m_host{{{0}, {1}}, "command"};
    std::map<std::string, std::string> m_before;
    int m_planned = 0, m_untouched = 0, m_undone = 0;
};

TEST_P(RollBackKills, BetweenAnyTwoStepsLeaveTheJobUnchangedOrStarted)
{
    if (HasFailure()) return;
    int acting = GetParam();
    if (acting == 1) {
        ASSERT_TRUE(isUndone(never, std::exchange(acting, 3)));
        // Before the first step nothing has been changed. The first check and the last call before that step represent
        // all of these calls.
        const int last = m_planned;
        for (int call = everyVariant() ? 1 : 2; call <= last; call += everyVariant() ? 1 : std::max(1, last - 2))
            ASSERT_TRUE(isUndone(call, 1)) << call << " of " << last;
        EXPECT_GT(m_untouched, 0);
    }
    while (acting < 400 && isUndone(never, acting)) acting += 2;
    EXPECT_LT(acting, 400) << "it was never started";
    EXPECT_GT(m_undone, 8);  // between edits, moves, links and launches
}
INSTANTIATE_TEST_SUITE_P(EverySecond, RollBackKills, testing::Range(1, 3));

TEST(RollBack, EndsAndUndoesAPartialLaunch)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    const auto before = filesOf(host);
    // The second node is lost during the launch: its answer never arrives, and the console dies, too.
    class HalfLaunch final : public ForwardingContext {
    public:
        using ForwardingContext::ForwardingContext;
        NodeClient *node(const std::string &name) override
        {
            if (dead) return nullptr;  // its requests no longer reach a node
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

TEST(RollBack, FailureOfOneNodeDuringTheLaunchStopsTheOthers)
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
