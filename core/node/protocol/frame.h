// SPDX-License-Identifier: GPL-3.0-or-later
// Wire format between console and probe. One frame, big endian:
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

enum class FrameType : std::uint8_t {
    hello = 1,
    ping = 2,
    pong = 3,
    watch = 4,
    credit = 5,
    list = 16,
    read = 17,  // ranges; a range with an empty path is in the same file as the previous one
    skim = 18,
    readFile = 19,
    replace = 20,
    act = 21,
    hash = 22,
    processes = 23,
    signal = 24,
    launch = 25,
    launched = 26,
    append = 27,
    room = 28,
    jobHolder = 29,
    logout = 30,
    reserve = 31,
    reply = 64,
    tailData = 80,
    tailEvent = 81,
    directory = 82,
    processList = 83,
};

struct Frame {
    FrameType type = FrameType::ping;
    std::uint32_t id = 0;
    bool last = true;
    std::string payload;
};

constexpr std::size_t maxFramePayload = 1u << 20;
constexpr std::size_t frameHeaderBytes = 12;
constexpr std::size_t maxRequestBytes = 16u << 20;
constexpr std::size_t maxRangeBytes = 8u << 20;  // limit of a range that is read, or a piece that is written

// A complete message; it is cut into frames if it is too long for one.
std::string encodeMessage(FrameType type, std::uint32_t id, std::string_view payload);

class FrameReader {
public:
    void feed(std::string_view bytes);
    // nullopt: more bytes are needed. After an error the stream cannot be used any more.
    [[nodiscard]] Result<std::optional<Frame>> next();

private:
    std::string m_buffer;
    std::size_t m_at = 0;
};

}  // namespace rankdeck
