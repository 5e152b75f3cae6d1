// SPDX-License-Identifier: GPL-3.0-or-later
// Exits of which an answer is lost: the node's probe runs behind a hook that ends it right after an act, so that what was
// done is not said. What is not known is never called taken back.
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace rankdeck {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Node n1 has a config of its own, and its probe dies after the exchange of the config, before it answers.
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
        m_host.write("hook.py", "import os\n"
                                "unlink = os.unlink\n"
                                "def hooked(path, *more, **named):\n"
                                "    unlink(path, *more, **named)\n"
                                "    if b'.n1.json.rankdeck-' in os.fsencode(path) and not os.path.exists('" +
                                    m_host.file("died") +
                                    "'):\n"
                                    "        open('" +
                                    m_host.file("died") +
                                    "', 'w').close()\n"
                                    "        os._exit(1)\n"
                                    "os.unlink = hooked\n");
        m_host.startFirst();
    }
    // back: whether a probe can be started on the node again after it died. Where not, the python is there and says its
    // version (else the node would take another one) but no probe lives in it.
    void hook(bool back)
    {
        m_host.write(
            "python",
            std::string("#!/bin/sh\n") +
                (back ? "" : "[ -e '" + m_host.file("died") + "' ] && [ \"$3\" = rankdeck-probe ] && exit 1\n") +
                "if [ \"$3\" = rankdeck-probe ]; then exec /usr/bin/python3 -ISBc \"exec(open('" +
                m_host.file("hook.py") + "').read())\n$2\" rankdeck-probe; fi\nexec /usr/bin/python3 \"$@\"\n");
        fs::permissions(m_host.file("python"), fs::perms::owner_all);
        m_host.job.nodes[1].python = m_host.file("python");
    }
    [[nodiscard]] std::string config(const std::string &node) const { return m_host.read("job/" + node + ".json"); }

    EngineHost m_host;
};

TEST_F(LostAnswer, OfTheArmingIsTakenBackWhenTheNodeIsThereAgain)
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

TEST_F(LostAnswer, OfANodeThatStaysAwayIsNotCalledTakenBackAndTheNextConsoleEndsIt)
{
    hook(false);
    const ExitReport report = runExit(m_host, {.waitSeconds = 5}, {});
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

    m_host.job.nodes[1].python.clear();  // the node is there again; the ranks still run
    EXPECT_THAT(finishInterrupted(m_host), HasSubstr("put back to 0"));
    EXPECT_EQ(config("n1"), R"({"GracefulExit": 0})");
    EXPECT_TRUE(m_host.journal().unfinished("fake")->empty());
    EXPECT_EQ(m_host.pids().size(), 2u);
}

}  // namespace
}  // namespace rankdeck
