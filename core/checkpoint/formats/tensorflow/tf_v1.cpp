// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_v1.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/codec/invalid.h"
#include "core/checkpoint/codec/proto_fields.h"
#include "core/checkpoint/formats/tensorflow/tf_types.h"

#include <optional>

namespace rankdeck {
namespace {

constexpr std::size_t maxV1Tensors = 1'000'000;

// SavedSliceMeta: name, shape, type, slices.
std::optional<TensorInfo> parseTensor(std::string_view bytes, std::size_t &slices)
{
    TensorInfo tensor;
    std::uint64_t type = 0;
    ProtoFields fields(bytes);
    while (const auto field = fields.next()) {
        if (field->number == 1 && field->wire == 2) tensor.name = std::string(field->bytes);
        if (field->number == 3 && field->wire == 0) type = field->value;
        if (field->number == 4 && field->wire == 2) ++slices;
        if (field->number != 2 || field->wire != 2) continue;
        auto shape = parseTfShape(field->bytes);
        if (!shape) return std::nullopt;
        tensor.shape = std::move(*shape);
    }
    const auto length = tensorBytes(tensor.shape, tfTypeBits(type));
    if (fields.bad() || tensor.name.empty() || !length) return std::nullopt;
    tensor.type = tfTypeName(type);
    tensor.bytes = *length;
    return tensor;
}

std::optional<std::string_view> onlyField(std::string_view bytes, std::uint64_t number)
{
    std::optional<std::string_view> found;
    ProtoFields fields(bytes);
    while (const auto field = fields.next())
        if (field->number == number && field->wire == 2) found = field->bytes;
    if (fields.bad()) return std::nullopt;
    return found;
}

// int_val and int64_val; packed, of one value.
std::string wholeNumber(std::string_view packed)
{
    std::size_t at = 0;
    const auto value = varint(packed, at);
    return value && at == packed.size() ? std::to_string(static_cast<std::int64_t>(*value)) : std::string();
}

}  // namespace

Result<TfV1Contents> parseTfV1Contents(std::string_view bytes)
{
    const auto meta = onlyField(bytes, 1);
    if (!meta) return invalid(message("the list of tensors is damaged"));
    TfV1Contents out;
    ProtoFields fields(*meta);
    while (const auto field = fields.next()) {
        if (field->number != 1 || field->wire != 2) continue;
        if (out.tensors.size() >= maxV1Tensors) return fail(ErrorKind::unsupported, message("too many tensors"));
        auto tensor = parseTensor(field->bytes, out.slices);
        if (!tensor) return invalid(message("tensor %1 of the list is damaged", out.tensors.size()));
        out.tensors.push_back(std::move(*tensor));
    }
    if (fields.bad()) return invalid(message("the list of tensors is damaged"));
    return out;
}

Result<TfV1Value> parseTfV1Value(std::string_view bytes)
{
    const auto slice = onlyField(bytes, 2);
    const auto tensor = slice ? onlyField(*slice, 3) : std::nullopt;
    if (!tensor) return invalid(message("the values of a tensor are damaged"));
    TfV1Value out;
    ProtoFields fields(*tensor);
    while (const auto field = fields.next()) {
        if (field->number == 5 && field->wire == 2) out.floats = field->bytes;
        const bool whole = field->number == 7 || field->number == 10;
        if (whole && field->wire == 2) out.scalar = wholeNumber(field->bytes);
        if (whole && field->wire == 0) out.scalar = std::to_string(static_cast<std::int64_t>(field->value));
    }
    if (fields.bad()) return invalid(message("the values of a tensor are damaged"));
    return out;
}

}  // namespace rankdeck
