// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that are sent and received, each tested separately.
#include "core/node/protocol/reply_codec.h"
#include "core/node/protocol/request_codec.h"
#include "core/node/protocol/watch_state.h"
#include "tests/core/node/protocol/wire_bytes.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

namespace rankdeck::codec_test {
namespace {

// Every decoder of replies and pushes reports input that is cut anywhere, and does not crash if any byte is changed.
TEST(Decoders, RefuseCutMessagesAndSurviveChangedBytes)
{
    const std::string entry = statBytes() + blob("/a") + blob("") + blob("");
    const std::string content = blob("{}") + blob(std::string(64, '0')) + blob("/c") + statBytes() + blob("root") +
                                std::string(1, '\1') + blob("ext4") + number(7);
    const std::string process = std::string("\0\0\0\7", 4) + number(55) + std::string(16, '\1') + "S" + blob("python") +
                                number(1) + std::string("\0\0\0\1", 4) + blob("python") + '\1' +
                                std::string("\0\0\0\1", 4) + blob("RANK_ID") + blob("3") + blob("/") + blob("/") +
                                blob("/log") + blob("/err") + blob("root") + blob("a1-0") + std::string("\0\0\0\1", 4) +
                                blob("/log") + std::string("\0\0\0\1\0\0\0\7", 8);
    const std::vector<std::pair<std::string, std::function<bool(std::string_view)>>> cases = {
        {"\1" + entry + std::string(2, '\0') + blob(""), [](auto b) { return decodeListing(b, "/").has_value(); }},
        {statBytes() + number(0) + blob("bytes") + std::string(4, '\0') + blob(""),
         [](auto b) { return decodeRanges(b, 1).has_value(); }},
        {statBytes() + "\1" + number(0) + number(5) + blob("he") + std::string(1, '\0') + number(5) + blob(""),
         [](auto b) { return decodeSkims(b, 1).has_value(); }},
        {content, [](auto b) { return decodeFileContent(b).has_value(); }},
        {"\1" + content, [](auto b) { return decodeReplace(b).has_value(); }},
        {blob(std::string(64, '0')) + std::string("\0\0\0\1", 4) + std::string(4, '\7') + number(9) + statBytes(),
         [](auto b) { return decodeHash(b, 1).has_value(); }},
        {blob("boot") + std::string("\1\0\0\0\1", 5) + process + std::string("\0\0\0\1\0\0\0\7", 8) + number(55) +
             "\1" + blob("Out of memory") + std::string("\0\0\0\1\0\0\0\7", 8) + number(55) +
             std::string("\xff\xff\xff\xf7", 4),
         [](auto b) { return decodeProcesses(b).has_value(); }},
        {"\1" + blob("gone"), [](auto b) { return decodeSignal(b).has_value(); }},
        {"\1" + std::string("\0\0\0\7", 4) + number(55) + blob("boot") + "\1" + std::string(4, '\0') + number(5) +
             blob("boot") + "\1",
         [](auto b) { return decodeLaunch(b).has_value(); }},
        {"\2" + blob("a1") + blob("attempt 1") + number(5) + blob("host") + std::string("\0\0\0\7", 4) + number(55) +
             blob("boot") + blob("why") + "\1",
         [](auto b) { return decodeJobHolder(b).has_value(); }},
        {"\1" + blob("KillUserProcesses=yes"), [](auto b) { return decodeLogoutRule(b).has_value(); }},
        {hello(), [](auto b) { return decodeHello(b).has_value(); }},
        {std::string("\0\0", 2) + blob("") + std::string("\0\0\0\1", 4) + blob("/x") + std::string("\0\0\0\1", 4) +
             entry + number(9),
         [](auto b) { return decodeDirectory(b).has_value(); }},
    };
    std::mt19937 random(3);
    for (std::size_t index = 0; index < cases.size(); ++index) {
        const auto &[bytes, decodes] = cases[index];
        EXPECT_TRUE(decodes(bytes)) << index;
        EXPECT_FALSE(decodes(bytes + "x")) << index;
        for (std::size_t length = 0; length < bytes.size(); ++length)
            EXPECT_FALSE(decodes(std::string_view(bytes).substr(0, length))) << index << " cut at " << length;
        for (int round = 0; round < 500; ++round) {
            std::string changed = bytes;
            changed[random() % changed.size()] = static_cast<char>(random());
            decodes(changed);
        }
    }
}

TEST(Decoders, AcceptOnlyValidExitCodes)
{
    const std::string head = blob("boot") + std::string(9, '\0') + std::string("\0\0\0\1\0\0\0\7", 8) + number(55);
    const auto list = decodeProcessList(head + std::string("\xff\xff\xff\xf7", 4));
    ASSERT_TRUE(list.has_value());
    ASSERT_EQ(list->exits.size(), 1u);
    EXPECT_EQ(list->exits[0].code, -9);
    EXPECT_EQ(list->exits[0].startTicks, 55u);
    EXPECT_FALSE(decodeProcessList(head + std::string("\x80\0\0\0", 4)).has_value());
    EXPECT_FALSE(decodeProcessList(head + std::string("\0\1\0\0", 4)).has_value());
}

TEST(Decoders, ClampExtremeTimes)
{
    for (const std::int64_t time :
         {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
        const std::string entry = statBytes('f', 5, 9, time) + blob("/a") + blob("") + blob("");
        const auto listing = decodeListing("\1" + entry + std::string(2, '\0') + blob(""), "/");
        ASSERT_TRUE(listing.has_value());
        EXPECT_EQ(listing->entries.front().stat.mtimeNs, time < 0 ? -maxTimeNs : maxTimeNs);
    }
}

TEST(WatchStateTest, WatchedTailContinuesAfterTheListChanges)
{
    WatchState state;
    state.set({{{1, "/a"}, {2, "/b"}}, {}, false, {}});
    TailChunk chunk;
    chunk.bytes = "x";
    chunk.next = {1, 2, 3, "hash"};
    ASSERT_TRUE(state.apply(1, chunk));
    state.set({{{1, "/a", std::nullopt, 1, TailPace::onScreen}, {2, "/other"}}, {}, false, {}});
    EXPECT_TRUE(state.apply(1, chunk)) << "same id and path: same number on the wire";
    EXPECT_FALSE(state.apply(2, chunk)) << "another path: late bytes of the old one are dropped";
    EXPECT_TRUE(state.apply(3, chunk));
}

// Hundreds of ranges are requested for a checkpoint with many items, and its path is longer than everything else.
TEST(Requests, ConsecutiveRangesOfOneFileContainItsPathOnce)
{
    const std::string path(500, 'p');
    const auto size = [](const std::vector<RangeRequest> &ranges) { return encodeRequest(ranges)->payload.size(); };
    const std::size_t one = size({{path, 0, 4}}), again = 4 + 8 + 4 + 1, count = 4;
    EXPECT_EQ(size({{path, 0, 4}, {path, 8, 4}, {path, 16, 4}}), one + 2 * again);
    EXPECT_EQ(size({{path, 0, 4}, {path + "2", 0, 4}, {path, 8, 4}}), 3 * one - 2 * count + 1)
        << "the file before only";
}

TEST(Requests, RefuseInvalidArguments)
{
    EXPECT_EQ(encodeRequest(ListRequest{""}).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeReadFile(std::string("a\0b", 3), 10).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeRequest(std::vector<RangeRequest>{{"", 0, 1}}).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeRequest(std::vector<RangeRequest>{{"/a", 0, 1}, {"", 0, 1}}).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeRequest(std::vector<RangeRequest>{{"/a", 0, (8u << 20) + 1}}).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeRequest(ReplaceRequest{"/a", "", std::string(17u << 20, 'x')}).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeRequest(SignalRequest{{1, 5, "b"}}).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeRequest(LaunchRequest{"i", "/r", {}}).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeRequest(LaunchRequest{"i", "/r", {"a", std::string("b\0c", 3)}}).error().kind, ErrorKind::invalid);
    EXPECT_EQ(encodeRequest(FileActionRequest{FileAction::move, "/a", ""}).error().kind, ErrorKind::invalid);
}

}  // namespace
}  // namespace rankdeck::codec_test
