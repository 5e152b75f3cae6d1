// SPDX-License-Identifier: GPL-3.0-or-later
// The head's end of the relay: relay.py, joined in when this program was built. Cannot fail.
#pragma once

#include <string>

namespace rankdeck {

std::string builtInRelay();

}  // namespace rankdeck
