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

Error broken(const std::string &text) { return fail(ErrorKind::invalid, text); }

Result<TensorInfo> tensorOf(const std::string &name, const Json &entry)
{
    const std::string quoted = "'" + printable(name.substr(0, 200)) + "'";
    if (!entry.is_object()) return broken(quoted + " is not an object");
    const auto dtype = entry.find("dtype"), shape = entry.find("shape"), offsets = entry.find("data_offsets");
    if (dtype == entry.end() || !dtype->is_string() || shape == entry.end() || !shape->is_array() ||
        offsets == entry.end() || !offsets->is_array() || offsets->size() != 2)
        return broken(quoted + " lacks dtype, shape or data_offsets");
    TensorInfo tensor;
    tensor.name = name;
    tensor.type = dtype->get<std::string>();
    std::uint64_t count = 1;
    for (const Json &dim : *shape) {
        if (!dim.is_number_unsigned() || tensor.shape.size() >= 64) return broken(quoted + " has a bad shape");
        const auto d = dim.get<std::uint64_t>();
        if (d != 0 && count > (std::uint64_t(1) << 56) / d) return broken(quoted + " has an impossible shape");
        count *= d;
        tensor.shape.push_back(static_cast<std::int64_t>(d));
    }
    if (!(*offsets)[0].is_number_unsigned() || !(*offsets)[1].is_number_unsigned())
        return broken(quoted + " has bad data_offsets");
    const auto begin = (*offsets)[0].get<std::uint64_t>(), end = (*offsets)[1].get<std::uint64_t>();
    if (end < begin || end > (std::uint64_t(1) << 60))
        return broken(quoted + " has data_offsets that end before they begin");
    tensor.offset = begin;
    tensor.bytes = end - begin;
    const unsigned bits = safetensorsTypeBits(tensor.type);
    if (bits != 0 && (count * bits % 8 != 0 || count * bits / 8 != tensor.bytes))
        return broken(quoted + " has " + grouped(std::int64_t(tensor.bytes)) + " bytes, but its shape " +
                      shapeText(tensor.shape) + " of " + tensor.type + " needs " +
                      grouped(std::int64_t(count * bits / 8)));
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
    if (!parsed) return broken("the header is not a JSON object");
    SafetensorsHeader header;
    for (const auto &[name, entry] : parsed->items()) {
        if (name == "__metadata__") {
            if (!entry.is_object()) return broken("__metadata__ is not an object");
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
        if (tensor.offset != at)
            return broken("'" + printable(tensor.name) + "' begins at byte " + grouped(std::int64_t(tensor.offset)) +
                          " of the data, but the one before ends at " + grouped(std::int64_t(at)) +
                          (tensor.offset < at ? ": they overlap" : ": a gap"));
        at += tensor.bytes;
        tensor.offset += base;
    }
    header.fileBytes = base + at;
    return header;
}

}  // namespace rankdeck
