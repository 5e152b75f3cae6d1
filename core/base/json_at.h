// SPDX-License-Identifier: GPL-3.0-or-later
// Values inside a JSON document by their path. A missing value, or one of another type, is returned as null, "", or an
// empty list. Cannot fail.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace rankdeck {

template <class Json>
const Json &at(const Json &object, const std::vector<std::string> &path)
{
    static const Json nothing;
    const Json *now = &object;
    for (const std::string &key : path) {
        if (!now->is_object() || !now->contains(key)) return nothing;
        now = &(*now)[key];
    }
    return *now;
}

template <class Json>
std::string textAt(const Json &object, const std::vector<std::string> &path)
{
    const Json &value = at(object, path);
    return value.is_string() ? value.template get<std::string>() : std::string();
}

template <class Json>
const Json &listAt(const Json &object, const std::vector<std::string> &path)
{
    static const Json none = Json::array();
    const Json &value = at(object, path);
    return value.is_array() ? value : none;
}

}  // namespace rankdeck
