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
// Bits of one element; 0 for strings, variants and what is not known: their bytes do not follow from their shape.
unsigned tfTypeBits(std::uint64_t type);
// nullopt: damaged, of more than 64 dimensions, or one of them negative.
std::optional<std::vector<std::int64_t>> parseTfShape(std::string_view message);
// Bytes that so many elements of so many bits take; nullopt: more than any file has.
std::optional<std::uint64_t> tensorBytes(const std::vector<std::int64_t> &shape, unsigned bits);

}  // namespace rankdeck
