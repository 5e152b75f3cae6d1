// SPDX-License-Identifier: GPL-3.0-or-later
// Exits with a lost answer: the node's probe runs behind a hook that ends it right after an action, so that the result
// is unknown. An unknown result is never reported as withdrawn.
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace rankdeck::exit_answers_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Runs the node's probe behind Python code of the test, whose names do not collide with those of the probe. It creates
// the file "died" when the probe dies. back: true if a probe can be started on the node again after that. Otherwise
// Python still prints its version, so that the node does not choose another one, but no probe stays alive.
void putHook(EngineHost &host, std::size_t node, const std::string &hook, bool back)
{
    host.write("hook.py", "import os, _signal as hook_signal\n"
                          "def hook_die():\n"
                          "    if os.path.exists('" +
                              host.file("died") +
                              "'):\n        return\n"
                              "    open('" +
                              host.file("died") +
                              "', 'w').close()\n"
                              "    os._exit(1)\n" +
                              hook);
    host.write("python",
               std::string("#!/bin/sh\n") +
                   (back ? "" : "[ -e '" + host.file("died") + "' ] && [ \"$3\" = rankdeck-probe ] && exit 1\n") +
                   "if [ \"$3\" = rankdeck-probe ]; then exec /usr/bin/python3 -ISBc \"exec(open('" +
                   host.file("hook.py") + "').read())\n$2\" rankdeck-probe; fi\nexec /usr/bin/python3 \"$@\"\n");
    fs::permissions(host.file("python"), fs::perms::owner_all);
    host.job.nodes[node].python = host.file("python");
}

// Node n1 has a separate config. Its probe dies after it has exchanged the config, before it answers.
class LostAnswer : public testing::Test {
protected:
    LostAnswer() : m_host({{0}, {1}}, "command")
    {
        m_host.job.gracefulExit.config = m_host.file("job/{node}.json");
        m_host.job.launch.env["FAKE_FAULT"] = "deaf";
        for (NodeSpec &node : m_host.job.nodes) {
            m_host.write("job/" + node.name + ".json", R"({"GracefulExit": 0})");
            node.env["FAKE_CONFIG"] = m_host.file("job/" + node.name + ".json");
        }
        m_host.startFirst();
    }
    void hook(bool back)
    {
        putHook(m_host, 1,
                "hook_unlink = os.unlink\n"
                "def hooked(path, *more, **named):\n"
                "    hook_unlink(path, *more, **named)\n"
                "    if b'.n1.json.rankdeck-' in os.fsencode(path):\n"
                "        hook_die()\n"
                "os.unlink = hooked\n",
                back);
    }
    [[nodiscard]] std::string config(const std::string &node) const { return m_host.read("job/" + node + ".json"); }

    EngineHost m_host;
};

TEST_F(LostAnswer, StopRequestIsWithdrawnWhenTheNodeIsBack)
{
    hook(true);
    const ExitReport report = runExit(m_host, {.waitSeconds = 5}, {});
    ASSERT_TRUE(m_host.exists("died"));
    EXPECT_EQ(report.outcome, "refused") << report.text;
    EXPECT_EQ(config("n0"), R"({"GracefulExit": 0})");
    EXPECT_EQ(config("n1"), R"({"GracefulExit": 0})");
    EXPECT_TRUE(report.flagReset) << report.text;
    EXPECT_TRUE(report.left.empty());
    EXPECT_THAT(report.text, HasSubstr("Nothing is left behind"));
}

TEST_F(LostAnswer, RequestOnALostNodeIsFinishedByTheNextConsole)
{
    hook(false);
    const ExitReport report = runExit(m_host, {.waitSeconds = 5}, [&](const ExitReport &now) {
        if (now.phase == "resetting") m_host.clock.setPace(20);  // the node does not come back
    });
    m_host.clock.setPace(1);
    ASSERT_TRUE(m_host.exists("died"));
    EXPECT_EQ(report.outcome, "refused") << report.text;
    EXPECT_EQ(config("n1"), R"({"GracefulExit": 1})");
    EXPECT_FALSE(report.flagReset);
    EXPECT_THAT(report.text, AllOf(HasSubstr("n1.json on node n1"), Not(HasSubstr("Nothing is left behind"))));
    ASSERT_EQ(report.left.size(), 1u);
    EXPECT_EQ(report.left.front().node, "n1");
    EXPECT_FALSE(report.left.front().value.has_value()) << "the node has not said what stands there";
    EXPECT_EQ(m_host.journalStates("exit").back(), "flag_left");
    ASSERT_EQ(m_host.journal().unfinished("fake")->size(), 1u);

    m_host.job.nodes[1].python.clear();  // the node is back; the ranks still run
    EXPECT_THAT(finishInterrupted(m_host), HasSubstr("put back to 0"));
    EXPECT_EQ(config("n1"), R"({"GracefulExit": 0})");
    EXPECT_TRUE(m_host.journal().unfinished("fake")->empty());
    EXPECT_EQ(m_host.pids().size(), 2u);
}

// Regression: "The ranks could not be asked", although rank 0 was already exiting. Either the signal to rank 1 was on
// its way when the probe died, or the node was known to be lost before. In the second case the exit reports that the
// signal was not sent.
TEST(LostSignal, IsTreatedAsPossiblySent)
{
    EngineHost host({{0, 1}}, "command");
    host.job.gracefulExit = {.signal = "USR1"};
    host.job.launch.env["FAKE_STOP"] = "USR1";
    host.startFirst();
    putHook(host, 0,
            "hook_send = hook_signal.pidfd_send_signal\n"
            "def hooked(process, number, *more):\n"
            "    hook_send(process, number, *more)\n"
            "    if number == hook_signal.SIGUSR1:\n"
            "        hook_die()\n"
            "hook_signal.pidfd_send_signal = hooked\n",
            true);
    std::string asked, said;
    const ExitReport report = runExit(host, {.waitSeconds = 5}, [&](const ExitReport &now) {
        if (now.phase != "armed" || !asked.empty()) return;
        asked = host.journalStates("exit").back();
        said = now.text;
        host.clock.advance(std::chrono::seconds(4));
    });
    ASSERT_TRUE(host.exists("died")) << report.text;
    EXPECT_EQ(asked, "armed");
    EXPECT_EQ(report.outcome, "timed_out") << report.text;  // the rank with the signal waits for the rank without it
    EXPECT_THAT(report.text, HasSubstr("The signal cannot be taken back"));
    ASSERT_EQ(report.ranks.size(), 2u);
    EXPECT_TRUE(report.ranks[0].armed) << "it was sent";
    EXPECT_THAT(said, HasSubstr("rank 0: SIGUSR1 may have reached the process"));
    const std::string second = report.ranks[1].armed ? "SIGUSR1 may have reached the process" : "SIGUSR1 was not sent";
    EXPECT_THAT(said, HasSubstr("rank 1: " + second));
    EXPECT_THAT(report.text, HasSubstr("Rank 1: " + second)) << "it has not left, and this is why";
}

}  // namespace
}  // namespace rankdeck::exit_answers_test
