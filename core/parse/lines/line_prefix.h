// SPDX-License-Identifier: GPL-3.0-or-later
// What launchers and viewers of logs put before the lines of a program, and the colours within them. Pure.
#pragma once

#include "core/parse/lines/sample.h"

#include <string>
#include <string_view>

namespace rankdeck {

// Behind "[default0]:", "[rank1]: ", "[gpu id: 0 ] ", "0: " (srun --label), "[1,0]<stdout>:" (mpirun --tag-output) and
// "2026-11-24T05:34:35.679Z " (kubectl logs --timestamps), several of them too. A line of another form stays as it is.
std::string_view withoutPrefix(std::string_view line);
// The rank that these prefixes name. "[rank1]: " says more than "[default0]:", which counts on its node.
LineOwner ownerOf(std::string_view line);
// Without the sequences by which terminals colour: a line that was meant for one.
std::string withoutColours(std::string_view line);

}  // namespace rankdeck
