// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/follow/line_follower.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <map>
#include <random>

namespace rankdeck::line_follower_test {
namespace {

using Lines = std::map<std::uint64_t, std::string>;

struct Collector {
    Lines lines;
    std::vector<std::uint64_t> order;
    int doubled = 0;
    LineFollower::LineSink sink()
    {
        return [this](std::string_view line, std::uint64_t offset) {
            order.push_back(offset);
            if (!lines.emplace(offset, std::string(line)).second) ++doubled;
        };
    }
};

TailChunk chunkOf(const std::string &file, std::uint64_t from, std::uint64_t to)
{
    TailChunk chunk;
    chunk.offset = from;
    chunk.bytes = file.substr(from, to - from);
    chunk.next.inode = 7;
    chunk.next.offset = to;
    chunk.fileSize = file.size();
    return chunk;
}

RangeReply replyTo(const std::string &file, const RangeRequest &request)
{
    RangeReply reply;
    reply.offset = request.offset;
    reply.bytes = file.substr(request.offset, request.length);
    reply.stat.size = file.size();
    reply.stat.inode = 7;
    return reply;
}

// The lines of the file, by the simplest implementation of the rules.
Lines linesOf(const std::string &file)
{
    Lines lines;
    std::size_t start = 0;
    for (std::size_t end = file.find('\n'); end != std::string::npos; end = file.find('\n', start)) {
        std::string line = file.substr(start, end - start);
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.emplace(start, line.substr(0, LineFollower::maxLine));
        start = end + 1;
    }
    return lines;
}

TEST(LineFollower, ReturnsEachLineOnceWithItsOffset)
{
    LineFollower follower;
    Collector got;
    const std::string file = "one\ntwo\n\nfour\n";
    follower.chunk(chunkOf(file, 0, file.size()), got.sink());
    EXPECT_EQ(got.lines, (Lines{{0, "one"}, {4, "two"}, {8, ""}, {9, "four"}}));
    EXPECT_EQ(follower.nextOffset(), file.size());
}

TEST(LineFollower, KeepsAPartialLineUntilItsEndComes)
{
    LineFollower follower;
    Collector got;
    const std::string file = "epoch: 1 step: 1, loss is 2.5\n";
    follower.chunk(chunkOf(file, 0, 12), got.sink());
    EXPECT_TRUE(got.lines.empty());
    EXPECT_EQ(follower.partial(), "epoch: 1 ste");
    follower.chunk(chunkOf(file, 12, file.size()), got.sink());
    EXPECT_EQ(got.lines, (Lines{{0, "epoch: 1 step: 1, loss is 2.5"}}));
}

TEST(LineFollower, StripsCrlfSplitBetweenTwoChunks)
{
    LineFollower follower;
    Collector got;
    const std::string file = "a\r\nb\rc\r\n";
    follower.chunk(chunkOf(file, 0, 2), got.sink());
    follower.chunk(chunkOf(file, 2, file.size()), got.sink());
    EXPECT_EQ(got.lines, (Lines{{0, "a"}, {3, "b\rc"}}));
}

TEST(LineFollower, SplitsARedrawnProgressBarIntoPieces)
{
    LineFollower follower;
    Collector got;
    std::string file;
    for (int n = 0; n < 5; ++n) file += "\r" + std::to_string(n) + "/5 [1.0it/s, loss=0." + std::to_string(n) + "]";
    for (std::size_t at = 0; at < file.size(); at += 7)
        follower.chunk(chunkOf(file, at, std::min(file.size(), at + 7)), got.sink());
    std::string all;
    for (const auto &[offset, line] : got.lines) {
        EXPECT_EQ(file.substr(offset, line.size()), line);
        all += line;
    }
    EXPECT_NE(all.find("3/5 [1.0it/s, loss=0.3]"), std::string::npos);
    EXPECT_EQ(all.find("4/5"), std::string::npos) << "it is still being drawn";
    file += "\n";
    follower.chunk(chunkOf(file, file.size() - 1, file.size()), got.sink());
    EXPECT_EQ(got.lines.rbegin()->second, "4/5 [1.0it/s, loss=0.4]");
}

TEST(LineFollower, ContinuesAfterAProgressBarBeyondTheLineLimit)
{
    LineFollower follower;
    Collector got;
    std::string file;
    for (int n = 0; file.size() < LineFollower::maxLine + 5000; ++n)
        file += "\r 1%|#  | " + std::to_string(n) + "/90000 [1.0it/s]";
    // The existing part is read in one piece, and the file grows after that.
    follower.chunk(chunkOf(file, 0, file.size()), got.sink());
    for (int n = 1; n < 4; ++n) {
        const std::size_t from = file.size();
        file += "\r 1%|#  | 8000" + std::to_string(n) + "/90000 [1.0it/s]";
        follower.chunk(chunkOf(file, from, file.size()), got.sink());
    }
    EXPECT_NE(got.lines.rbegin()->second.find("80002/90000"), std::string::npos) << got.lines.rbegin()->second;
    for (const auto &[offset, line] : got.lines)
        EXPECT_EQ(file.substr(offset, std::min<std::size_t>(line.size(), 50)), line.substr(0, 50))
            << "no piece is torn";
}

TEST(LineFollower, KeepsEveryByteOfLinesWithCarriageReturnsHoweverTheyAreSplit)
{
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
        std::string file;
        for (auto length = random() % 60; length > 0; --length) file += "ab\r\n%|"[random() % 6];
        file += "\n";
        LineFollower follower;
        std::string read;
        const auto sink = [&](std::string_view line, std::uint64_t) { read += line; };
        for (std::size_t at = 0; at < file.size();) {
            const std::size_t end = std::min<std::size_t>(file.size(), at + 1 + random() % 9);
            follower.chunk(chunkOf(file, at, end), sink);
            at = end;
        }
        const auto without = [](std::string text) {
            text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n'; }),
                       text.end());
            return text;
        };
        EXPECT_EQ(without(read), without(file));
    }
}

TEST(LineFollower, PassesNonUtf8BytesUnchanged)
{
    LineFollower follower;
    Collector got;
    const std::string file("\xff\xfe\0x\n", 5);
    follower.chunk(chunkOf(file, 0, file.size()), got.sink());
    EXPECT_EQ(got.lines.at(0), std::string("\xff\xfe\0x", 4));
}

TEST(LineFollower, CutsAVeryLongLineAndCountsIt)
{
    LineFollower follower;
    Collector got;
    const std::string file = std::string(3u << 20, 'x') + "\nnext\n";
    for (std::size_t at = 0; at < file.size(); at += 100000)
        follower.chunk(chunkOf(file, at, std::min(file.size(), at + 100000)), got.sink());
    ASSERT_EQ(got.lines.size(), 2u);
    EXPECT_EQ(got.lines.at(0).size(), LineFollower::maxLine);
    EXPECT_EQ(got.lines.rbegin()->second, "next");
    EXPECT_EQ(follower.cutLines(), 1u);
}

TEST(LineFollower, DoesNotCutALineOfExactlyTheLimit)
{
    LineFollower follower;
    Collector got;
    const std::string file =
        std::string(LineFollower::maxLine, 'x') + "\r\n" + std::string(LineFollower::maxLine + 1, 'y') + "\n";
    for (std::size_t at = 0; at < file.size(); at += 65537)
        follower.chunk(chunkOf(file, at, std::min(file.size(), at + 65537)), got.sink());
    EXPECT_EQ(got.lines, linesOf(file));
    EXPECT_EQ(follower.cutLines(), 1u);
}

TEST(LineFollower, TrimsAnOverlapAfterAReconnect)
{
    LineFollower follower;
    Collector got;
    const std::string file = "one\ntwo\nthree\n";
    follower.chunk(chunkOf(file, 0, 6), got.sink());
    follower.chunk(chunkOf(file, 2, 5), got.sink());
    follower.chunk(chunkOf(file, 4, file.size()), got.sink());
    EXPECT_EQ(got.lines, linesOf(file));
    EXPECT_EQ(got.doubled, 0);
}

TEST(LineFollower, CountsAGapAndDropsTheTornLine)
{
    LineFollower follower;
    Collector got;
    const std::string file = "one\ntwo\nthree\nfour\n";
    follower.chunk(chunkOf(file, 0, 6), got.sink());
    follower.chunk(chunkOf(file, 10, file.size()), got.sink());
    EXPECT_EQ(got.lines, (Lines{{0, "one"}, {14, "four"}}));
    EXPECT_EQ(follower.bytesMissing(), 6u);  // "tw" and the gap of four bytes
}

TEST(LineFollower, RestartsWhenTheFileIsTruncated)
{
    LineFollower follower;
    Collector got;
    follower.chunk(chunkOf("old line\nold part", 0, 17), got.sink());
    TailEvent event;
    event.change = TailChange::truncated;
    follower.event(event);
    EXPECT_EQ(follower.generation(), 1);
    EXPECT_EQ(follower.nextOffset(), 0u);
    Collector after;
    follower.chunk(chunkOf("new\n", 0, 4), after.sink());
    EXPECT_EQ(after.lines, (Lines{{0, "new"}}));
    EXPECT_FALSE(follower.wantedBackfill("f").has_value());
}

TEST(LineFollower, IgnoresEventsThatDoNotChangeTheFile)
{
    LineFollower follower;
    Collector got;
    follower.chunk(chunkOf("part", 0, 4), got.sink());
    for (const TailChange change : {TailChange::opened, TailChange::missing, TailChange::gap, TailChange::unreadable}) {
        TailEvent event;
        event.change = change;
        follower.event(event);
    }
    EXPECT_EQ(follower.generation(), 0);
    EXPECT_EQ(follower.partial(), "part");
}

TEST(LineFollower, IgnoresABackfillReplyOfAnOldGeneration)
{
    LineFollower follower;
    Collector got;
    const std::string file = "one\ntwo\nthree\n";
    follower.chunk(chunkOf(file, 8, file.size()), got.sink());
    const RangeRequest wanted = *follower.wantedBackfill("f");
    TailEvent event;
    event.change = TailChange::replaced;
    follower.event(event);
    follower.chunk(chunkOf("new\n", 0, 4), got.sink());
    got = {};
    follower.backfilled(replyTo(file, wanted), got.sink());
    EXPECT_TRUE(got.lines.empty());
}

TEST(LineFollower, StartsWithTheNewestLinesAndBackfills)
{
    LineFollower follower;
    Collector got;
    const std::string file = "one\ntwo\nthree\nfour\nfive\n";
    follower.chunk(chunkOf(file, 10, file.size()), got.sink());  // in the middle of "three"
    EXPECT_EQ(got.order, (std::vector<std::uint64_t>{14, 19}));
    while (const auto wanted = follower.wantedBackfill("f", 6)) {
        EXPECT_LE(wanted->length, 6u);
        follower.backfilled(replyTo(file, *wanted), got.sink());
    }
    EXPECT_EQ(got.lines, linesOf(file));
    EXPECT_EQ(got.doubled, 0);
    EXPECT_EQ(follower.firstOffset(), 0u);
    EXPECT_EQ(follower.bytesMissing(), 0u);
}

TEST(LineFollower, AbandonsTheOlderPartIfItCannotBeRead)
{
    LineFollower follower;
    Collector got;
    const std::string file = "one\ntwo\nthree\n";
    follower.chunk(chunkOf(file, 8, file.size()), got.sink());
    RangeReply reply;
    reply.error = "Permission denied";
    follower.backfilled(reply, got.sink());
    EXPECT_FALSE(follower.wantedBackfill("f").has_value());
    EXPECT_EQ(follower.bytesMissing(), 14u);
}

TEST(LineFollower, StopsBackfillingAfterEmptyReplies)
{
    LineFollower follower;
    Collector got;
    follower.chunk(chunkOf("one\ntwo\nthree\n", 8, 14), got.sink());
    int asked = 0;
    while (const auto wanted = follower.wantedBackfill("f")) {
        ASSERT_LT(++asked, 10);
        RangeReply reply;
        reply.offset = wanted->offset;
        follower.backfilled(reply, got.sink());
    }
    EXPECT_GT(follower.bytesMissing(), 0u);
}

TEST(LineFollower, FinishReturnsTheLastLineWithoutALineEnd)
{
    LineFollower follower;
    Collector got;
    const std::string file = "one\ntwo rest\nthree\n";
    follower.chunk(chunkOf(file, 0, 7), got.sink());
    follower.finish(got.sink());
    follower.chunk(chunkOf(file, 7, file.size()), got.sink());
    EXPECT_EQ(got.lines, (Lines{{0, "one"}, {4, "two"}, {13, "three"}}));
}

TEST(LineFollower, ContinuesInTheMiddleOfALineAfterARestart)
{
    const std::string file = "one\ntwo\nthree\nfour\n";
    for (std::size_t cut = 5; cut < file.size(); ++cut) {
        Collector got;
        LineFollower before;
        before.chunk(chunkOf(file, 5, cut), got.sink());
        LineFollower after;
        after.restore(before.nextOffset(), before.firstOffset(), before.partial());
        after.chunk(chunkOf(file, cut, file.size()), got.sink());
        while (const auto wanted = after.wantedBackfill("f", 3)) after.backfilled(replyTo(file, *wanted), got.sink());
        EXPECT_EQ(got.lines, linesOf(file)) << cut;
        EXPECT_EQ(got.doubled, 0) << cut;
    }
}

// Random files, chunk sizes, overlaps, cut links, restarts and backfill in between. The result is always exactly the
// file's lines.
class LineFollowerProperty : public testing::TestWithParam<unsigned> {};

std::string randomFile(std::mt19937 &random, bool withLong)
{
    std::string file;
    const int lines = static_cast<int>(random() % 60);
    for (int i = 0; i < lines; ++i) {
        std::size_t length = random() % 40;
        if (withLong && random() % 20 == 0) length = LineFollower::maxLine - 2 + random() % 5;
        for (std::size_t k = 0; k < length; ++k) file += static_cast<char>("ab\r\t\xff\x08z"[random() % 7]);
        file += random() % 3 == 0 ? "\r\n" : "\n";
    }
    return file;
}

TEST_P(LineFollowerProperty, ReturnsEveryLineExactlyOnce)
{
    std::mt19937 random(GetParam());
    for (int round = 0; round < 60; ++round) {
        const std::string file = randomFile(random, round % 20 == 0);
        const std::uint64_t start = file.empty() ? 0 : random() % (file.size() + 1);
        const std::size_t most = round % 20 == 0 ? 900000 : 1 + random() % 50;
        auto follower = std::make_unique<LineFollower>();
        Collector got;
        std::uint64_t sent = start;
        follower->chunk(chunkOf(file, start, start), got.sink());
        for (;;) {
            const auto wanted = follower->wantedBackfill("f", static_cast<std::uint32_t>(1 + random() % most));
            if (sent == file.size() && !wanted) break;
            if (wanted && (sent == file.size() || random() % 3 == 0)) {
                const RangeReply reply = replyTo(file, *wanted);
                follower->backfilled(reply, got.sink());
                if (random() % 8 == 0) follower->backfilled(reply, got.sink());  // a duplicate reply
            } else if (sent < file.size()) {
                const std::uint64_t to = std::min<std::uint64_t>(file.size(), sent + 1 + random() % most);
                const std::uint64_t back = random() % 4 == 0 ? random() % 30 : 0;  // a reconnect repeats some bytes
                follower->chunk(chunkOf(file, sent - std::min(back, sent - start), to), got.sink());
                sent = to;
            }
            if (random() % 16 == 0) {  // the console starts again from its history
                auto next = std::make_unique<LineFollower>();
                next->restore(follower->nextOffset(), follower->firstOffset(), follower->partial());
                follower = std::move(next);
            }
        }
        EXPECT_EQ(got.lines, linesOf(file)) << "seed " << GetParam() << " round " << round;
        EXPECT_EQ(got.doubled, 0);
        EXPECT_EQ(follower->bytesMissing(), 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LineFollowerProperty, testing::Range(1u, 17u));

}  // namespace
}  // namespace rankdeck::line_follower_test
