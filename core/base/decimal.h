// SPDX-License-Identifier: GPL-3.0-or-later
// Plain decimals ("2.2659149169921875") to the nearest double, several times faster than the library's from_chars, which
// stays responsible for everything else: exponents, more than 19 digits, nan, inf. Never reads beyond end. Pure.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace rankdeck {

// Eight bytes at once: whether all are digits, and their value.
inline bool eightDigits(const char *at, std::uint64_t &value)
{
    if constexpr (std::endian::native != std::endian::little) return false;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    const std::uint64_t above = bytes + 0x4646464646464646u;
    const std::uint64_t digits = bytes - 0x3030303030303030u;
    if (((above | digits) & 0x8080808080808080u) != 0) return false;
    const std::uint64_t pairs = digits * 10 + (digits >> 8);
    value = (((pairs & 0x000000ff000000ffu) * 0x000f424000000064u) +
             (((pairs >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u)) >>
            32;
    return true;
}

inline int takeDigits(const char *&at, const char *end, std::uint64_t &sum)
{
    const char *const begin = at;
    std::uint64_t eight = 0;
    while (end - at >= 8 && at - begin <= 16 && eightDigits(at, eight)) {
        sum = sum * 100000000 + eight;
        at += 8;
    }
    while (at != end && at - begin < 20 && static_cast<unsigned char>(*at - '0') < 10)
        sum = sum * 10 + static_cast<unsigned>(*at++ - '0');
    return static_cast<int>(at - begin);
}

struct Reciprocal {  // of a power of ten: mantissa / 2^(63 + width)
    std::uint64_t mantissa = 0;
    int width = 0;
};
__extension__ typedef unsigned __int128 Wide;

constexpr std::array<Reciprocal, 20> reciprocals()
{
    std::array<Reciprocal, 20> table{};
    std::uint64_t power = 1;
    for (std::size_t i = 1; i < table.size(); ++i) {
        power *= 10;
        table[i].width = static_cast<int>(std::bit_width(power));
        table[i].mantissa = static_cast<std::uint64_t>((Wide(1) << (63 + table[i].width)) / power);
    }
    return table;
}

// digits / 10^places to the nearest double; false: too near the middle between two of them to tell with 64 bits.
inline bool scaledDown(std::uint64_t digits, int places, double &value)
{
    static constexpr std::array<Reciprocal, 20> table = reciprocals();
    static constexpr std::array<double, 20> exact{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                                  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
    const auto place = static_cast<std::size_t>(places);
    if (digits <= (std::uint64_t(1) << 53)) {
        value = static_cast<double>(digits) / exact[place];  // both exact: the quotient is rounded once
        return true;
    }
    if (places == 0) return false;
    const int zeros = std::countl_zero(digits);
    const Wide product = Wide(digits << zeros) * table[place].mantissa;
    std::uint64_t top = static_cast<std::uint64_t>(product >> 64);
    int exponent = 1 - table[place].width - zeros;
    if (top >> 63 == 0) {
        top = static_cast<std::uint64_t>(product >> 63);
        --exponent;
    }
    // The reciprocal was cut: the true value lies less than 4 above top.
    const std::uint64_t rest = top & 0x7ff;
    if (rest >= 0x3fc && rest <= 0x400) return false;
    const std::uint64_t mantissa = (top >> 11) + (rest > 0x400 ? 1 : 0);
    const std::uint64_t bits =
        (static_cast<std::uint64_t>(exponent + 11 + 52 + 1023) << 52) + (mantissa - (std::uint64_t(1) << 52));
    value = std::bit_cast<double>(bits);
    return true;
}

// Moves at behind the number; false: not such a number, at stays.
inline bool takeDecimal(const char *&at, const char *end, double &value)
{
    const char *place = at;
    const bool negative = place != end && *place == '-';
    if (negative) ++place;
    std::uint64_t digits = 0;
    const char *const first = place;
    while (place != end && place - first < 20 && static_cast<unsigned char>(*place - '0') < 10)
        digits = digits * 10 + static_cast<unsigned>(*place++ - '0');
    const int whole = static_cast<int>(place - first);
    int fraction = 0;
    if (whole > 0 && place != end && *place == '.') {
        ++place;
        fraction = takeDigits(place, end, digits);
    }
    // A letter may be an exponent; 19 digits are sure to fit in 64 bits.
    if (whole == 0 || whole + fraction > 19 || (place != end && static_cast<unsigned char>((*place | 0x20) - 'a') < 26))
        return false;
    if (place != end && (*place == '.' || static_cast<unsigned char>(*place - '0') < 10)) return false;
    if (!scaledDown(digits, fraction, value)) return false;
    if (negative) value = -value;
    at = place;
    return true;
}

}  // namespace rankdeck
