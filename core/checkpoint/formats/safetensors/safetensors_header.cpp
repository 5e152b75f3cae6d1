// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/safetensors/safetensors_header.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace rankdeck {
namespace {

using Json = nlohmann::json;
constexpr int maxDepth = 4;

// A header is three levels deep; deeper nesting is hostile and is not built in memory.
std::optional<Json> parseShallow(std::string_view text)
{
    bool tooDeep = false;
    const auto watch = [&tooDeep](int depth, Json::parse_event_t event, Json &) {
        if (depth > maxDepth &&
            (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start))
            tooDeep = true;
        return !tooDeep;
    };
    Json json = Json::parse(text.begin(), text.end(), watch, false);
    if (tooDeep || json.is_discarded() || !json.is_object()) return std::nullopt;
    return json;
}

Error broken(const Message &text) { return fail(ErrorKind::invalid, text); }

Result<TensorInfo> tensorOf(const std::string &name, const Json &entry)
{
    const std::string quoted = "'" + printable(name.substr(0, 200)) + "'";
    if (!entry.is_object()) return broken(message("%1 is not an object", quoted));
    const auto dtype = entry.find("dtype"), shape = entry.find("shape"), offsets = entry.find("data_offsets");
    if (dtype == entry.end() || !dtype->is_string() || shape == entry.end() || !shape->is_array() ||
        offsets == entry.end() || !offsets->is_array() || offsets->size() != 2)
        return broken(message("%1 lacks dtype, shape or data_offsets", quoted));
    TensorInfo tensor;
    tensor.name = name;
    tensor.type = dtype->get<std::string>();
    std::uint64_t count = 1;
    for (const Json &dim : *shape) {
        if (!dim.is_number_unsigned() || tensor.shape.size() >= 64)
            return broken(message("%1 has a bad shape", quoted));
        const auto d = dim.get<std::uint64_t>();
        if (d != 0 && count > (std::uint64_t(1) << 56) / d)
            return broken(message("%1 has an impossible shape", quoted));
        count *= d;
        tensor.shape.push_back(static_cast<std::int64_t>(d));
    }
    if (!(*offsets)[0].is_number_unsigned() || !(*offsets)[1].is_number_unsigned())
        return broken(message("%1 has bad data_offsets", quoted));
    const auto begin = (*offsets)[0].get<std::uint64_t>(), end = (*offsets)[1].get<std::uint64_t>();
    if (end < begin || end > (std::uint64_t(1) << 60))
        return broken(message("%1 has data_offsets that end before they begin", quoted));
    tensor.offset = begin;
    tensor.bytes = end - begin;
    const unsigned bits = safetensorsTypeBits(tensor.type);
    if (bits != 0 && (count * bits % 8 != 0 || count * bits / 8 != tensor.bytes))
        return broken(message("%1 has %2 bytes, but its shape %3 of %4 needs %5", quoted,
                              grouped(std::int64_t(tensor.bytes)), shapeText(tensor.shape), tensor.type,
                              grouped(std::int64_t(count * bits / 8))));
    return tensor;
}

}  // namespace

unsigned safetensorsTypeBits(std::string_view dtype)
{
    static constexpr std::array<std::pair<std::string_view, unsigned>, 22> sizes{
        {{"F4", 4},      {"F6_E3M2", 6}, {"F6_E2M3", 6}, {"BOOL", 8},        {"U8", 8},          {"I8", 8},
         {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
         {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"I32", 32},        {"U32", 32},        {"F32", 32},
         {"I64", 64},    {"U64", 64},    {"F64", 64},    {"C64", 64}}};
    for (const auto &[name, bits] : sizes)
        if (name == dtype) return bits;
    return 0;
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json)
{
    const auto parsed = parseShallow(json);
    if (!parsed) return broken(message("the header is not a JSON object"));
    SafetensorsHeader header;
    for (const auto &[name, entry] : parsed->items()) {
        if (name == "__metadata__") {
            if (!entry.is_object()) return broken(message("__metadata__ is not an object"));
            for (const auto &[key, value] : entry.items())
                if (value.is_string() && header.metadata.size() < 10000)
                    header.metadata[key] = value.get<std::string>();
            continue;
        }
        Result<TensorInfo> tensor = tensorOf(name, entry);
        if (!tensor) return tensor.error();
        header.tensors.push_back(std::move(tensor).value());
    }
    std::sort(header.tensors.begin(), header.tensors.end(), [](const TensorInfo &a, const TensorInfo &b) {
        return std::pair(a.offset, a.bytes) < std::pair(b.offset, b.bytes);
    });
    std::uint64_t at = 0;
    const std::uint64_t base = 8 + json.size();
    for (TensorInfo &tensor : header.tensors) {
        const std::string begin = grouped(std::int64_t(tensor.offset)), end = grouped(std::int64_t(at));
        if (tensor.offset < at)
            return broken(
                message("'%1' begins at byte %2 of the data, but the tensor before it ends at %3: they overlap",
                        printable(tensor.name), begin, end));
        if (tensor.offset > at)
            return broken(
                message("'%1' begins at byte %2 of the data, but the tensor before it ends at %3: there is a gap",
                        printable(tensor.name), begin, end));
        at += tensor.bytes;
        tensor.offset += base;
    }
    header.fileBytes = base + at;
    return header;
}

}  // namespace rankdeck
