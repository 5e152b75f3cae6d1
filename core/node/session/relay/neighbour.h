// SPDX-License-Identifier: GPL-3.0-or-later
// A node behind a relay: what the relay runs to reach it, and what the last words of the relay's ssh mean. The ssh of the
// relay, with its user's own configuration and keys there, judges the neighbour's host key and logs in, and asks nothing. Pure.
#pragma once

#include "core/base/result.h"
#include "core/node/session/reach/ssh_target.h"

#include <string>
#include <vector>

namespace rankdeck {

// The far shell prints a line before the command (see GreetedTransport).
std::vector<std::string> neighbourCommand(const SshTarget &target, const std::string &command);
// relay: its name. refused: a host key or a login, which needs a person before another try is useful.
Error neighbourError(const std::string &relay, const std::string &host, const std::string &errorOutput,
                     const Error &ended);

}  // namespace rankdeck
