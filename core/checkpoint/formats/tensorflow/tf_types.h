// SPDX-License-Identifier: GPL-3.0-or-later
// TensorFlow's DataType and TensorShapeProto (tensorflow/core/framework/{types,tensor_shape}.proto). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rankdeck {

// "float32", "int64" …; "unknown" for a type that is not listed.
const char *tfTypeName(std::uint64_t type);
// Bits of one element; 0 for strings, variants and unknown types: their bytes do not follow from their shape.
unsigned tfTypeBits(std::uint64_t type);
// nullopt: damaged, more than 64 dimensions, or a negative dimension.
std::optional<std::vector<std::int64_t>> parseTfShape(std::string_view message);
// Bytes of so many elements of so many bits; nullopt: more than any file has.
std::optional<std::uint64_t> tensorBytes(const std::vector<std::int64_t> &shape, unsigned bits);

}  // namespace rankdeck
