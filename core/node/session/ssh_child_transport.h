// SPDX-License-Identifier: GPL-3.0-or-later
// The system's ssh as a child process, for features that libssh lacks (host certificates, ProxyCommand, a shared
// ControlMaster connection, security keys). The child's transport moves the bytes. This code converts the messages of
// ssh to an Error of the right kind, so that a refusal is not tried again and again.
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

// The command line. The far shell first prints a line to show that it is there. The reader skips everything before its
// own mark, because rc files may print, too. Pure.
std::vector<std::string> sshChildCommand(const SshTarget &target, const ConnectOptions &options,
                                         const std::string &command);
// Converts the last output of ssh to an Error. Pure.
Error sshChildError(const std::string &host, const std::string &errorOutput, const Error &ended);

// Waits until the far shell of a child that runs sshChildCommand has printed, so that a refusal is noticed here.
Result<std::unique_ptr<Transport>> startSshChild(const std::string &host, std::unique_ptr<Transport> child,
                                                 const Phase &phase);

}  // namespace rankdeck
