// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/frame.h"

#include "core/node/protocol/wire.h"

#include <zlib.h>

#include <algorithm>

namespace rankdeck {

namespace {

constexpr unsigned flagZlib = 1;
constexpr unsigned flagLast = 2;

bool fromProbe(std::uint8_t type)
{
    switch (static_cast<FrameType>(type)) {
    case FrameType::hello:
    case FrameType::pong:
    case FrameType::reply:
    case FrameType::tailData:
    case FrameType::tailEvent:
    case FrameType::directory:
    case FrameType::processList: return true;
    default: return false;
    }
}

Result<std::string> inflated(std::string_view packed)
{
    // One byte more than allowed, which distinguishes a payload of exactly the limit from a longer one.
    std::string plain(maxFramePayload + 1, '\0');
    uLongf size = plain.size();
    const int code = ::uncompress(reinterpret_cast<Bytef *>(plain.data()), &size,
                                  reinterpret_cast<const Bytef *>(packed.data()), packed.size());
    if (code != Z_OK || size > maxFramePayload)
        return fail(ErrorKind::protocol, message("The probe sent a compressed frame that cannot be unpacked."),
                    "zlib: " + std::to_string(code));
    plain.resize(size);
    return plain;
}

}  // namespace

std::string encodeMessage(FrameType type, std::uint32_t id, std::string_view payload)
{
    std::string out;
    out.reserve(payload.size() + frameHeaderBytes * (1 + payload.size() / maxFramePayload));
    do {
        const std::string_view part = payload.substr(0, std::min(payload.size(), maxFramePayload));
        payload.remove_prefix(part.size());
        WireWriter header(out);
        header.u32(static_cast<std::uint32_t>(part.size()));
        header.u8(static_cast<std::uint8_t>(type));
        header.u8(payload.empty() ? flagLast : 0);
        header.u8(0);
        header.u8(0);
        header.u32(id);
        out += part;
    } while (!payload.empty());
    return out;
}

void FrameReader::feed(std::string_view bytes)
{
    if (m_at > 0 && m_at == m_buffer.size()) {
        m_buffer.clear();
        m_at = 0;
    } else if (m_at > (1u << 20)) {
        m_buffer.erase(0, m_at);
        m_at = 0;
    }
    m_buffer += bytes;
}

Result<std::optional<Frame>> FrameReader::next()
{
    const std::string_view rest = std::string_view(m_buffer).substr(m_at);
    if (rest.size() < frameHeaderBytes) return std::optional<Frame>();
    WireReader header(rest.substr(0, frameHeaderBytes));
    const std::uint32_t length = header.u32();
    const std::uint8_t type = header.u8();
    const std::uint8_t flags = header.u8();
    const unsigned zero = header.u8() | header.u8();
    const std::uint32_t id = header.u32();
    if (length > maxFramePayload || zero != 0 || (flags & ~(flagZlib | flagLast)) != 0 || !fromProbe(type))
        return fail(
            ErrorKind::protocol, message("The probe sent bytes that are not a frame; the connection is closed."),
            "length " + std::to_string(length) + ", type " + std::to_string(type) + ", flags " + std::to_string(flags));
    if (rest.size() < frameHeaderBytes + length) return std::optional<Frame>();
    Frame frame{static_cast<FrameType>(type), id, (flags & flagLast) != 0, {}};
    const std::string_view payload = rest.substr(frameHeaderBytes, length);
    if ((flags & flagZlib) != 0) {
        auto plain = inflated(payload);
        if (!plain) return plain.error();
        frame.payload = std::move(*plain);
    } else {
        frame.payload = payload;
    }
    m_at += frameHeaderBytes + length;
    return std::optional<Frame>(std::move(frame));
}

}  // namespace rankdeck
