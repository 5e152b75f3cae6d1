// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/output_log.h"

#include <gtest/gtest.h>

namespace rankdeck::output_log_test {
namespace {

constexpr SteadyTime start = SteadyTime(std::chrono::hours(1));
constexpr std::chrono::seconds later(1);

class OutputLogTest : public testing::Test {
protected:
    // Simulates a connection whose old lines arrive in two pieces.
    void connect(const std::string &header, const std::string &old)
    {
        log.begin();
        take(log.feed("Welcome\nrankdeck-out", start));
        take(log.feed("put " + header + "\n" + old.substr(0, old.size() / 2), start));
        take(log.feed(old.substr(old.size() / 2), start));
        take(log.tick(start + later));
    }
    void take(OutputLog::News news)
    {
        if (news.event) events.push_back(*news.event);
        for (const TailChunk &chunk : news.chunks) {
            EXPECT_EQ(chunk.id, 3);
            EXPECT_EQ(chunk.offset, next) << "no byte is told twice, none is left out in silence";
            next = chunk.offset + chunk.bytes.size();
            EXPECT_EQ(chunk.next.offset, next);
            text += chunk.bytes;
            inode = chunk.next.inode;
        }
    }

    OutputLog log{TailSpec{.id = 3, .path = "/job/log"}};
    std::vector<TailEvent> events;
    std::string text;
    std::uint64_t next = 0, inode = 0;
};

TEST_F(OutputLogTest, ReportsSizeAndAgeOfOldLinesBeforeNewOnes)
{
    connect("containerd://a 2026-11-24T05:00:00.1Z 2026-11-24T06:00:00.000000000Z", "one\ntwo\n");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].change, TailChange::opened);
    EXPECT_EQ(events[0].stat.size, 8U) << "so it is known which lines were there before";
    EXPECT_EQ(events[0].stat.mtimeNs, 1795500000'000000000);
    EXPECT_EQ(text, "one\ntwo\n");
    take(log.feed("thr", start + later));
    EXPECT_EQ(text, "one\ntwo\nthr") << "it comes at once";
}

TEST_F(OutputLogTest, DeliversNoByteTwiceAfterAReconnect)
{
    connect("a 1 2", "one\ntwo\n");
    connect("a 1 3", "one\ntwo\nthree\n");
    EXPECT_EQ(text, "one\ntwo\nthree\n");
    log.begin();
    take(log.feed("rankdeck-output a 1 3\none\n", start));
    take(log.tick(start + later));
    take(log.feed("two\nthree\nfour\n", start + later));
    EXPECT_EQ(text, "one\ntwo\nthree\nfour\n") << "also where the old lines come slowly";
    EXPECT_EQ(events.size(), 1U) << "it is the same log";
}

TEST_F(OutputLogTest, ContinuesAfterTheLastKnownLineIfOldLinesAreGone)
{
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "step " + std::to_string(i) + "\n";
    connect("a 1 2", many);
    connect("a 2 4", many.substr(3000) + "four\n");
    EXPECT_EQ(text, many + "four\n");
    EXPECT_EQ(events.size(), 1U);
}

TEST_F(OutputLogTest, ReportsAGap)
{
    connect("a 1 2", "one\ntwo\n");
    next = 9;
    connect("a 5 6", "five\n");
    EXPECT_EQ(text, "one\ntwo\nfive\n");
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].change, TailChange::gap);
    EXPECT_EQ(events[1].from, 8U);
}

TEST_F(OutputLogTest, TreatsTheOutputOfAnotherContainerAsAnotherLog)
{
    connect("a 1 2", "one\n");
    const std::uint64_t first = inode;
    next = 0;
    connect("b 5 6", "one\n");
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].change, TailChange::replaced);
    EXPECT_EQ(text, "one\none\n");
    EXPECT_NE(inode, first);
}

TEST_F(OutputLogTest, NextConsoleDetectsWhetherTheLogIsTheSame)
{
    connect("a 1 2", "one\n");
    const ResumePoint left{.inode = inode, .offset = 4};
    for (const auto &[header, change] : {std::pair("a 1 9", TailChange::opened), {"b 1 9", TailChange::replaced}}) {
        OutputLog nextConsoles{TailSpec{.id = 3, .path = "/job/log", .from = left}};
        nextConsoles.begin();
        nextConsoles.feed("rankdeck-output " + std::string(header) + "\n", start);
        const auto news = nextConsoles.tick(start + later);
        ASSERT_TRUE(news.event);
        EXPECT_EQ(news.event->change, change) << header;
    }
}

TEST_F(OutputLogTest, DeliversOutputThatNeverPauses)
{
    log.begin();
    take(log.feed("rankdeck-output a - -\n", start));
    for (int i = 1; i < 20; ++i) take(log.feed("x", start + std::chrono::milliseconds(300 * i)));
    EXPECT_GT(text.size(), 15U);
    log.begin();
    take(log.feed("rankdeck-output a - -\n" + std::string(30, 'x'), start));
    take(log.end());
    EXPECT_EQ(text.size(), 30U) << "the end of the connection brings what is held";
}

TEST_F(OutputLogTest, ReportsNothingWithoutTheFirstLine)
{
    log.begin();
    take(log.feed(std::string(1u << 20, 'y'), start));
    take(log.tick(start + later));
    take(log.end());
    EXPECT_TRUE(events.empty());
    EXPECT_TRUE(text.empty());
}

}  // namespace
}  // namespace rankdeck::output_log_test
