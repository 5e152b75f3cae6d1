// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_slice_key.h"

namespace rankdeck {
namespace {

constexpr char zero = '\0', one = '\x01', full = '\xff';

}  // namespace

std::optional<std::string> tfSliceTensor(std::string_view key)
{
    if (key.size() < 3 || key.front() != zero) return std::nullopt;
    std::string name;
    for (std::size_t at = 1; at + 1 < key.size(); ++at) {
        const char c = key[at], next = key[at + 1];
        if (c == zero && next == one) return name;
        if (c != zero && c != full) {
            name += c;
            continue;
        }
        // Within a string, 00 is encoded as 00 FF and FF as FF 00.
        if ((c == zero && next != full) || (c == full && next != zero)) return std::nullopt;
        name += c;
        ++at;
    }
    return std::nullopt;
}

std::string tfSliceKeyStart(std::string_view name)
{
    std::string key(1, zero);
    for (const char c : name) {
        key += c;
        if (c == zero) key += full;
        if (c == full) key += zero;
    }
    return key + zero + one;
}

}  // namespace rankdeck
