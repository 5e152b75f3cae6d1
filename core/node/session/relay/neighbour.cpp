// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/relay/neighbour.h"

#include "core/base/text.h"
#include "core/node/transport/program_ssh.h"

#include <array>

namespace rankdeck {

namespace {

// One row: text of ssh → its meaning. In the meaning, %H is the neighbour, %R the relay, %S the output of ssh.
struct Meaning {
    std::string_view words;
    ErrorKind kind;
    std::string_view text;
};

constexpr std::array<Meaning, 9> meanings{{
    {"cannot run ssh", ErrorKind::unsupported,
     "There is no ssh on the relay %R, so it cannot reach %H: %S. Install ssh there, or reach %H without a relay."},
    {"cannot start ssh", ErrorKind::unreachable, "The relay %R cannot start one more ssh, for %H: %S."},
    {"REVOKED HOST KEY", ErrorKind::refused,
     "The ssh of the relay %R refused the host key of %H: it is revoked. Ask the administrator for the new key."},
    {"HOST IDENTIFICATION HAS CHANGED", ErrorKind::refused,
     "The ssh of the relay %R refused the host key of %H: it has CHANGED (%S). Only if its administrator confirms the "
     "new "
     "key, remove the old one there with ssh-keygen -R."},
    {"Host key verification failed", ErrorKind::refused,
     "The host key of %H is not known to the ssh of the relay %R. Log in there and connect once with \"ssh %H\"; the "
     "key is "
     "compared there, not here."},
    {"host key is known for", ErrorKind::refused,
     "The host key of %H is not known to the ssh of the relay %R. Log in there and connect once with \"ssh %H\"; the "
     "key is "
     "compared there, not here."},
    {"Permission denied", ErrorKind::refused,
     "%H refused the login from the relay %R: %S. The login must work there without a question: \"ssh -o BatchMode=yes "
     "%H\" "
     "on %R "
     "shows what is missing."},
    {"Too many authentication failures", ErrorKind::refused,
     "%H refused the login from the relay %R: %S. The login must work there without a question: \"ssh -o BatchMode=yes "
     "%H\" "
     "on %R "
     "shows what is missing."},
    {"Bad configuration option", ErrorKind::invalid, "The ssh of the relay %R does not accept its configuration: %S."},
}};

std::string filled(std::string_view text, const std::string &relay, const std::string &host, const std::string &said)
{
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%' || at + 1 == text.size()) {
            out += text[at];
            continue;
        }
        const char name = text[++at];
        out += name == 'R' ? relay : name == 'H' ? host : said;
    }
    return out;
}

std::string oneLine(const std::string &errorOutput)
{
    std::string all;
    for (const std::string &line : split(errorOutput, '\n'))
        if (const std::string words = printable(line); words.find_first_not_of(" \r@") != std::string::npos)
            all += (all.empty() ? "" : " | ") + words;
    while (all.ends_with('.')) all.pop_back();
    return all;
}

}  // namespace

std::vector<std::string> neighbourCommand(const SshTarget &target, const std::string &command)
{
    std::vector<std::string> argv = programSsh("ssh");
    // The user's other ssh settings on the relay still apply. These options make sure that ssh asks nothing and does
    // not outlive a dead neighbour.
    for (const char *option : {"BatchMode=yes", "ConnectTimeout=10", "ClearAllForwardings=yes", "EscapeChar=none",
                               "LogLevel=INFO", "ServerAliveInterval=15", "ServerAliveCountMax=3"})
        argv.insert(argv.end(), {"-o", option});
    if (target.port) argv.insert(argv.end(), {"-p", std::to_string(target.port)});
    if (!target.user.empty()) argv.insert(argv.end(), {"-l", target.user});
    argv.insert(argv.end(), {"--", target.host, "echo; " + command});
    return argv;
}

Error neighbourError(const std::string &relay, const std::string &host, const std::string &errorOutput,
                     const Error &ended)
{
    const std::string said = oneLine(errorOutput);
    for (const Meaning &meaning : meanings)
        if (errorOutput.find(meaning.words) != std::string::npos)
            return fail(meaning.kind, filled(meaning.text, relay, host, said), said);
    // The node's own thread uses the same text to decide whether there is an interpreter.
    if (said.empty() || errorOutput.find("no python3 that is new enough") != std::string::npos) return ended;
    return fail(ErrorKind::unreachable, message("The relay %1 did not reach %2: %3.", relay, host, said), said);
}

}  // namespace rankdeck
