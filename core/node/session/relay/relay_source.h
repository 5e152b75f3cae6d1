// SPDX-License-Identifier: GPL-3.0-or-later
// The source text of relay.py, the head node's end of the relay; included by the build. Cannot fail.
#pragma once

#include <string>

namespace rankdeck {

std::string builtInRelay();

}  // namespace rankdeck
