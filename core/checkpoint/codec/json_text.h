// SPDX-License-Identifier: GPL-3.0-or-later
// JSON beside a checkpoint as its loader reads it: Python's json, from a text file. Pure; how deep it may be nested is
// the caller's to bound.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace rankdeck {

// Discarded: it is no JSON, or begins with a byte order mark, at which Python ends with JSONDecodeError.
nlohmann::json parseJsonText(std::string_view bytes);
// Why it was discarded: "is cut or no JSON".
std::string notJsonText(std::string_view bytes);

}  // namespace rankdeck
