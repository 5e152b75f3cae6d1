// SPDX-License-Identifier: GPL-3.0-or-later
// The objects in an answer of kubectl: one, or the items of a list. Internal to this room. Pure.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace rankdeck {

// what: for the message. Empty text: none. Error invalid: no JSON of an object or a list.
Result<std::vector<nlohmann::ordered_json>> objectsIn(const std::string &text, const char *what);

}  // namespace rankdeck
