// SPDX-License-Identifier: GPL-3.0-or-later
// The node's end of the protocol, joined from core/node/probe when this program was built. Cannot fail.
#pragma once

#include <string>

namespace rankdeck {

std::string builtInProbe();

}  // namespace rankdeck
