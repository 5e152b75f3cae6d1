// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/flax/msgpack_walk.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/read/weight_sample.h"

#include <algorithm>
#include <bit>

namespace rankdeck {
namespace {

constexpr std::uint64_t keyBytes = 1024;  // longest name, or longest shape and type of an array
int signedByte(char c)
{
    const int value = static_cast<unsigned char>(c);
    return value < 128 ? value : value - 256;
}

constexpr std::uint64_t longestHeader = 9;  // bytes of a token's header

// Type names of numpy and ml_dtypes; 0: unknown.
std::uint64_t bytesPerValue(std::string_view type)
{
    static const std::map<std::string_view, std::uint64_t> known{
        {"bool", 1},   {"int8", 1},    {"uint8", 1},    {"float8_e4m3fn", 1}, {"float8_e5m2", 1}, {"int16", 2},
        {"uint16", 2}, {"float16", 2}, {"bfloat16", 2}, {"int32", 4},         {"uint32", 4},      {"float32", 4},
        {"int64", 8},  {"uint64", 8},  {"float64", 8},  {"complex64", 8},     {"complex128", 16}};
    const auto found = known.find(type);
    return found == known.end() ? 0 : found->second;
}

}  // namespace

struct MsgpackWalk::Token {
    enum class Kind { number, text, bytes, extension, list, map, other };
    Kind kind = Kind::other;
    std::int64_t number = 0;
    std::uint64_t length = 0;  // bytes of the payload, or number of items
    int extension = 0;
    std::uint64_t header = 1;
    [[nodiscard]] bool hasPayload() const
    {
        return kind == Kind::text || kind == Kind::bytes || kind == Kind::extension || kind == Kind::other;
    }
};

// false: not msgpack.
bool MsgpackWalk::token(std::string_view bytes, Token &out)
{
    using Kind = Token::Kind;
    const auto first = static_cast<unsigned char>(bytes[0]);
    const auto sized = [&](Kind kind, std::size_t width, std::size_t more = 0) {
        out.kind = kind;
        out.length = bigEndian(bytes, 1, width).value_or(0);
        out.header = 1 + width + more;
        if (more != 0 && bytes.size() > width + 1) out.extension = signedByte(bytes[width + 1]);
        return true;
    };
    const auto value = [&](std::size_t width, bool isSigned) {
        out.kind = Kind::number;
        const std::uint64_t raw = bigEndian(bytes, 1, width).value_or(0);
        const unsigned unused = 64 - 8 * static_cast<unsigned>(width);
        out.number = isSigned ? std::bit_cast<std::int64_t>(raw << unused) >> unused
                              : static_cast<std::int64_t>(std::min<std::uint64_t>(raw, INT64_MAX));
        out.header = 1 + width;
        return true;
    };
    const auto fixed = [&](Kind kind, std::uint64_t length) {
        out.kind = kind;
        out.length = length;
        return true;
    };
    if (first < 0x80 || first >= 0xe0) {
        out.kind = Kind::number;
        out.number = first < 0x80 ? first : first - 256;
        return true;
    }
    if (first < 0x90) return fixed(Kind::map, first & 0x0fu);
    if (first < 0xa0) return fixed(Kind::list, first & 0x0fu);
    if (first < 0xc0) return fixed(Kind::text, first & 0x1fu);
    const auto within = [&](unsigned from, unsigned to) { return first >= from && first <= to; };
    if (first == 0xc0 || within(0xc2, 0xc3)) return true;  // nothing, no, yes
    if (within(0xc4, 0xc6)) return sized(Kind::bytes, std::size_t(1) << (first - 0xc4u));
    if (within(0xc7, 0xc9)) return sized(Kind::extension, std::size_t(1) << (first - 0xc7u), 1);
    if (within(0xca, 0xcb)) return fixed(Kind::other, first == 0xca ? 4 : 8);  // a real number
    if (within(0xcc, 0xcf)) return value(std::size_t(1) << (first - 0xccu), false);
    if (within(0xd0, 0xd3)) return value(std::size_t(1) << (first - 0xd0u), true);
    if (within(0xd4, 0xd8)) {
        out.extension = bytes.size() > 1 ? signedByte(bytes[1]) : 0;
        out.header = 2;
        return fixed(Kind::extension, std::uint64_t(1) << (first - 0xd4u));
    }
    if (within(0xd9, 0xdb)) return sized(Kind::text, std::size_t(1) << (first - 0xd9u));
    if (within(0xdc, 0xdd)) return sized(Kind::list, std::size_t(2) << (first - 0xdcu));
    if (within(0xde, 0xdf)) return sized(Kind::map, std::size_t(2) << (first - 0xdeu));
    return false;
}

void MsgpackWalk::feed(std::string_view window, std::uint64_t offset)
{
    while (!over() && m_at < m_size && m_at >= offset && m_at - offset < window.size()) {
        const std::string_view rest = window.substr(static_cast<std::size_t>(m_at - offset));
        const std::uint64_t left = m_size - m_at;
        if (rest.size() < std::min(longestHeader + keyBytes, left)) return;  // wait for the next window
        Token one;
        if (!token(rest, one)) return refuse(message("has a byte that is not valid msgpack"));
        const std::uint64_t payload = one.hasPayload() ? one.length : 0;
        if (one.header > left || payload > left - one.header)
            return refuse(m_frames.empty() ? message("is truncated")
                                           : message("is truncated in '%1'", printable(path())));
        if (++m_values > maxValues || m_frames.size() > maxDepth) {
            m_tooMuch = true;
            return;
        }
        const std::string_view seen =
            rest.substr(static_cast<std::size_t>(one.header))
                .substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(payload, keyBytes)));
        take(one, seen);
        m_at += one.header + payload;
    }
    if (over()) return;
    if (m_at >= m_size)
        refuse(m_frames.empty() ? message("is empty")
                                : message("ends in '%1', but more data should follow", printable(path())));
}

void MsgpackWalk::take(const Token &token, std::string_view payload)
{
    using Kind = Token::Kind;
    const bool isContainer = token.kind == Kind::map || token.kind == Kind::list;
    if (m_frames.empty()) {
        if (token.kind != Kind::map || token.length == 0) return refuse(message("does not begin with a map of names"));
        return open(token);
    }
    Frame &frame = m_frames.back();
    if (frame.isMap && !frame.keyRead) return takeKey(token, payload);
    if (isContainer && token.length > 0) return open(token);
    m_at += token.header;  // start of the payload, for arrays
    if (token.kind == Kind::number) takeNumber(token.number);
    if (token.kind == Kind::extension && (token.extension == 1 || token.extension == 3)) takeArray(token, payload);
    m_at -= token.header;
    finishValue();
}

void MsgpackWalk::takeKey(const Token &token, std::string_view payload)
{
    Frame &frame = m_frames.back();
    if (token.kind != Token::Kind::text || token.length > keyBytes)
        return refuse(message("has a key that is not a name"));
    frame.key = payload;
    frame.keyRead = true;
    --frame.left;
}

void MsgpackWalk::open(const Token &token)
{
    Frame frame;
    frame.isMap = token.kind == Token::Kind::map;
    // It cannot have more items than bytes are left, whatever it claims.
    if (token.length > m_size - m_at) return refuse(message("claims to contain more values than it has bytes"));
    frame.left = token.length * (frame.isMap ? 2 : 1);
    m_frames.push_back(std::move(frame));
}

void MsgpackWalk::finishValue()
{
    while (!m_frames.empty()) {
        Frame &frame = m_frames.back();
        frame.keyRead = false;
        if (--frame.left > 0) return;
        m_frames.pop_back();
    }
    close();
}

// The root is complete, so any following bytes are surplus. The last value, at m_at, may still have a payload that
// feed() skips later. Therefore the reader compares the end of the map with the size of the file.
void MsgpackWalk::close() { m_done = true; }

void MsgpackWalk::takeNumber(std::int64_t value)
{
    if (numbers.size() < 1000) numbers.emplace(path(), value);
}

// An array: a list of shape, type and bytes, itself msgpack.
void MsgpackWalk::takeArray(const Token &token, std::string_view payload)
{
    TensorInfo info{path(), {}, {}, 0, 0};
    std::size_t at = 0;
    const auto read = [&](Token::Kind kind) -> std::optional<Token> {
        Token one;
        if (at >= payload.size() || !this->token(payload.substr(at), one) || one.kind != kind) return std::nullopt;
        at += static_cast<std::size_t>(one.header);
        return one;
    };
    const std::string name = printable(info.name);
    const auto whole = read(Token::Kind::list), shape = read(Token::Kind::list);
    if (!whole || whole->length != 3 || !shape || shape->length > 32)
        return refuse(message("'%1' is not an array", name));
    std::uint64_t count = 1;
    for (std::uint64_t i = 0; i < shape->length; ++i) {
        const auto side = read(Token::Kind::number);
        if (!side || side->number < 0) return refuse(message("'%1' has no shape", name));
        info.shape.push_back(side->number);
        const auto length = static_cast<std::uint64_t>(side->number);
        if (length != 0 && count > m_size / length) return refuse(message("'%1' is larger than the file", name));
        count *= length;
    }
    const auto type = read(Token::Kind::text);
    if (!type || type->length > 64 || at + type->length > payload.size())
        return refuse(message("'%1' has no type", name));
    info.type = printable(std::string(payload.substr(at, static_cast<std::size_t>(type->length))));
    at += static_cast<std::size_t>(type->length);
    const auto bytes = read(Token::Kind::bytes);
    if (!bytes || at + bytes->length != token.length) return refuse(message("'%1' has no complete array data", name));
    if (const std::uint64_t each = bytesPerValue(info.type); each != 0 && count * each != bytes->length)
        return refuse(message("'%1' has %2 bytes, but its shape needs %3", name, grouped(std::int64_t(bytes->length)),
                              grouped(std::int64_t(count * each))));
    info.bytes = bytes->length;
    info.offset = m_at + at;
    const bool whole64 = info.type == "int64" || info.type == "int32" || info.type == "uint32";
    if (info.shape.empty() && whole64)
        if (const auto value = littleEndian(payload, at, static_cast<std::size_t>(info.bytes)))
            takeNumber(info.bytes == 4 ? static_cast<std::int32_t>(*value) : static_cast<std::int64_t>(*value));
    tensors.push_back(std::move(info));
}

void MsgpackWalk::refuse(Message why) { m_fault = std::move(why); }

std::string MsgpackWalk::path() const
{
    std::string out;
    for (const Frame &frame : m_frames)
        if (frame.isMap) out += (out.empty() ? "" : "/") + frame.key;
    return out;
}

}  // namespace rankdeck
