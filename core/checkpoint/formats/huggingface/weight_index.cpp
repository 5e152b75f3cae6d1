// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/huggingface/weight_index.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {
namespace {

using Json = nlohmann::json;

constexpr std::size_t maxFiles = 10000;
constexpr std::size_t maxIndexDepth = 16;

bool isPlainName(const std::string &name)
{
    return !name.empty() && name.size() <= 255 && name != "." && name != ".." &&
           std::none_of(name.begin(), name.end(),
                        [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
}

// Brackets in strings count too, which only makes the bound slightly tighter.
bool isFlat(std::string_view bytes)
{
    std::size_t depth = 0;
    for (const char c : bytes) {
        if (c == '{' || c == '[') {
            if (++depth > maxIndexDepth) return false;
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return true;
}

}  // namespace

Result<WeightIndex> parseWeightIndex(std::string_view bytes)
{
    if (!isFlat(bytes)) return fail(ErrorKind::invalid, message("is nested more deeply than a valid index"));
    const Json all = parseJsonText(bytes);
    if (all.is_discarded() || !all.is_object()) return fail(ErrorKind::invalid, notJsonText(bytes));
    const auto map = all.find("weight_map");
    if (map == all.end() || !map->is_object() || map->empty())
        return fail(ErrorKind::invalid, message("has no weight_map, so it lists no file"));
    WeightIndex out;
    for (const auto &[tensor, file] : map->items()) {
        if (!file.is_string()) return fail(ErrorKind::invalid, message("lists no file for '%1'", printable(tensor)));
        const std::string &name = file.get_ref<const std::string &>();
        if (!isPlainName(name))
            return fail(ErrorKind::refused,
                        message("puts '%1' into '%2', which is not the name of a file in this directory",
                                printable(tensor), printable(name.substr(0, 200))));
        out.files[name].insert(tensor);
        ++out.tensors;
        if (out.files.size() > maxFiles) return fail(ErrorKind::invalid, message("lists more than 10,000 files"));
    }
    if (const auto about = all.find("metadata"); about != all.end() && about->is_object())
        if (const auto total = about->find("total_size"); total != about->end() && total->is_number_unsigned())
            out.totalBytes = total->get<std::uint64_t>();
    return out;
}

}  // namespace rankdeck
