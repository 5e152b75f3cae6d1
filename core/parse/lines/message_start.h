// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what a program says begins there: at the begin of a line, or behind what a logger puts before it. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace rankdeck {

bool beginsMessage(std::string_view line, std::size_t at);

}  // namespace rankdeck
