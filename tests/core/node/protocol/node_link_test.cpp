// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol with bytes made by the test: no probe, no clock, no thread.
#include "core/node/protocol/node_link.h"

#include "tests/core/node/protocol/wire_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace rankdeck::node_link_test {
namespace {

using namespace std::chrono_literals;

class Told final : public LinkSink {
public:
    void greeted(const NodeFacts &given) override { facts = given; }
    void measured(const NodeFacts &given) override
    {
        facts = given;
        ++beats;
    }
    void tailChunk(TailChunk chunk) override { chunks.push_back(std::move(chunk)); }
    void tailEvent(TailEvent event) override { events.push_back(std::move(event)); }
    void directory(int id, Listing listing) override { listings.emplace_back(id, std::move(listing)); }
    void directoryUnchanged(int id, std::int64_t asOfNs) override { unchanged.emplace_back(id, asOfNs); }
    std::vector<std::pair<int, std::int64_t>> unchanged;
    void processes(ProcessList list) override { lists.push_back(std::move(list.processes)); }

    std::optional<NodeFacts> facts;
    int beats = 0;
    std::vector<TailChunk> chunks;
    std::vector<TailEvent> events;
    std::vector<std::pair<int, Listing>> listings;
    std::vector<std::vector<ProcessInfo>> lists;
};

const std::string nonce = "00112233445566778899aabbccddeeff";

class LinkTest : public testing::Test {
protected:
    LinkTest() { watch.set({{{5, "/log"}}, {{6, "/ckpt", 2}}, true, {"RANK_ID"}}); }

    [[nodiscard]] Moment at(std::chrono::milliseconds after) const
    {
        return {SteadyTime(1000s) + after, WallTime(2000s) + after};
    }
    Status feed(const std::string &bytes, std::chrono::milliseconds after = 0ms)
    {
        return link.feed(bytes, at(after), told);
    }
    Status push(FrameType type, std::uint32_t id, const std::string &payload, std::chrono::milliseconds after = 0ms)
    {
        return feed(encodeMessage(type, id, payload), after);
    }
    void drain() { link.sent(link.outgoing().size()); }
    void goLive()
    {
        ASSERT_TRUE(feed("banner\n" + std::string("\n") + nonce + "RDY\n").has_value());
        ASSERT_TRUE(push(FrameType::hello, 0, hello()).has_value());
        ASSERT_TRUE(push(FrameType::pong, 0, number(1) + number(0), 40ms).has_value());
        ASSERT_TRUE(link.greeted());
        drain();
    }
    static std::string chunkPayload(std::uint64_t offset, const std::string &bytes, std::uint64_t inode = 9)
    {
        return number(offset) + number(1) + number(inode) + number(100) + blob(std::string(64, 'a')) + blob(bytes);
    }
    static std::string eventPayload(TailChange change, std::uint64_t from, std::uint64_t to, std::uint64_t inode)
    {
        return std::string(1, static_cast<char>(change)) + number(from) + number(to) + statBytes('f', 50, inode) +
               blob("");
    }
    // Frames that were sent since the last drain, by type.
    int sentFrames(FrameType type)
    {
        int count = 0;
        const std::string &out = link.outgoing();
        for (std::size_t at = 0; at + frameHeaderBytes <= out.size();) {
            WireReader reader(std::string_view(out).substr(at));
            const std::uint32_t length = reader.u32();
            count += reader.u8() == static_cast<unsigned>(type) ? 1 : 0;
            at += frameHeaderBytes + length;
        }
        return count;
    }

    WatchState watch;
    Told told;
    NodeLink link{Bootstrap(nonce, "probe"), watch, {}, false, at(0ms)};
};

TEST_F(LinkTest, SendsTheGreetingAndTheWatchListOnce)
{
    EXPECT_NE(link.outgoing().find("RDY"), std::string::npos);
    drain();
    ASSERT_TRUE(feed("\n" + nonce + "RDY\n").has_value());
    EXPECT_FALSE(link.outgoing().empty());
    drain();
    ASSERT_TRUE(push(FrameType::hello, 0, hello()).has_value());
    EXPECT_EQ(sentFrames(FrameType::watch), 1);
    EXPECT_EQ(sentFrames(FrameType::ping), 1);
    EXPECT_FALSE(told.facts);
    // The node's clock shows 2010 s when ours shows 2000.1 s, after half of the 200 ms has passed.
    ASSERT_TRUE(push(FrameType::pong, 0, number(1) + number(2'010'000'000'000), 200ms).has_value());
    ASSERT_TRUE(told.facts);
    EXPECT_EQ(told.facts->hostName, "node-a");
    EXPECT_NEAR(told.facts->roundTripSeconds, 0.2, 1e-9);
    EXPECT_NEAR(told.facts->clockSkewSeconds, 9.9, 1e-9);
}

// The shorter the round trip, the more accurate is the time in an answer.
TEST_F(LinkTest, SlowReplyDoesNotShiftTheClockButAClockChangeDoes)
{
    ASSERT_TRUE(feed("\n" + nonce + "RDY\n").has_value());
    ASSERT_TRUE(push(FrameType::hello, 0, hello()).has_value());
    const auto answers = [&](std::uint64_t token, std::chrono::milliseconds asked, std::chrono::milliseconds took,
                             std::chrono::milliseconds nodeClock) {
        if (token > 1) { ASSERT_TRUE(link.tick(at(asked)).has_value()); }
        ASSERT_TRUE(
            push(FrameType::pong, 0, number(token) + number(std::uint64_t(nodeClock.count()) * 1'000'000), asked + took)
                .has_value());
    };
    answers(1, 0ms, 20ms, 2'010'010ms);
    EXPECT_NEAR(told.facts->clockSkewSeconds, 10, 1e-9);
    answers(2, 6s, 3s, 2'016'010ms);  // all of the delay was on the way back
    EXPECT_NEAR(told.facts->clockSkewSeconds, 10, 1e-9);
    EXPECT_NEAR(told.facts->roundTripSeconds, 3, 1e-9);
    answers(3, 15s, 10ms, 2'025'005ms);  // a better measurement
    EXPECT_NEAR(told.facts->clockSkewSeconds, 10, 1e-9);
    answers(4, 21s, 100ms, 2'051'050ms);  // the clock was set by twenty seconds
    EXPECT_NEAR(told.facts->clockSkewSeconds, 30, 1e-9);
}

TEST_F(LinkTest, SilentLinkBecomesStaleThenLost)
{
    goLive();
    ASSERT_TRUE(link.tick(at(5100ms)).has_value());
    EXPECT_EQ(sentFrames(FrameType::ping), 1);
    EXPECT_FALSE(link.stale(at(10000ms).steady));
    EXPECT_TRUE(link.stale(at(10100ms).steady));
    ASSERT_TRUE(link.tick(at(19000ms)).has_value());
    const Status over = link.tick(at(20100ms));
    ASSERT_FALSE(over.has_value());
    EXPECT_EQ(over.error().kind, ErrorKind::unreachable);
}

TEST_F(LinkTest, AnyReceivedFrameEndsTheSilence)
{
    goLive();
    ASSERT_TRUE(link.tick(at(12s)).has_value());
    ASSERT_TRUE(push(FrameType::pong, 0, number(2) + number(0), 12s).has_value());
    EXPECT_EQ(told.beats, 1);
    EXPECT_FALSE(link.stale(at(13s).steady));
    ASSERT_TRUE(link.tick(at(31s)).has_value());
}

TEST_F(LinkTest, NextTickIsAlwaysInTheFuture)
{
    goLive();
    for (auto now = 0ms; now < 20000ms; now += 137ms) {
        ASSERT_TRUE(link.tick(at(now)).has_value()) << now.count();
        EXPECT_GT(link.nextTick(), at(now).steady);
    }
}

TEST_F(LinkTest, ProbeThatDoesNotStartIsUnreachable)
{
    ASSERT_TRUE(feed("motd").has_value());
    ASSERT_TRUE(link.tick(at(29s)).has_value());
    EXPECT_FALSE(link.tick(at(31s)).has_value());
}

TEST_F(LinkTest, RepliesReachTheirRequests)
{
    goLive();
    std::vector<std::string> order;
    for (const char *name : {"first", "second"})
        link.request({FrameType::hash, "?", 100}, [&order, name](Result<std::string_view> body) -> Status {
            order.push_back(std::string(name) + "=" + (body ? Message(std::string(*body)) : body.error().message));
            return Done{};
        });
    ASSERT_TRUE(push(FrameType::reply, 2, std::string("\0B", 2)).has_value());
    ASSERT_TRUE(
        push(FrameType::reply, 1, std::string("\1") + static_cast<char>(ErrorKind::noSpace) + blob("full") + blob(""))
            .has_value());
    EXPECT_EQ(order, (std::vector<std::string>{"second=B", "first=full"}));
}

TEST_F(LinkTest, ProtocolViolationInAReplyEndsTheLink)
{
    goLive();
    EXPECT_EQ(push(FrameType::reply, 99, "x").error().kind, ErrorKind::protocol);
    bool told99 = false;
    link.request({FrameType::hash, "?", 10}, [&](Result<std::string_view> body) -> Status {
        told99 = !body.has_value();
        return Done{};
    });
    EXPECT_EQ(push(FrameType::reply, 1, std::string(11, '\0')).error().kind, ErrorKind::protocol);
    link.close(fail(ErrorKind::unreachable, "over"));
    EXPECT_TRUE(told99);
}

TEST_F(LinkTest, UnknownErrorKindOrStatusIsAProtocolError)
{
    EXPECT_EQ(replyBody(std::string("\1") + '\x7f' + blob("") + blob("")).error().kind, ErrorKind::protocol);
    EXPECT_EQ(replyBody("\2").error().kind, ErrorKind::protocol);
    EXPECT_EQ(replyBody("").error().kind, ErrorKind::protocol);
}

TEST_F(LinkTest, PushBeforeTheGreetingEndsTheLink)
{
    ASSERT_TRUE(feed("\n" + nonce + "RDY\n").has_value());
    EXPECT_EQ(push(FrameType::processList, 0, "\1").error().kind, ErrorKind::protocol);
}

TEST_F(LinkTest, ChunksReachTheirTailAndUpdateItsPosition)
{
    goLive();
    ASSERT_TRUE(push(FrameType::tailEvent, 1, eventPayload(TailChange::opened, 10, 0, 9)).has_value());
    ASSERT_TRUE(push(FrameType::tailData, 1, chunkPayload(10, "hello")).has_value());
    ASSERT_TRUE(push(FrameType::tailData, 4711, chunkPayload(10, "late")).has_value());
    ASSERT_EQ(told.chunks.size(), 1u);
    EXPECT_EQ(told.chunks[0].id, 5);
    EXPECT_EQ(told.chunks[0].next, (ResumePoint{1, 9, 15, std::string(64, 'a')}));
    // The next connection continues at this position.
    EXPECT_NE(watch.encode()->find(std::string("\1") + number(1) + number(9) + number(15) + blob(std::string(64, 'a'))),
              std::string::npos);
    ASSERT_TRUE(push(FrameType::tailEvent, 1, eventPayload(TailChange::replaced, 0, 0, 10)).has_value());
    EXPECT_NE(watch.encode()->find(std::string("\1") + number(1) + number(10) + number(0) + blob("")),
              std::string::npos);
}

TEST_F(LinkTest, ReturnsCreditForReceivedBytes)
{
    goLive();
    const std::string piece(100000, 'x');
    ASSERT_TRUE(push(FrameType::tailData, 1, chunkPayload(0, piece)).has_value());
    EXPECT_EQ(sentFrames(FrameType::credit), 0);
    ASSERT_TRUE(push(FrameType::tailData, 1, chunkPayload(100000, piece)).has_value());
    EXPECT_EQ(sentFrames(FrameType::credit), 1);
}

TEST_F(LinkTest, AssemblesDirectoriesFromChanges)
{
    goLive();
    const auto entry = [](const std::string &path, std::uint64_t size) {
        return statBytes('f', size) + blob(path) + blob("") + blob("");
    };
    const std::string one("\0\0\0\1", 4);
    const std::string two("\0\0\0\2", 4);
    const std::string none("\0\0\0\0", 4);
    const auto asOf = [](char time) { return std::string(7, '\0') + time; };
    ASSERT_TRUE(
        push(FrameType::directory, 2,
             std::string("\1\0", 2) + blob("") + none + two + entry("/ckpt/b", 1) + entry("/ckpt/a", 2) + asOf('\5'))
            .has_value());
    ASSERT_TRUE(push(FrameType::directory, 2,
                     std::string("\0\0", 2) + blob("") + one + blob("/ckpt/b") + one + entry("/ckpt/c", 3) + asOf('\6'))
                    .has_value());
    ASSERT_EQ(told.listings.size(), 2u);
    EXPECT_EQ(told.listings[1].first, 6);
    const auto &entries = told.listings[1].second.entries;
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].path, "/ckpt/a");
    EXPECT_EQ(entries[1].path, "/ckpt/c");
    EXPECT_EQ(entries[1].stat.size, 3u);
    EXPECT_EQ(told.listings[1].second.asOfNs, 6);
}

TEST_F(LinkTest, ReportsAnUnchangedDirectoryAsUnchanged)
{
    goLive();
    const std::string none("\0\0\0\0", 4);
    ASSERT_TRUE(
        push(FrameType::directory, 2, std::string("\1\0", 2) + blob("") + none + none + std::string(7, '\0') + '\5')
            .has_value());
    ASSERT_TRUE(
        push(FrameType::directory, 2, std::string("\0\0", 2) + blob("") + none + none + std::string(7, '\0') + '\7')
            .has_value());
    EXPECT_EQ(told.listings.size(), 1u);
    EXPECT_EQ(told.unchanged, (std::vector<std::pair<int, std::int64_t>>{{6, 7}}));
    ASSERT_TRUE(
        push(FrameType::directory, 2, std::string("\0\0", 2) + blob("gone") + none + none + std::string(7, '\0') + '\7')
            .has_value());
    EXPECT_EQ(told.listings.size(), 2u) << "a root that went away is news";
}

TEST_F(LinkTest, DropsUnrequestedDataAndBoundsBuffers)
{
    LinkTiming timing;
    timing.heldBytes = 3 * maxFramePayload;
    NodeLink small{Bootstrap(nonce, "probe"), watch, timing, false, at(0ms)};
    const auto piece = [&](std::uint32_t directory) {
        const std::string whole =
            encodeMessage(FrameType::directory, directory, std::string(maxFramePayload + 1, '\0'));
        return small.feed(std::string_view(whole).substr(0, frameHeaderBytes + maxFramePayload), at(0ms), told);
    };
    ASSERT_TRUE(small.feed("\n" + nonce + "RDY\n", at(0ms), told).has_value());
    ASSERT_TRUE(small.feed(encodeMessage(FrameType::hello, 0, hello()), at(0ms), told).has_value());
    for (std::uint32_t stranger = 1000; stranger < 1020; ++stranger) EXPECT_TRUE(piece(stranger).has_value());
    for (int turn = 0; turn < 3; ++turn) EXPECT_TRUE(piece(2).has_value());
    EXPECT_EQ(piece(2).error().kind, ErrorKind::protocol);
}

TEST_F(LinkTest, ReusesTheListOfUnchangedProcesses)
{
    goLive();
    ASSERT_TRUE(
        push(FrameType::processList, 0, std::string(1, '\0') + blob("boot") + std::string(13, '\0')).has_value());
    ASSERT_TRUE(push(FrameType::processList, 0, "\1").has_value());
    EXPECT_EQ(told.lists.size(), 2u);
    EXPECT_EQ(push(FrameType::processList, 0, "\2").error().kind, ErrorKind::protocol);
}

TEST_F(LinkTest, RandomFramesNeverCrashTheLink)
{
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        Told sink;
        WatchState state;
        state.set({{{5, "/log"}}, {{6, "/ckpt", 2}}, true, {}});
        NodeLink one(Bootstrap(nonce, "probe"), state, {}, false, at(0ms));
        std::string bytes = "\n" + nonce + "RDY\n" + encodeMessage(FrameType::hello, 0, hello());
        for (int frame = 0; frame < 5; ++frame) {
            std::string payload(random() % 120, '\0');
            for (char &byte : payload) byte = static_cast<char>(random() % 3 == 0 ? random() : 0);
            const unsigned types[] = {3, 64, 80, 81, 82, 83};
            bytes += encodeMessage(static_cast<FrameType>(types[random() % 6]), random() % 4, payload);
        }
        static_cast<void>(one.feed(bytes, at(0ms), sink).has_value());
    }
}

}  // namespace
}  // namespace rankdeck::node_link_test
