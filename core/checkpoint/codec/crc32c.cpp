// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/crc32c.h"

#include <array>

namespace rankdeck {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 4>;

// Four tables, to process four bytes at once.
constexpr Tables makeTables()
{
    Tables t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1u) ? (crc >> 1) ^ 0x82f63b78u : crc >> 1;
        t[0][i] = crc;
    }
    for (std::uint32_t i = 0; i < 256; ++i)
        for (std::size_t k = 1; k < 4; ++k) t[k][i] = (t[k - 1][i] >> 8) ^ t[0][t[k - 1][i] & 0xff];
    return t;
}

constexpr Tables tables = makeTables();

}  // namespace

std::uint32_t crc32c(std::string_view bytes)
{
    const auto at = [bytes](std::size_t i) { return std::uint32_t(static_cast<unsigned char>(bytes[i])); };
    std::uint32_t crc = 0xffffffffu;
    std::size_t i = 0;
    for (; i + 4 <= bytes.size(); i += 4) {
        crc ^= at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24;
        crc =
            tables[3][crc & 0xff] ^ tables[2][(crc >> 8) & 0xff] ^ tables[1][(crc >> 16) & 0xff] ^ tables[0][crc >> 24];
    }
    for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ tables[0][(crc ^ at(i)) & 0xff];
    return ~crc;
}

}  // namespace rankdeck
