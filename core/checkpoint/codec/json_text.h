// SPDX-License-Identifier: GPL-3.0-or-later
// JSON beside a checkpoint, read as its loader does: Python's json, from a text file. Pure; the caller must limit the
// nesting.
#pragma once

#include "core/base/message.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace rankdeck {

// Returns a discarded value if the text is not JSON, or begins with a byte order mark, which Python refuses with
// JSONDecodeError.
nlohmann::json parseJsonText(std::string_view bytes);
// Reason why it was discarded: "is cut or no JSON".
Message notJsonText(std::string_view bytes);

}  // namespace rankdeck
