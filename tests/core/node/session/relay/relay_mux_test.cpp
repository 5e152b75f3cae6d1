// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/relay/relay_mux.h"

#include "core/node/protocol/wire.h"
#include "tests/testbed/races.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace rankdeck::relay_mux_test {
namespace {

using testing::HasSubstr;

// The head node's end, as documented: it returns to each stream the bytes that it received, and sends only within the
// window.
class EchoingHead {
public:
    explicit EchoingHead(std::string text) : m_expectedText(std::move(text)) {}

    void feed(std::string_view bytes)
    {
        m_in += bytes;
        while (m_in.size() >= relayHeaderBytes) {
            WireReader header(m_in);
            const std::uint32_t length = header.u32();
            const auto type = static_cast<RelayFrame>(header.u8());
            const std::uint32_t stream = header.u32();
            if (m_in.size() < relayHeaderBytes + length) return;
            take(type, stream, m_in.substr(relayHeaderBytes, length));
            m_in.erase(0, relayHeaderBytes + length);
        }
    }
    // Echoes some of the bytes that a stream has received, like a cat that gets some time to run.
    void turn(std::uint32_t id, std::size_t most)
    {
        const auto it = streams.find(id);
        if (it == streams.end()) return;
        Stream &stream = it->second;
        const std::size_t size = std::min({most, stream.held.size(), stream.window});
        if (size == 0) return;
        put(RelayFrame::output, id, stream.held.substr(0, size));
        put(RelayFrame::taken, id, number(size));
        stream.held.erase(0, size);
        stream.window -= size;
    }
    void end(std::uint32_t id, int status)
    {
        if (streams.erase(id) > 0) put(RelayFrame::end, id, number(static_cast<std::uint32_t>(status)) + "last words");
    }
    static std::string number(std::size_t value)
    {
        std::string bytes;
        WireWriter(bytes).u32(static_cast<std::uint32_t>(value));
        return bytes;
    }

    struct Stream {
        std::string held = {};
        std::size_t window = 0;
    };
    std::map<std::uint32_t, Stream> streams;
    std::string out;
    int texts = 0;

private:
    void put(RelayFrame type, std::uint32_t id, const std::string &payload)
    {
        out += encodeRelayFrame(type, id, payload);
    }
    void take(RelayFrame type, std::uint32_t id, const std::string &payload)
    {
        WireReader reader(payload);
        if (type == RelayFrame::hello) put(RelayFrame::greeting, 0, number(1));
        if (type == RelayFrame::text) {
            m_text += payload;
            ++texts;
        }
        if (type == RelayFrame::open) streams[id].window = reader.u32();
        if (type == RelayFrame::close) streams.erase(id);
        const auto it = streams.find(id);
        if (it == streams.end()) return;
        if (type == RelayFrame::credit) it->second.window += reader.u32();
        if (type == RelayFrame::data) it->second.held += payload;
        if (type == RelayFrame::sendText) {
            EXPECT_EQ(m_text, m_expectedText);
            it->second.held += m_text;
        }
        EXPECT_LE(it->second.held.size(), RelayMux::upWindow);
        EXPECT_LE(it->second.window, RelayMux::downWindow);
    }

    std::string m_in;
    std::string m_text;
    std::string m_expectedText;
};

// One console, one head node, the bytes in transit between them, and the bytes that each stream has sent and received.
class Scene {
public:
    explicit Scene(unsigned seed) : m_random(seed), text(bytes(20000)), mux(text, std::chrono::seconds(60)), head(text)
    {}
    std::size_t upTo(std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(m_random); }
    std::string bytes(std::size_t size)
    {
        std::string made;
        for (std::size_t i = 0; i < size; ++i) made += static_cast<char>(m_random());
        return made;
    }
    void write(std::uint32_t id, const std::string &what)
    {
        const std::size_t taken = mux.write(id, what);
        written[id] += what.substr(0, taken);
    }
    void read(std::uint32_t id)
    {
        std::string got;
        mux.read(id, got);
        EXPECT_LE(got.size(), RelayMux::downWindow);
        heard[id] += got;
    }
    void moveUp(std::size_t most)
    {
        const std::size_t size = std::min(most, mux.outgoing().size());
        head.feed(mux.outgoing().substr(0, size));
        mux.sent(size);
    }
    void moveDown(std::size_t most)
    {
        const std::size_t size = std::min(most, head.out.size());
        const Status fed = mux.feed(std::string_view(head.out).substr(0, size));
        EXPECT_TRUE(fed.has_value()) << fed.error().message;
        head.out.erase(0, size);
    }
    // A random event, with messages cut anywhere.
    void step(std::uint32_t id)
    {
        switch (upTo(7)) {
        case 0: return write(id, upTo(20) == 0 ? text : bytes(upTo(400)));
        case 1: return write(id, bytes(upTo(30000)));
        case 2: return moveUp(upTo(50));
        case 3: return moveUp(upTo(100000));
        case 4: return moveDown(upTo(50));
        case 5: return moveDown(upTo(100000));
        case 6: return read(id);
        default: return head.turn(id, upTo(20000));
        }
    }
    void settle()
    {
        for (int round = 0; round < 100; ++round) {
            moveUp(1u << 30);
            for (std::uint32_t id = 1; id <= 5; ++id) head.turn(id, 1u << 30);
            moveDown(1u << 30);
            for (std::uint32_t id = 1; id <= 5; ++id) read(id);
        }
    }

private:
    std::mt19937 m_random;

public:
    std::string text;
    RelayMux mux;
    EchoingHead head;
    std::map<std::uint32_t, std::string> written, heard;
};

TEST(RelayMux, EachStreamReceivesItsOwnBytesInAnyInterleaving)
{
    for (unsigned seed = 0; seed < propertyRounds(20); ++seed) {
        Scene scene(seed);
        for (int i = 0; i < 5; ++i) scene.mux.open({"cat"});
        const std::uint32_t closed = seed % 2 == 0 ? 3 : 0;
        for (int i = 0; i < 400; ++i) {
            if (i == 200 && closed != 0) scene.mux.close(closed);
            scene.step(static_cast<std::uint32_t>(1 + scene.upTo(4)));
        }
        scene.settle();
        for (std::uint32_t id = 1; id <= 5; ++id) {
            if (id == closed) continue;
            ASSERT_TRUE(scene.heard[id] == scene.written[id])
                << "seed " << seed << ", stream " << id << ": " << scene.heard[id].size() << " of "
                << scene.written[id].size();
        }
        EXPECT_EQ(scene.head.texts, 1) << "the text goes once";
    }
}

TEST(RelayMux, UnreadStreamBuffersOnlyItsWindowAndDelaysNoOther)
{
    Scene scene(1);
    scene.mux.open({"cat"});
    scene.mux.open({"cat"});
    const std::string much(100000, 'x');
    for (int round = 0; round < 40; ++round) {
        scene.write(1, much);
        scene.moveUp(1u << 30);
        scene.head.turn(1, 1u << 30);
        scene.moveDown(1u << 30);
    }
    EXPECT_FALSE(scene.mux.canWrite(1));
    EXPECT_EQ(scene.head.streams[1].window, 0u);
    EXPECT_EQ(scene.head.streams[1].held.size(), RelayMux::upWindow);
    scene.write(2, "to the other");
    scene.settle();
    EXPECT_EQ(scene.heard[2], "to the other");
    EXPECT_TRUE(scene.heard[1] == scene.written[1]) << "and it goes on when it is read";
}

TEST(RelayMux, DeliversOutputBeforeTheEnd)
{
    Scene scene(1);
    scene.mux.open({"cat"});
    scene.write(1, "hello");
    scene.moveUp(1u << 30);
    scene.head.turn(1, 100);
    scene.head.end(1, 3);
    scene.moveDown(1u << 30);
    EXPECT_EQ(scene.mux.ended(1), nullptr);
    scene.read(1);
    ASSERT_NE(scene.mux.ended(1), nullptr);
    EXPECT_EQ(scene.mux.ended(1)->status, 3);
    EXPECT_EQ(scene.mux.ended(1)->said, "last words");
    EXPECT_EQ(scene.mux.write(1, "more"), 4u) << "nobody waits for room that never comes";
}

TEST(RelayMux, RefusesFramesThatViolateTheProtocol)
{
    const auto saysOf = [](const std::string &frame) {
        RelayMux mux("text", std::chrono::seconds(60));
        mux.open({"cat"});
        const Status fed = mux.feed(frame);
        return fed ? Message("accepted") : fed.error().message;
    };
    const std::string one = EchoingHead::number(1);
    EXPECT_EQ(saysOf(encodeRelayFrame(RelayFrame::greeting, 0, one)), "accepted");
    EXPECT_THAT(saysOf(encodeRelayFrame(RelayFrame::greeting, 0, EchoingHead::number(2))), HasSubstr("version 2"));
    EXPECT_THAT(saysOf(encodeRelayFrame(RelayFrame::output, 2, "x")), HasSubstr("never opened"));
    EXPECT_THAT(saysOf(encodeRelayFrame(RelayFrame::output, 0, "x")), HasSubstr("never opened"));
    EXPECT_THAT(saysOf(encodeRelayFrame(RelayFrame::hello, 1, "x")), HasSubstr("type 1"));
    EXPECT_THAT(saysOf(encodeRelayFrame(RelayFrame::taken, 1, one)), HasSubstr("more room"));
    EXPECT_THAT(saysOf(encodeRelayFrame(RelayFrame::end, 1, "x")), HasSubstr("too short"));
    EXPECT_THAT(saysOf(std::string("\xff\xff\xff\xff", 4) + std::string(5, '\x12')), HasSubstr("bytes"));
    std::string flood;
    for (int i = 0; i < 2; ++i)
        flood += encodeRelayFrame(RelayFrame::output, 1, std::string(RelayMux::maxPayload, 'x'));
    EXPECT_THAT(saysOf(flood), HasSubstr("more than a stream"));
    EXPECT_THAT(saysOf(encodeRelayFrame(RelayFrame::end, 1, one) + encodeRelayFrame(RelayFrame::output, 1, "x")),
                HasSubstr("after its end"));
}

TEST(RelayMux, DropsLateOutputOfAClosedStream)
{
    RelayMux mux({}, std::chrono::seconds(60));
    const std::uint32_t id = mux.open({"cat"});
    mux.close(id);
    EXPECT_TRUE(mux.feed(encodeRelayFrame(RelayFrame::output, id, "late")).has_value());
    EXPECT_TRUE(mux.touched().empty());
}

}  // namespace
}  // namespace rankdeck::relay_mux_test
