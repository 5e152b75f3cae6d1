// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/json_text.h"

#include <nlohmann/json.hpp>

namespace rankdeck {
namespace {

constexpr std::string_view utf8Mark = "\xef\xbb\xbf";

}  // namespace

nlohmann::json parseJsonText(std::string_view bytes)
{
    if (bytes.starts_with(utf8Mark)) return nlohmann::json(nlohmann::json::value_t::discarded);
    return nlohmann::json::parse(bytes, nullptr, false);
}

Message notJsonText(std::string_view bytes)
{
    if (bytes.empty()) return "is empty";
    if (bytes.starts_with(utf8Mark)) return "begins with a byte order mark, which its loader cannot read";
    return "is truncated or not JSON";
}

}  // namespace rankdeck
