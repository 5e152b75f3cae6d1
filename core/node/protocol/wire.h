// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of values inside a frame: big-endian numbers and length-prefixed bytes. The reader never reads outside its
// bytes. After the first missing value it returns zeros and ok() is false, so a decoder checks ok() once, at its end.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rankdeck {

class WireWriter {
public:
    explicit WireWriter(std::string &into) : m_into(into) {}
    void u8(unsigned value) { m_into += static_cast<char>(value); }
    void u32(std::uint32_t value) { number(value, 4); }
    void u64(std::uint64_t value) { number(value, 8); }
    void blob(std::string_view bytes)
    {
        u32(static_cast<std::uint32_t>(bytes.size()));
        m_into += bytes;
    }

private:
    void number(std::uint64_t value, int bytes)
    {
        for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) m_into += static_cast<char>(value >> shift);
    }
    std::string &m_into;
};

class WireReader {
public:
    explicit WireReader(std::string_view bytes) : m_rest(bytes) {}
    std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
    std::uint64_t u64() { return number(8); }
    std::int64_t i64() { return static_cast<std::int64_t>(number(8)); }
    std::string_view blob() { return take(u32()); }
    std::string text() { return std::string(blob()); }
    // A count of items that take at least itemBytes each. An impossible count is refused before any item is read.
    std::uint32_t count(std::size_t itemBytes)
    {
        const std::uint32_t claimed = u32();
        if (claimed > m_rest.size() / itemBytes) refuse();
        return m_ok ? claimed : 0;
    }
    void refuse()
    {
        m_ok = false;
        m_rest = {};
    }
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] bool finished() const { return m_ok && m_rest.empty(); }

private:
    std::string_view take(std::size_t bytes)
    {
        if (bytes > m_rest.size()) {
            refuse();
            return {};
        }
        const std::string_view piece = m_rest.substr(0, bytes);
        m_rest.remove_prefix(bytes);
        return piece;
    }
    std::uint64_t number(std::size_t bytes)
    {
        std::uint64_t value = 0;
        for (const char byte : take(bytes)) value = value << 8 | static_cast<unsigned char>(byte);
        return value;
    }
    std::string_view m_rest;
    bool m_ok = true;
};

}  // namespace rankdeck
