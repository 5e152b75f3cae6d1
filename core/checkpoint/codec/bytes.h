// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers from untrusted bytes: every read is checked against the size of the view, and returns nullopt if it does not
// fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// Little-endian, of 1 to 8 bytes at `at`; nullopt beyond the end.
inline std::optional<std::uint64_t> littleEndian(std::string_view bytes, std::size_t at, std::size_t width)
{
    if (width > 8 || at > bytes.size() || bytes.size() - at < width) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

inline std::optional<std::uint64_t> bigEndian(std::string_view bytes, std::size_t at, std::size_t width)
{
    if (width > 8 || at > bytes.size() || bytes.size() - at < width) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

inline std::string hex32(std::uint32_t value)  // "0001f0a3"
{
    std::string text;
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(value >> shift) & 0xf];
    return text;
}

// A base-128 varint of at most ten bytes. Moves `at` behind it; nullopt if the varint is cut or too long.
inline std::optional<std::uint64_t> varint(std::string_view bytes, std::size_t &at)
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto c = static_cast<unsigned char>(bytes[at++]);
        if (shift == 63 && c > 1) return std::nullopt;
        value |= std::uint64_t(c & 0x7fu) << shift;
        if (c < 0x80) return value;
    }
    return std::nullopt;
}

}  // namespace rankdeck
