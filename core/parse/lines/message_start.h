// SPDX-License-Identifier: GPL-3.0-or-later
// Check whether a program's own message begins at a position: at the start of a line, or after the prefix of a logger.
// Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace rankdeck {

bool beginsMessage(std::string_view line, std::size_t at);

}  // namespace rankdeck
