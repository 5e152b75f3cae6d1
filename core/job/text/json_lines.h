// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of the values in a JSON text: key path ("nodes[1].ranks") → line, from 1. For error messages only: the text
// must be valid JSON. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace rankdeck {

std::map<std::string, int> jsonLines(std::string_view json);
int lineAt(std::string_view text, std::size_t offset);

}  // namespace rankdeck
