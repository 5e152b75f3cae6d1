// SPDX-License-Identifier: GPL-3.0-or-later
// Who acts: the login that runs this console, and its machine. Never fails: a number or "localhost" where no name is known.
#pragma once

#include <string>

namespace rankdeck {

std::string userName();
std::string hostName();
std::string consoleName();  // "user@host"

}  // namespace rankdeck
