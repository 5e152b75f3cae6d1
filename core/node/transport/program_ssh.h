// SPDX-License-Identifier: GPL-3.0-or-later
// The OpenSSH client as a program runs it. A user's configuration may ask for a terminal, another command, a local command or
// no session at all. Each of these is switched off if the client knows it. Pure.
#pragma once

#include <string>
#include <vector>

namespace rankdeck {

// argv up to the client's own options. program: the name or the path of the client.
std::vector<std::string> programSsh(const std::string &program);

}  // namespace rankdeck
