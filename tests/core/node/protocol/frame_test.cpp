// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/frame.h"

#include "core/node/protocol/wire.h"

#include <gtest/gtest.h>
#include <random>
#include <zlib.h>

namespace rankdeck::frame_test {
namespace {

std::string header(std::uint32_t length, unsigned type, unsigned flags, unsigned zero, std::uint32_t id)
{
    std::string out;
    WireWriter writer(out);
    writer.u32(length);
    writer.u8(type);
    writer.u8(flags);
    writer.u8(zero);
    writer.u8(0);
    writer.u32(id);
    return out;
}

Result<std::optional<Frame>> only(const std::string &bytes)
{
    FrameReader reader;
    reader.feed(bytes);
    return reader.next();
}

TEST(Frame, DecodesInputThatArrivesByteByByte)
{
    const std::string wire = encodeMessage(FrameType::reply, 77, "payload") + encodeMessage(FrameType::pong, 0, "");
    FrameReader reader;
    std::vector<Frame> frames;
    for (const char byte : wire) {
        reader.feed(std::string(1, byte));
        auto frame = reader.next();
        ASSERT_TRUE(frame.has_value());
        if (*frame) frames.push_back(**frame);
    }
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_EQ(frames[0].type, FrameType::reply);
    EXPECT_EQ(frames[0].id, 77u);
    EXPECT_EQ(frames[0].payload, "payload");
    EXPECT_TRUE(frames[0].last);
    EXPECT_EQ(frames[1].payload, "");
}

TEST(Frame, LongMessagesAreSplitIntoFrames)
{
    const std::string payload(2 * maxFramePayload + 5, 'x');
    FrameReader reader;
    reader.feed(encodeMessage(FrameType::reply, 3, payload));
    std::string together;
    for (const std::size_t expected : {maxFramePayload, maxFramePayload, std::size_t{5}}) {
        auto frame = reader.next();
        ASSERT_TRUE(frame.has_value() && *frame);
        EXPECT_EQ((**frame).payload.size(), expected);
        EXPECT_EQ((**frame).last, expected == 5);
        together += (**frame).payload;
    }
    EXPECT_EQ(together, payload);
}

TEST(Frame, RefusesBytesThatAreNotAFrame)
{
    EXPECT_EQ(only(header(maxFramePayload + 1, 64, 2, 0, 1)).error().kind, ErrorKind::protocol);
    EXPECT_EQ(only(header(0, 64, 2, 1, 1)).error().kind, ErrorKind::protocol);
    EXPECT_EQ(only(header(0, 64, 4, 0, 1)).error().kind, ErrorKind::protocol);
    EXPECT_EQ(only(header(0, 200, 2, 0, 1)).error().kind, ErrorKind::protocol);
    EXPECT_EQ(only(header(0, 16, 2, 0, 1)).error().kind, ErrorKind::protocol) << "a request from the probe";
    EXPECT_EQ(only("Last login: yesterday").error().kind, ErrorKind::protocol);
    EXPECT_TRUE(only(header(maxFramePayload, 64, 2, 0, 1)).has_value()) << "not complete, but allowed";
}

TEST(Frame, DecompressesAtMostOneFrame)
{
    const auto packed = [](const std::string &plain) {
        uLongf size = ::compressBound(plain.size());
        std::string out(size, '\0');
        ::compress(reinterpret_cast<Bytef *>(out.data()), &size, reinterpret_cast<const Bytef *>(plain.data()),
                   plain.size());
        out.resize(size);
        return out;
    };
    const std::string good = packed(std::string(maxFramePayload, 'a'));
    auto frame = only(header(static_cast<std::uint32_t>(good.size()), 80, 3, 0, 1) + good);
    ASSERT_TRUE(frame.has_value() && *frame);
    EXPECT_EQ((**frame).payload.size(), maxFramePayload);
    const std::string bomb = packed(std::string(maxFramePayload + 1, 'a'));
    EXPECT_EQ(only(header(static_cast<std::uint32_t>(bomb.size()), 80, 3, 0, 1) + bomb).error().kind,
              ErrorKind::protocol);
    EXPECT_EQ(only(header(5, 80, 3, 0, 1) + "plain").error().kind, ErrorKind::protocol);
}

TEST(Frame, GarbageNeverCrashesTheReader)
{
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        FrameReader reader;
        std::string bytes(random() % 200, '\0');
        for (char &byte : bytes) byte = static_cast<char>(random());
        reader.feed(bytes);
        for (auto frame = reader.next(); frame.has_value() && *frame; frame = reader.next()) {}
    }
}

TEST(Wire, ReadsNothingBeyondTheEnd)
{
    WireReader reader(std::string_view("\0\0\0\5abc", 7));
    EXPECT_EQ(reader.blob(), "");
    EXPECT_FALSE(reader.ok());
    EXPECT_EQ(reader.u64(), 0u);
    WireReader counts(std::string_view("\xff\xff\xff\xff????", 8));
    EXPECT_EQ(counts.count(4), 0u);
    EXPECT_FALSE(counts.ok());
}

}  // namespace
}  // namespace rankdeck::frame_test
