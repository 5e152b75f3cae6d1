// SPDX-License-Identifier: GPL-3.0-or-later
// The text of resources/probe.py as it was when this program was built.
#pragma once

#include <string>

namespace rankdeck {

std::string builtInProbe();

}  // namespace rankdeck
