// SPDX-License-Identifier: GPL-3.0-or-later
// The text of load_script.py, which a node's own Python runs. Embedded by the build. Cannot fail.
#pragma once

#include <string>

namespace rankdeck {

std::string loadScript();

}  // namespace rankdeck
