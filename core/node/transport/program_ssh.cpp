// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/transport/program_ssh.h"

namespace rankdeck {

namespace {

// An older client refuses an unknown option. `-V` with the option shows this without a connection. RemoteCommand came
// with OpenSSH 7.6, the other options with 8.7.
constexpr const char *script =
    "command -v \"$0\" >/dev/null || { echo \"rankdeck: cannot run $0: No such file or directory\" >&2; exit 127; }; "
    "for option in RemoteCommand=none SessionType=default StdinNull=no ForkAfterAuthentication=no; do "
    "\"$0\" -o \"$option\" -V >/dev/null 2>&1 </dev/null && set -- -o \"$option\" \"$@\"; done; "
    "exec \"$0\" \"$@\"";

}  // namespace

std::vector<std::string> programSsh(const std::string &program)
{
    return {"/bin/sh", "-c", script, program, "-T", "-x", "-a", "-o", "PermitLocalCommand=no"};
}

}  // namespace rankdeck
