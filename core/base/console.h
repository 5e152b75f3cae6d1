// SPDX-License-Identifier: GPL-3.0-or-later
// The user of this console, and its machine. Never fails: a number or "localhost" if no name is known.
#pragma once

#include <string>

namespace rankdeck {

std::string userName();
std::string hostName();
std::string consoleName();  // "user@host"

}  // namespace rankdeck
