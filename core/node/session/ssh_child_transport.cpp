// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/ssh_child_transport.h"

#include "core/base/text.h"
#include "core/node/session/greeted_transport.h"
#include "core/node/transport/program_ssh.h"

#include <algorithm>

namespace rankdeck {

namespace {

bool says(const std::string &text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

std::vector<std::string> sshChildCommand(const SshTarget &target, const ConnectOptions &options,
                                         const std::string &command)
{
    std::vector<std::string> argv = programSsh(options.sshProgram);
    if (!options.sshConfig.empty()) argv.insert(argv.end(), {"-F", options.sshConfig});
    const auto set = [&](const char *option) { argv.insert(argv.end(), {"-o", option}); };
    if (!options.interactive) set("BatchMode=yes");
    set(options.acceptNewHostKeys ? "StrictHostKeyChecking=accept-new" : "StrictHostKeyChecking=yes");
    set("ConnectTimeout=10");
    set("ClearAllForwardings=yes");
    set("EscapeChar=none");
    set("LogLevel=INFO");
    if (target.port) argv.insert(argv.end(), {"-p", std::to_string(target.port)});
    if (!target.user.empty()) argv.insert(argv.end(), {"-l", target.user});
    argv.insert(argv.end(), {"--", target.host, "echo; " + command});
    return argv;
}

Error sshChildError(const std::string &host, const std::string &errorOutput, const Error &ended)
{
    std::string last;
    for (const std::string &line : split(errorOutput, '\n'))
        if (!line.empty()) last += (last.empty() ? "" : " | ") + printable(line);
    last = withoutStop(last);
    const auto with = [&](ErrorKind kind, const Message &text) { return fail(kind, text, last); };
    if (says(errorOutput, "REVOKED HOST KEY"))
        return with(
            ErrorKind::refused,
            message("ssh refused the host key of %1: it is revoked. Ask the administrator for the new key.", host));
    if (says(errorOutput, "HOST IDENTIFICATION HAS CHANGED"))
        return with(ErrorKind::refused,
                    message("ssh refused the host key of %1: it has CHANGED (%2). Only if its administrator confirms "
                            "the new key, remove the old one with ssh-keygen -R.",
                            host, last));
    if (says(errorOutput, "Host key verification failed") || says(errorOutput, "host key is known for"))
        return with(ErrorKind::refused,
                    message("The host key of %1 is not yet known to ssh. Compare it with the key "
                            "that the administrator gives you, then connect once with \"ssh %1\"%2.",
                            host, terminalWords(", or run again with --accept-new-host-keys")));
    if (says(errorOutput, "Permission denied") || says(errorOutput, "Too many authentication failures"))
        return with(
            ErrorKind::refused,
            message("%1 refused the login: %2. Run \"ssh %3\" by hand to see what is missing.", host, last, host));
    if (says(errorOutput, "Bad configuration option") || says(errorOutput, "Can't open user config file"))
        return with(ErrorKind::invalid, message("ssh does not accept its configuration for %1: %2.", host, last));
    if (!last.empty())
        return with(ErrorKind::unreachable, message("The connection to %1 through ssh ended: %2.", host, last));
    return ended;
}

Result<std::unique_ptr<Transport>> startSshChild(const std::string &host, std::unique_ptr<Transport> child,
                                                 const Phase &phase)
{
    return GreetedTransport::start(
        std::move(child),
        {.explain = [host](const std::string &errors,
                           const Error &ended) { return sshChildError(host, errors, ended); },
         .late = "ssh did not reach " + host + " in time. \"ssh " + host + "\" by hand shows where it hangs.",
         .security = "by the system's ssh"},
        phase);
}

}  // namespace rankdeck
