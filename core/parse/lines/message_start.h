// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a program's own message begins there: at the start of a line, or behind the prefix of a logger. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace rankdeck {

bool beginsMessage(std::string_view line, std::size_t at);

}  // namespace rankdeck
