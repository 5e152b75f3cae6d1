// SPDX-License-Identifier: GPL-3.0-or-later
// The system's ssh as a child process: for what libssh cannot do (host certificates, ProxyCommand, a shared ControlMaster
// connection, security keys). Bytes are moved by the child's transport; here ssh's own words become an Error of the right
// kind, so that a refusal is not tried again and again.
#pragma once

#include "core/job/job.h"
#include "core/node/session/reach/connect_deadline.h"
#include "core/node/session/reach/ssh_target.h"
#include "core/node/transport/connect_options.h"
#include "core/node/transport/transport.h"

#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

// What is run: the command, after a word from the far shell that it is there (the reader skips what comes before its own
// mark, as rc files print too). Pure.
std::vector<std::string> sshChildCommand(const SshTarget &target, const ConnectOptions &options,
                                         const std::string &command);
// What ssh's last words mean. Pure.
Error sshChildError(const std::string &host, const std::string &errorOutput, const Error &ended);

// Of a child that runs sshChildCommand: waits until the far shell has spoken, so that a refusal is known here.
Result<std::unique_ptr<Transport>> startSshChild(const std::string &host, std::unique_ptr<Transport> child,
                                                 const Phase &phase);

}  // namespace rankdeck
