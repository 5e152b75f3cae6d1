// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/scalars.h"

#include "core/checkpoint/codec/bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>

namespace rankdeck {
namespace {

std::string floatText(double value)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

bool isOne(std::string_view type, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), type) != names.end();
}

}  // namespace

std::string scalarText(std::string_view bytes, std::string_view type)
{
    const auto raw = bytes.size() <= 8 && !bytes.empty() ? littleEndian(bytes, 0, bytes.size()) : std::nullopt;
    if (!raw) return {};
    const auto value = *raw;
    if (isOne(type, {"Int64", "I64", "int64"}) && bytes.size() == 8)
        return std::to_string(static_cast<std::int64_t>(value));
    if (isOne(type, {"Int32", "I32", "int32"}) && bytes.size() == 4)
        return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
    if (isOne(type, {"Int16", "I16", "int16"}) && bytes.size() == 2)
        return std::to_string(static_cast<std::int16_t>(static_cast<std::uint16_t>(value)));
    if (isOne(type, {"Int8", "I8", "int8"}) && bytes.size() == 1)
        return std::to_string(static_cast<std::int8_t>(static_cast<std::uint8_t>(value)));
    if (isOne(type, {"UInt64", "U64"}) && bytes.size() == 8) return std::to_string(value);
    if (isOne(type, {"UInt32", "U32"}) && bytes.size() == 4) return std::to_string(value);
    if (isOne(type, {"UInt8", "U8", "uint8", "Bool", "BOOL", "bool"}) && bytes.size() == 1)
        return std::to_string(value);
    if (isOne(type, {"Float32", "F32", "float32"}) && bytes.size() == 4)
        return floatText(double(std::bit_cast<float>(static_cast<std::uint32_t>(value))));
    if (isOne(type, {"Float64", "F64", "float64"}) && bytes.size() == 8) return floatText(std::bit_cast<double>(value));
    return {};
}

bool isKnownScalar(std::string_view name)
{
    return isOne(name,
                 {"epoch_num", "step_num", "batch_num", "global_step", "global_steps", "loss_scale", "learning_rate",
                  "momentum", "cur_rank", "global_batch_size", "graceful_exit", "graceful_init", "iteration", "epoch"});
}

}  // namespace rankdeck
