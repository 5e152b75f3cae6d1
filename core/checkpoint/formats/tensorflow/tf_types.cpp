// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_types.h"

#include "core/checkpoint/codec/proto_fields.h"

#include <array>

namespace rankdeck {
namespace {

struct TfType {
    unsigned id;
    const char *name;
    unsigned bits;
};

constexpr std::array<TfType, 29> types{{
    {1, "float32", 32},
    {2, "float64", 64},
    {3, "int32", 32},
    {4, "uint8", 8},
    {5, "int16", 16},
    {6, "int8", 8},
    {7, "string", 0},
    {8, "complex64", 64},
    {9, "int64", 64},
    {10, "bool", 8},
    {11, "qint8", 8},
    {12, "quint8", 8},
    {13, "qint32", 32},
    {14, "bfloat16", 16},
    {15, "qint16", 16},
    {16, "quint16", 16},
    {17, "uint16", 16},
    {18, "complex128", 128},
    {19, "float16", 16},
    {20, "resource", 0},
    {21, "variant", 0},
    {22, "uint32", 32},
    {23, "uint64", 64},
    {24, "float8_e5m2", 8},
    {25, "float8_e4m3fn", 8},
    {26, "float8_e4m3fnuz", 8},
    {27, "float8_e4m3b11fnuz", 8},
    {28, "float8_e5m2fnuz", 8},
    {29, "int4", 8},
}};

const TfType *typeOf(std::uint64_t id)
{
    for (const TfType &type : types)
        if (type.id == id) return &type;
    return nullptr;
}

}  // namespace

const char *tfTypeName(std::uint64_t type)
{
    const TfType *known = typeOf(type);
    return known ? known->name : "unknown";
}

unsigned tfTypeBits(std::uint64_t type)
{
    const TfType *known = typeOf(type);
    return known ? known->bits : 0;
}

std::optional<std::vector<std::int64_t>> parseTfShape(std::string_view message)
{
    constexpr std::size_t maxDims = 64;
    std::vector<std::int64_t> shape;
    ProtoFields fields(message);
    while (const auto field = fields.next()) {
        if (field->number != 2 || field->wire != 2) continue;
        std::int64_t size = 0;  // a dimension of size 0 is left out
        ProtoFields parts(field->bytes);
        while (const auto part = parts.next())
            if (part->number == 1 && part->wire == 0) size = static_cast<std::int64_t>(part->value);
        if (parts.bad() || size < 0 || shape.size() >= maxDims) return std::nullopt;
        shape.push_back(size);
    }
    if (fields.bad()) return std::nullopt;
    return shape;
}

std::optional<std::uint64_t> tensorBytes(const std::vector<std::int64_t> &shape, unsigned bits)
{
    constexpr std::uint64_t most = std::uint64_t(1) << 60;
    std::uint64_t count = 1;
    for (const std::int64_t dim : shape) {
        if (dim < 0) return std::nullopt;
        if (dim == 0) return 0;
        if (count > most / static_cast<std::uint64_t>(dim)) return std::nullopt;
        count *= static_cast<std::uint64_t>(dim);
    }
    if (bits != 0 && count > most / bits) return std::nullopt;
    return count * bits / 8;
}

}  // namespace rankdeck
