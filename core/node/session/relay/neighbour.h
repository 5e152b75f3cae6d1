// SPDX-License-Identifier: GPL-3.0-or-later
// A node behind a relay: the command with which the relay reaches it, and the meaning of the relay's last ssh output.
// The relay's ssh, with the configuration and the keys of its user there, checks the neighbour's host key and logs in
// without asking. Pure.
#pragma once

#include "core/base/result.h"
#include "core/node/session/reach/ssh_target.h"

#include <string>
#include <vector>

namespace rankdeck {

// The far shell first prints a line (see GreetedTransport).
std::vector<std::string> neighbourCommand(const SshTarget &target, const std::string &command);
// relay: its name. Error refused: a host key or login problem that a person must solve before another try is useful.
Error neighbourError(const std::string &relay, const std::string &host, const std::string &errorOutput,
                     const Error &ended);

}  // namespace rankdeck
