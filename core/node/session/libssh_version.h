// SPDX-License-Identifier: GPL-3.0-or-later
// Version of the loaded libssh, as "0.10.6"; never fails.
#pragma once

#include <string>

namespace rankdeck {

std::string libsshVersion();

}  // namespace rankdeck
