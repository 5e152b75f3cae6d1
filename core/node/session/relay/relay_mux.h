// SPDX-License-Identifier: GPL-3.0-or-later
// Many byte streams over one: the console's end of the protocol of relay.py. A stream is a command that the head node
// runs; its stdin and stdout are written and read here, each within a window. Therefore a stream that is not read, on
// either side, does not delay the others. Frames, big endian: u32 length | u8 type | u32 stream | payload. Pure; one
// thread at a time. Error protocol if the head node breaks the protocol; then the relay cannot be used any more.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

enum class RelayFrame : std::uint8_t {
    hello = 1,
    ping = 2,
    text = 3,
    open = 4,
    data = 5,
    sendText = 6,
    credit = 7,
    close = 8,
    greeting = 16,
    pong = 17,
    output = 18,
    taken = 19,
    end = 20,
};

inline constexpr std::size_t relayHeaderBytes = 9;
std::string encodeRelayFrame(RelayFrame type, std::uint32_t stream, std::string_view payload);

class RelayMux {
public:
    static constexpr std::size_t maxPayload = 1u << 20;
    static constexpr std::size_t downWindow = 1u << 20;  // largest number of received bytes that are not read yet
    static constexpr std::size_t upWindow = 256u << 10;  // largest number of sent bytes that it has not taken yet

    struct Ended {
        int status = 0;         // the exit code, or minus the signal
        std::string said = {};  // end of its stderr
    };

    // text: a text that many streams need; it goes to the head node once.
    RelayMux(std::string text, std::chrono::milliseconds lease);

    std::uint32_t open(const std::vector<std::string> &argv);
    void close(std::uint32_t stream);  // its later output is dropped
    void ping();
    // Takes as many bytes from the front as the window of the stream has room for. Returns their number.
    std::size_t write(std::uint32_t stream, std::string_view bytes);
    std::size_t read(std::uint32_t stream, std::string &into);
    [[nodiscard]] bool canWrite(std::uint32_t stream) const;
    [[nodiscard]] bool canRead(std::uint32_t stream) const;
    [[nodiscard]] const Ended *ended(std::uint32_t stream) const;  // nullptr: not ended, or some output is unread

    Status feed(std::string_view bytes);
    [[nodiscard]] bool greeted() const { return m_greeted; }
    // The streams that have new data since the last call.
    std::vector<std::uint32_t> touched();
    [[nodiscard]] std::string_view outgoing() const { return std::string_view(m_out).substr(m_sent); }
    void sent(std::size_t bytes);

private:
    struct Stream {
        std::string incoming = {};
        std::size_t owed = 0;  // bytes that were read, but not yet returned to its window
        std::size_t window = upWindow;
        bool textSent = false;
        std::optional<Ended> end = {};
    };
    void send(RelayFrame type, std::uint32_t stream, std::string_view payload);
    Status take(RelayFrame type, std::uint32_t id, std::string_view payload);
    Status takeFor(Stream &stream, RelayFrame type, std::string_view payload);

    std::string m_text;
    std::map<std::uint32_t, Stream> m_streams;
    std::uint32_t m_last = 0;
    std::string m_in;
    std::string m_out;
    std::size_t m_sent = 0;
    std::vector<std::uint32_t> m_touched;
    bool m_greeted = false;
};

}  // namespace rankdeck
