// SPDX-License-Identifier: GPL-3.0-or-later
// Command line of the OpenSSH client for use by a program. A user's configuration may request a terminal, another
// command, a local command or no session at all. Each of these is switched off if the client knows the option. Pure.
#pragma once

#include <string>
#include <vector>

namespace rankdeck {

// Arguments up to the client's own options. program: name or path of the client.
std::vector<std::string> programSsh(const std::string &program);

}  // namespace rankdeck
