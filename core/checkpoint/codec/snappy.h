// SPDX-License-Identifier: GPL-3.0-or-later
// Decompressor for a raw Snappy block (github.com/google/snappy, format_description.txt). Pure; bounded by the given
// limit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// nullopt: damaged, or longer than limit when unpacked.
std::optional<std::string> unpackSnappy(std::string_view bytes, std::size_t limit);

}  // namespace rankdeck
