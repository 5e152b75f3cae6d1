// SPDX-License-Identifier: GPL-3.0-or-later
// Prefixes that launchers and log viewers put before a program's lines, and the colours within them. Pure.
#pragma once

#include "core/parse/lines/sample.h"

#include <string>
#include <string_view>

namespace rankdeck {

// The line after one or several prefixes: "[default0]:", "[rank1]: ", "[gpu id: 0 ] ", "0: " (srun --label),
// "[1,0]<stdout>:" (mpirun --tag-output) and "2026-11-24T05:34:35.679Z " (kubectl logs --timestamps). A line without a
// prefix is returned unchanged.
std::string_view withoutPrefix(std::string_view line);
// The rank that these prefixes name. "[rank1]: " is more exact than "[default0]:", whose number counts on its node.
LineOwner ownerOf(std::string_view line);
// A line without the colour sequences for a terminal.
std::string withoutColours(std::string_view line);

}  // namespace rankdeck
