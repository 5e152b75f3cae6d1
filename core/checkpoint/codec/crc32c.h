// SPDX-License-Identifier: GPL-3.0-or-later
// CRC-32C (Castagnoli) as in LevelDB tables and TensorFlow, and the mask with which they store it. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace rankdeck {

std::uint32_t crc32c(std::string_view bytes);
// Converts the stored form of a checksum to the checksum.
constexpr std::uint32_t unmaskedCrc(std::uint32_t masked)
{
    const std::uint32_t rotated = masked - 0xa282ead8u;
    return (rotated >> 17) | (rotated << 15);
}

}  // namespace rankdeck
